// Section 5: one gradient through the racy, the CAS and the sorted kernel, run after run: what is lost, which bits move.
import { computed, effect, signal, untracked } from "@preact/signals-core";
import { h, icon, type Kid, rich, watch } from "../dom";
import { count, ulps } from "../format";
import { createJob } from "../job";
import type { EmbeddingGradient } from "../pkg/gomme.js";
import { bell } from "../random";
import { inSlices, pause } from "../schedule";
import { D, type State } from "../state";
import { figure, question } from "./figure";
import { jobButton, jobProgress } from "./job";
import { sectionHead } from "./section";
import { pieceOf, spoken } from "./token";

/** Most positions of the repeated text: enough for threads to meet, quick enough for a software adapter. */
const MOST = 4096;
const RUNS = 10;
const KERNELS = ["racy", "embed_backward", "sorted"] as const;
type Kernel = (typeof KERNELS)[number];

interface Run {
  readonly lost: number;
  readonly cells: number;
  readonly ulp: number;
}

type Results = { readonly [kernel in Kernel]: readonly Run[] };
const NOTHING: Results = { racy: [], embed_backward: [], sorted: [] };

export function raceView(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  sectionHead(container, state, {
    n: 5,
    title: () => t.value.s5.title,
    say: () => t.value.s5.say,
    formula: () => t.value.s5.formula,
  });
  const c = (value: number) => count(lang.value, value);
  const job = createJob();
  const results = signal<Results>(NOTHING);
  let firsts: { readonly [kernel in Kernel]?: Float32Array } = {};

  const load = computed(() => {
    const ids = [...(state.tokens.value?.ids ?? [])].filter((id) => id < state.vocabSize.value).slice(0, MOST);
    const times = Math.max(1, Math.min(state.repeats.value, Math.floor(MOST / Math.max(1, ids.length))));
    const tokens = Uint32Array.from({ length: ids.length * times }, (_, i) => ids[i % ids.length] ?? 0);
    const hits = new Map<number, number>();
    for (const id of tokens) hits.set(id, (hits.get(id) ?? 0) + 1);
    let busiest = { id: -1, hits: 0 };
    for (const [id, many] of hits) if (many > busiest.hits) busiest = { id, hits: many };
    return { tokens, times, hits, busiest };
  });
  const forget = () => {
    job.stop();
    results.value = NOTHING;
    firsts = {};
  };
  // Runs of another text, length or seed are not comparable.
  effect(() => {
    load.value;
    state.seed.value;
    untracked(forget);
  });

  const run = () =>
    job.start(async (control) => {
      const engine = state.engine.peek();
      if (!engine) return;
      const { tokens, hits } = load.peek();
      const ones = new Float32Array(tokens.length * D).fill(1);
      const random = new Float32Array(tokens.length * D);
      const seed = state.seed.peek();
      const made = await inSlices(
        random.length,
        8192,
        (from, to) => {
          for (let i = from; i < to; i++) random[i] = bell(seed, i);
        },
        control.stopped,
      );
      if (!made) return;
      for (let k = 0; k < RUNS && !control.stopped(); k++) {
        control.tell(k, RUNS, t.value.s5.progress(String(k + 1), String(RUNS)));
        // The six calls are under way together: a browser that wakes seldom is waited for once.
        const calls: Promise<EmbeddingGradient>[] = [];
        for (const kernel of KERNELS) {
          for (const upstream of [ones, random]) {
            calls.push(engine.gradient(tokens, upstream, kernel));
            await pause();
          }
        }
        const outcomes = await Promise.all(calls);
        if (control.stopped()) return;
        const next = { ...results.peek() };
        for (const [i, kernel] of KERNELS.entries()) {
          const [counted, summed] = [outcomes[2 * i], outcomes[2 * i + 1]];
          if (!counted || !summed) continue;
          let lost = 0;
          let cells = 0;
          let ulp = 0;
          const first = firsts[kernel] ?? summed.grad;
          firsts = { ...firsts, [kernel]: first };
          await inSlices(
            counted.rows.length,
            8,
            (from, to) => {
              for (let u = from; u < to; u++) {
                const times = hits.get(counted.rows[u] ?? 0) ?? 0;
                for (let d = 0; d < D; d++) {
                  const at = u * D + d;
                  lost += times - (counted.grad[at] ?? 0);
                  const [a, b] = [first[at] ?? 0, summed.grad[at] ?? 0];
                  if (!Object.is(a, b)) {
                    cells += 1;
                    ulp = Math.max(ulp, ulps(a, b));
                  }
                }
              }
            },
            () => false,
          );
          next[kernel] = [...next[kernel], { lost, cells, ulp }];
        }
        results.value = next;
        await pause();
      }
    });

  const repeats = h("input", {
    id: "repeats",
    type: "range",
    min: 0,
    max: 8,
    step: 1,
    oninput: () => {
      state.repeats.value = 2 ** Number(repeats.value);
    },
  });
  watch(() => {
    repeats.value = String(Math.round(Math.log2(state.repeats.value)));
  });

  const names = (kernel: Kernel) =>
    ({ racy: t.value.s5.racy, embed_backward: t.value.s5.cas, sorted: t.value.s5.sorted })[kernel];
  const largest = (runs: readonly Run[], key: keyof Run) => Math.max(0, ...runs.map((one) => one[key]));
  const all = () => load.value.tokens.length * D;
  const bars = (kernel: Kernel, key: "lost" | "cells"): Kid => {
    const runs = results.value[kernel];
    const most = largest(runs, key);
    const top = Math.max(1, ...KERNELS.map((one) => largest(results.value[one], key)));
    return [
      h(
        "p",
        { class: "lbl" },
        h("span", key === "lost" ? t.value.s5.lostBars : t.value.s5.bitBars),
        h("span", most === 0 ? t.value.s5.allZero : t.value.s5.most(c(most))),
      ),
      h(
        "div",
        { class: `runs ${key}`, "aria-hidden": "true" },
        runs
          .slice(-30)
          .map((one) => h("i", { class: one[key] === 0 ? "none" : "", css: { "--p": (100 * one[key]) / top } })),
      ),
    ];
  };
  const lane = (kernel: Kernel) =>
    h(
      "div",
      { id: `race-${kernel}` },
      h("h4", () => names(kernel), " ", h("code", kernel)),
      (): Kid => {
        const runs = results.value[kernel];
        if (runs.length === 0) return h("p", { class: "big" }, "–");
        const lost = runs.reduce((sum, one) => sum + one.lost, 0);
        const cells = largest(runs, "cells");
        const s5 = t.value.s5;
        const told =
          kernel === "racy"
            ? s5.racyWhat(c(all() * runs.length), c(Math.min(...runs.map((one) => one.lost))), c(largest(runs, "lost")))
            : kernel === "embed_backward"
              ? cells > 0
                ? s5.casWhat(c(largest(runs, "ulp")))
                : s5.casSame
              : cells > 0
                ? s5.sortedBroken(c(cells))
                : s5.sortedWhat;
        return [
          h("p", { class: "big" }, h("span", { class: lost > 0 ? "bad" : "" }, s5.lost(c(lost))), h("small", told)),
          bars(kernel, "lost"),
          bars(kernel, "cells"),
          h(
            "div",
            { class: "no", "aria-hidden": "true" },
            runs.slice(-30).map((_, i) => h("span", runs.length > 30 ? "" : i + 1)),
          ),
        ];
      },
    );
  const nothing = () => results.value.racy.length === 0;
  figure(
    container,
    state,
    {
      id: "race",
      title: () => {
        const { times, tokens, busiest } = load.value;
        if (busiest.id < 0) return t.value.s5.runs;
        const piece = spoken(state, busiest.id, pieceOf(state, busiest.id));
        return [t.value.s5.runs, " ", h("small", t.value.s5.load(c(times), c(tokens.length), piece, c(busiest.hits)))];
      },
      name: () => t.value.s5.title,
      data: () => ({
        columns: [
          { key: "run", label: t.value.s5.run, numeric: true },
          { key: "kernel", label: t.value.s5.kernel },
          { key: "lost", label: t.value.s5.lostColumn, numeric: true },
          { key: "cells", label: t.value.s5.bitsColumn, numeric: true },
          { key: "ulp", label: t.value.s5.ulpColumn, numeric: true },
        ],
        rows: KERNELS.flatMap((kernel) =>
          results.value[kernel].map((one, i) => [i + 1, kernel, one.lost, one.cells, one.ulp]),
        ),
      }),
    },
    h(
      "div",
      { class: "dials race-dials" },
      jobButton(job, {
        id: "race-go",
        go: () => (nothing() ? t.value.s5.go(String(RUNS)) : t.value.s5.more(String(RUNS))),
        stop: () => t.value.s5.stop,
        ready: () => state.phase.value === "ready" && load.value.tokens.length > 0,
        act: run,
      }),
      h(
        "label",
        { class: "range" },
        h("span", () => t.value.s5.repeat),
        h("output", () => `× ${c(load.value.times)}`),
        repeats,
      ),
      h(
        "button",
        {
          class: "btn",
          id: "race-clear",
          type: "button",
          disabled: () => nothing() || job.running.value,
          onclick: forget,
        },
        icon("reset"),
        h("span", { class: "keep" }, () => t.value.s5.clear),
      ),
    ),
    jobProgress(job, "race-progress"),
    h("p", { class: "waiting", hidden: () => !nothing() }, () => t.value.s5.none),
    h("div", { class: "race", hidden: nothing }, KERNELS.map(lane)),
    h("p", { class: "note", id: "race-note", role: "status" }, () => {
      const runs = results.value.racy;
      if (runs.length === 0 || job.running.value) return undefined;
      if (state.device.value?.backend === "cpu") return t.value.s5.cpu;
      const some = runs.filter((one) => one.lost > 0).length;
      return some > 0 ? t.value.s5.seen(String(some), String(runs.length)) : t.value.s5.notSeen(String(runs.length));
    }),
    h("p", { class: "note" }, () => t.value.s5.how),
  );
  question(
    container,
    () => rich(t.value.s5.ask),
    () => rich(t.value.s5.answer),
    () => t.value.question,
  );
}
