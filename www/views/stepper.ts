// Section 4: the compare-exchange loop on one cell, an attempt at a time, and how many attempts fail in truth.
import { computed, effect, signal, untracked } from "@preact/signals-core";
import { h, icon, type Kid, rich, watch } from "../dom";
import { bitsOf, count, exact, fixed, floatOf, hex } from "../format";
import { createJob } from "../job";
import { bell } from "../random";
import { D, type State } from "../state";
import { figure, question } from "./figure";
import { jobButton, jobProgress } from "./job";
import { sectionHead } from "./section";
import { spoken } from "./token";

/** One compare-exchange of one thread. */
export interface Attempt {
  readonly round: number;
  readonly thread: number;
  /** Bits the thread believes in, bits it would write, bits found in the cell, and bits there afterwards. */
  readonly old: number;
  readonly next: number;
  readonly found: number;
  readonly after: number;
  readonly won: boolean;
  /** Who wrote last before a failed attempt. */
  readonly winner: number;
}

/** Threads in lock step: each round all that wait try in order, with what they read at its beginning; the first one wins. */
export function lockstep(values: readonly number[]): Attempt[] {
  const attempts: Attempt[] = [];
  let cell = 0;
  let waiting = values.map((_, thread) => thread);
  const old = values.map(() => 0);
  for (let round = 1; waiting.length > 0; round++) {
    const tries = waiting.map((thread) => ({
      thread,
      next: bitsOf(Math.fround(floatOf(old[thread] ?? 0) + (values[thread] ?? 0))),
    }));
    let winner = -1;
    for (const { thread, next } of tries) {
      const believed = old[thread] ?? 0;
      const found = cell;
      const won = winner < 0;
      if (won) {
        cell = next;
        winner = thread;
      } else old[thread] = found;
      attempts.push({ round, thread, old: believed, next, found, after: cell, won, winner });
    }
    waiting = waiting.filter((thread) => thread !== winner);
  }
  return attempts;
}

const CODE = [
  "var old_bits =\n  atomicLoad(&grad_table[dst]);",
  "loop {",
  "  let new_bits = bitcast<u32>(\n    bitcast<f32>(old_bits) + val);",
  "  let res = atomicCompareExchangeWeak(\n    &grad_table[dst], old_bits, new_bits);",
  "  if (res.exchanged) { break; }",
  "  old_bits = res.old_value;",
  "}",
];

export function stepperView(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  sectionHead(container, state, {
    n: 4,
    title: () => t.value.s4.title,
    say: () => t.value.s4.say,
    formula: () => t.value.s4.formula,
  });

  const k = state.threads;
  // Contributions of the chosen row's positions at the chosen column, the text repeated until there are k of them.
  const parts = computed(() => {
    const place = state.chosen.value;
    const all = state.tokens.value?.ids.length ?? 0;
    const spots = place ? (state.positions.value.get(place.id) ?? []) : [];
    return Array.from({ length: k.value }, (_, j) => {
      const s = spots.length ? (spots[j % spots.length] ?? 0) + all * Math.floor(j / spots.length) : j;
      const raw = bell(state.seed.value, s * D + (place?.d ?? 0));
      const val = Math.fround(Math.round(raw * 100) / 100) || 0.25;
      return { s, val: Math.fround(val) };
    });
  });
  const attempts = computed(() => lockstep(parts.value.map((part) => part.val)));
  const total = computed(() => attempts.value.length);
  const step = computed(() => Math.min(state.step.value, total.value));
  const now = computed(() => (step.value > 0 ? attempts.value[step.value - 1] : undefined));
  const fails = computed(() => attempts.value.slice(0, step.value).filter((one) => !one.won).length);
  const allFails = () => (k.value * (k.value - 1)) / 2;
  const num = (bits: number) => exact(lang.value, floatOf(bits));
  const dec = (value: number) => `${value > 0 ? "+" : ""}${fixed(lang.value, value, 2)}`;

  // ---- controls
  const playing = signal(false);
  let timer = 0;
  effect(() => {
    clearInterval(timer);
    if (!playing.value) return;
    timer = window.setInterval(() => {
      if (step.peek() >= total.peek()) playing.value = false;
      else state.step.value = step.peek() + 1;
    }, 1200);
  });
  const go = (to: number) => {
    playing.value = false;
    state.step.value = Math.max(0, Math.min(total.peek(), to));
  };
  const key = (id: string, label: () => string, drawing: string, act: () => void, off: () => boolean) =>
    h(
      "button",
      { class: "btn", id, type: "button", "aria-label": label, title: label, disabled: off, onclick: act },
      icon(drawing.replace("-", ""), drawing.startsWith("-") ? "f flip" : "f"),
    );
  const range = (
    id: string,
    label: () => string,
    out: () => string,
    least: () => number,
    most: () => number,
    value: () => number,
    set: (v: number) => void,
  ) => {
    const input = h("input", { id, type: "range", oninput: () => set(Number(input.value)) });
    watch(() => {
      input.min = String(least());
      input.max = String(most());
      input.value = String(value());
    });
    return h("label", { class: "range" }, h("span", label), h("output", out), input);
  };
  const controls = h(
    "div",
    { class: "play", id: "stepper-controls" },
    h(
      "div",
      { class: "row" },
      key(
        "step-first",
        () => t.value.s4.first,
        "-next",
        () => go(0),
        () => step.value === 0,
      ),
      key(
        "step-back",
        () => t.value.s4.back,
        "-play",
        () => go(step.peek() - 1),
        () => step.value === 0,
      ),
      h(
        "button",
        {
          class: "btn go",
          id: "step-play",
          type: "button",
          onclick: () => {
            if (!playing.value && step.value >= total.value) state.step.value = 0;
            playing.value = !playing.value;
          },
        },
        () => icon(playing.value ? "pause" : "play", "f"),
        h("span", () => (playing.value ? t.value.s4.pause : t.value.s4.play)),
      ),
      key(
        "step-forward",
        () => t.value.s4.forward,
        "next",
        () => go(step.peek() + 1),
        () => step.value >= total.value,
      ),
    ),
    range(
      "step-range",
      () => t.value.s4.step,
      () => `${step.value} / ${total.value}`,
      () => 0,
      () => total.value,
      () => step.value,
      go,
    ),
    range(
      "threads",
      () => t.value.s4.threads,
      () => String(k.value),
      () => 2,
      () => 10,
      () => k.value,
      (v) => {
        go(0);
        k.value = v;
      },
    ),
  );

  // ---- what happened
  const told = (): Kid[] => {
    const one = now.value;
    const s4 = t.value.s4;
    if (!one) return rich(s4.start(String(k.value)));
    const said = one.won
      ? s4.won(one.thread, num(one.old), dec(parts.value[one.thread]?.val ?? 0), num(one.after))
      : s4.failed(one.thread, num(one.old), num(one.found), one.winner);
    const end = step.value === total.value ? ` ${s4.done(String(k.value), String(allFails()), num(one.after))}` : "";
    return rich(said + end);
  };
  const word = (label: () => string, bits: () => number, other: () => number) => {
    const cells = Array.from({ length: 32 }, (_, i) =>
      h("i", { class: i === 0 ? "s" : i < 9 ? `e${i === 8 ? " z" : ""}` : "" }),
    );
    watch(() => {
      const [a, b] = [bits(), other()];
      cells.forEach((cell, i) => {
        const bit = (a >>> (31 - i)) & 1;
        cell.textContent = String(bit);
        cell.classList.toggle("x", bit !== ((b >>> (31 - i)) & 1));
      });
    });
    return h(
      "div",
      h("dt", label),
      h(
        "dd",
        { class: "m" },
        h("b", () => hex(bits())),
        () => ` = ${num(bits())}`,
      ),
      h("dd", { class: "bits", "aria-hidden": "true" }, cells),
    );
  };
  const actor = () => now.value?.thread ?? 0;
  const inCell = () => now.value?.found ?? 0;
  const believed = () => now.value?.old ?? 0;
  const code = h(
    "pre",
    { class: "code", "aria-hidden": "true" },
    CODE.map((line, i) =>
      h(
        "span",
        {
          class: () => {
            const one = now.value;
            const at = one === undefined ? i === 0 : i === 3 || (one.won ? i === 4 : i === 5);
            return at ? "at" : "";
          },
        },
        line,
      ),
    ),
  );

  // ---- threads
  const lanes = h("tbody");
  watch(() => {
    const done = attempts.value.slice(0, step.value);
    const one = now.value;
    const s4 = t.value.s4;
    lanes.replaceChildren(
      ...parts.value.map((part, thread) => {
        const mine = done.filter((a) => a.thread === thread);
        const last = mine.at(-1);
        const wrote = last?.won === true;
        const upcoming = attempts.value.filter((a) => a.thread === thread);
        const base = wrote ? last.old : last ? last.found : 0;
        const next = bitsOf(Math.fround(floatOf(base) + part.val));
        const status = wrote
          ? one?.thread === thread
            ? s4.states.wrote
            : s4.states.done
          : last
            ? s4.states.again
            : s4.states.waiting;
        return h(
          "tr",
          { class: one?.thread === thread ? "at" : "" },
          h("th", { scope: "row" }, `thread ${thread}`),
          h("td", { class: "num pos" }, `s = ${part.s}`),
          h("td", { class: "num val" }, h("code", dec(part.val))),
          h("td", { class: "num old" }, h("code", hex(base))),
          h("td", { class: "num new" }, h("code", `→ ${hex(next)}`)),
          h(
            "td",
            { class: "tries" },
            upcoming.map((a, i) => {
              const happened = i < mine.length;
              return h("i", { class: `dot ${happened ? (a.won ? "w" : "f") : "q"}${a === one ? " cur" : ""}` });
            }),
            h(
              "span",
              { class: "sr" },
              `${mine.filter((a) => !a.won).length} × ${s4.retried}${wrote ? `, ${s4.wrote}` : ""}`,
            ),
          ),
          h("td", { class: "status" }, status),
        );
      }),
    );
  });
  const ticks = h("span", { class: "ticks", "aria-hidden": "true" });
  watch(() => {
    const [failed, all] = [fails.value, allFails()];
    ticks.replaceChildren(...Array.from({ length: all }, (_, i) => h("i", { class: i < failed ? "f" : "" })));
  });

  figure(
    container,
    state,
    {
      id: "stepper",
      title: () => t.value.s4.stage,
      name: () => t.value.s4.stage,
      data: () => ({
        columns: [
          { key: "step", label: t.value.s4.step, numeric: true },
          { key: "thread", label: "thread", numeric: true },
          { key: "val", label: "val", numeric: true },
          { key: "old_bits", label: "old_bits" },
          { key: "new_bits", label: "new_bits" },
          { key: "cell", label: t.value.s4.inCell },
          { key: "result", label: t.value.s4.result },
        ],
        rows: attempts.value.map((a, i) => [
          i + 1,
          a.thread,
          parts.value[a.thread]?.val ?? 0,
          hex(a.old),
          hex(a.next),
          `${hex(a.after)} = ${num(a.after)}`,
          a.won ? t.value.s4.yes : t.value.s4.no,
        ]),
      }),
    },
    controls,
    h(
      "div",
      { class: "now" },
      h(
        "div",
        h("p", { class: "told", id: "told", "aria-live": "polite" }, told),
        h(
          "dl",
          { class: "words" },
          word(() => t.value.s4.inCell, inCell, believed),
          word(() => t.value.s4.expected(actor()), believed, inCell),
        ),
        h("p", { class: "note" }, () => rich(t.value.s4.bitsNote)),
      ),
      code,
    ),
    h(
      "table",
      { class: "lanes", id: "lanes" },
      h("caption", { class: "sr" }, () => t.value.s4.lanes),
      h(
        "thead",
        h(
          "tr",
          ...[
            "thread",
            () => t.value.s4.position,
            "val",
            "old_bits",
            "new_bits",
            () => t.value.s4.attempt,
            () => t.value.s4.state,
          ].map((label, i) => h("th", { class: i > 0 && i < 5 ? "num" : "", scope: "col" }, label)),
        ),
      ),
      lanes,
    ),
    h(
      "div",
      { class: "count" },
      h(
        "span",
        { id: "fail-count" },
        () => t.value.s4.failures,
        " ",
        h("strong", () => String(fails.value)),
        () => ` / ${allFails()}`,
      ),
      ticks,
      h(
        "span",
        { class: "keys" },
        h("span", h("i", { class: "dot w" }), " ", () => t.value.s4.wrote),
        h("span", h("i", { class: "dot f" }), " ", () => t.value.s4.retried),
      ),
    ),
    h("p", { class: "note" }, () => {
      const place = state.chosen.value;
      return place
        ? t.value.s4.valuesFrom(spoken(state, place.id, state.tokens.value?.pieces[place.s] ?? ""), String(place.d))
        : undefined;
    }),
  );
  contention(container, state);
  question(
    container,
    () => rich(t.value.s4.ask),
    () => rich(t.value.s4.answer),
    () => t.value.question,
  );
}

/** k positions on one row, k = 2 … 10: failed exchanges per cell by the GPU's own counter. */
function contention(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  const job = createJob();
  const measure = () =>
    job.start(async (control) => {
      const engine = state.engine.peek();
      if (!engine) return;
      const points: { k: number; perCell: number }[] = [];
      const id = untracked(() => state.chosen.value?.id ?? 0) % state.vocabSize.peek();
      for (let k = 2; k <= 10 && !control.stopped(); k++) {
        control.tell(k - 2, 9, `k = ${k}`);
        const upstream = Float32Array.from({ length: k * D }, (_, i) => bell(state.seed.peek(), i) || 1);
        let failed = 0;
        const rounds = 3;
        const results = await Promise.all(
          Array.from({ length: rounds }, () => engine.gradient(new Uint32Array(k).fill(id), upstream, "counted")),
        );
        for (const result of results) failed += result.retries?.[0] ?? 0;
        points.push({ k, perCell: failed / rounds / D });
      }
      if (!control.stopped()) state.contention.value = points;
    });
  const at10 = () => state.contention.value?.find((point) => point.k === 10)?.perCell;
  const small = (value: number | undefined) =>
    value === undefined ? "–" : fixed(lang.value, value, value < 0.1 && value > 0 ? 3 : 1);
  figure(
    container,
    state,
    {
      id: "contention",
      title: () => [t.value.s4.measure, " ", h("small", t.value.s4.measureSub)],
      name: () => t.value.s4.measure,
      isTable: true,
      data: () => ({
        columns: [
          { key: "k", label: "k", numeric: true },
          { key: "document", label: t.value.s4.document, numeric: true },
          { key: "lockstep", label: t.value.s4.lockstep, numeric: true },
          { key: "measured", label: t.value.s4.measured, numeric: true },
        ],
        rows: Array.from({ length: 9 }, (_, i) => {
          const k = i + 2;
          return [k, k * k, (k * (k - 1)) / 2, state.contention.value?.find((point) => point.k === k)?.perCell ?? ""];
        }),
      }),
    },
    h(
      "div",
      { class: "bar" },
      jobButton(job, {
        id: "measure-contention",
        go: () => (state.contention.value ? t.value.s4.measureAgain : t.value.s4.measureGo),
        stop: () => t.value.s5.stop,
        ready: () => state.phase.value === "ready",
        act: measure,
      }),
      h("p", { class: "head-label" }, () => t.value.s4.measureSay),
    ),
    jobProgress(job, "contention-progress"),
    h(
      "table",
      { class: "kay", id: "contention-table" },
      h("caption", { class: "sr" }, () => t.value.s4.measure),
      h(
        "thead",
        h(
          "tr",
          h("th", { scope: "col" }, "k"),
          h("td", { class: "mh" }),
          h("th", { class: "num", scope: "col" }, () => t.value.s4.document),
          h("th", { class: "num", scope: "col" }, () => t.value.s4.lockstep),
          h("th", { class: "num", scope: "col" }, () => t.value.s4.measured),
        ),
      ),
      h(
        "tbody",
        Array.from({ length: 9 }, (_, i) => i + 2).map((k) => {
          const mine = () => state.contention.value?.find((point) => point.k === k)?.perCell;
          return h(
            "tr",
            h("th", { scope: "row" }, k),
            h(
              "td",
              { class: "mh" },
              h(
                "span",
                {
                  class: "bullet",
                  css: { "--p": () => Math.min(100, mine() ?? 0), "--q": (k * (k - 1)) / 2, "--r": k * k },
                },
                h("i"),
                h("b"),
              ),
            ),
            h("td", { class: "num muted" }, count("tr", k * k)),
            h("td", { class: "num" }, (k * (k - 1)) / 2),
            h("td", { class: "num strong" }, () => small(mine())),
          );
        }),
      ),
    ),
    h("p", { class: "note", id: "contention-note" }, () => {
      if (at10() === undefined) return t.value.s4.notYet;
      return state.device.value?.backend === "cpu"
        ? t.value.s4.measuredCpu
        : state.device.value?.adapter?.software && (at10() ?? 0) < 5
          ? t.value.s4.measuredFew(small(at10()))
          : t.value.s4.measuredNote(small(at10()));
    }),
  );
}
