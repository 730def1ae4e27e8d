// Section 6: what each kernel takes on this device as N grows, beside the floor that writing alone sets; and when retries hurt.
import { computed } from "@preact/signals-core";
import { h, icon, near, rich, svg, watch, widthOf } from "../dom";
import { drawPlot, type Series } from "../draw/plot";
import { count, duration, fixed, megabytes } from "../format";
import { createJob } from "../job";
import type { Measure } from "../measure/speed";
import type { TimedKernel } from "../pkg/gomme.js";
import { zipf } from "../random";
import { pause } from "../schedule";
import { D, type State } from "../state";
import { figure, question } from "./figure";
import { jobButton, jobProgress } from "./job";
import { sectionHead } from "./section";

const SHOWN = ["embed_lookup", "fast", "embed_backward", "sorted"] as const;
const HARDWARE = [512, 2048, 8192, 65_536, 262_144];
const SOFTWARE = [128, 512, 2048, 8192];
/** The CPU twin computes on the page's own thread. */
const TWIN = [128, 512, 2048];
const SKEWS = [0, 0.5, 1, 1.5];

/** Lengths that a sweep measures: what this device does in a few seconds. */
function lengthsFor(state: State): readonly number[] {
  const device = state.device.value;
  if (device?.backend === "cpu") return TWIN;
  return device?.adapter?.software === false ? HARDWARE : SOFTWARE;
}

export function speedView(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  sectionHead(container, state, {
    n: 6,
    title: () => t.value.s6.title,
    say: () => t.value.s6.say,
    formula: () => t.value.s6.formula,
  });
  const c = (value: number) => count(lang.value, value);
  const warning = h(
    "p",
    { class: "warnline", id: "software-note" },
    icon("warn"),
    h("span", () => (state.device.value?.backend === "cpu" ? t.value.s6.cpu : t.value.s6.software)),
  );
  watch(() => {
    const device = state.device.value;
    warning.hidden = !device || (device.backend === "gpu" && device.adapter?.software === false);
  });
  container.append(warning);

  const lengths = computed(() => lengthsFor(state));
  const at = computed(() => {
    const wish = state.length.value;
    return lengths.value.reduce(
      (best, n) => (Math.abs(Math.log(n / wish)) < Math.abs(Math.log(best / wish)) ? n : best),
      lengths.value[0] ?? 512,
    );
  });
  const job = createJob();
  const name = (kernel: TimedKernel) => t.value.s6.kernels[kernel as keyof typeof t.value.s6.kernels] ?? kernel;

  const sweep = () =>
    job.start(async (control) => {
      const skew = state.skew.peek();
      const device = state.device.peek();
      const withTable = state.vectors.peek() === "ready";
      const kernels = (["write_only", ...SHOWN] as TimedKernel[]).filter(
        (kernel) => (withTable || !["embed_lookup", "fast"].includes(kernel)) && device?.kernels.includes(kernel),
      );
      const times = new Map<TimedKernel, Map<number, Measure>>();
      const all = kernels.length * lengths.peek().length;
      let done = 0;
      state.sweep.value = undefined;
      for (const n of lengths.peek()) {
        await pause();
        const tokens = await zipf(n, state.vocabSize.peek(), skew, state.seed.peek());
        for (const kernel of kernels) {
          if (control.stopped()) return;
          control.tell(done++, all, t.peek().s6.progress(name(kernel), c(n), c(done), c(all)));
          await pause();
          const measure = await state.engine.peek()?.time(kernel, tokens);
          if (!measure) continue;
          const of = times.get(kernel) ?? new Map<number, Measure>();
          of.set(n, measure);
          times.set(kernel, of);
          if (!control.stopped())
            state.sweep.value = {
              skew,
              lengths: lengths.peek(),
              times: new Map(times),
              dropped: { hidden: 0, clock: 0 },
            };
        }
      }
    });

  // ---- dials
  const nInput = h("input", {
    id: "speed-n",
    type: "range",
    min: 0,
    step: 1,
    oninput: () => {
      state.length.value = lengths.value[Number(nInput.value)] ?? 512;
    },
  });
  watch(() => {
    nInput.max = String(lengths.value.length - 1);
    nInput.value = String(lengths.value.indexOf(at.value));
    nInput.setAttribute("aria-valuetext", c(at.value));
  });
  const skewInput = h("input", {
    id: "speed-skew",
    type: "range",
    min: 0,
    max: 1.5,
    step: 0.1,
    oninput: () => {
      state.skew.value = Number(skewInput.value);
    },
  });
  watch(() => {
    skewInput.value = String(state.skew.value);
  });
  const dials = h(
    "div",
    { class: "dials", role: "group", "aria-label": () => t.value.s6.dials },
    h(
      "label",
      { class: "range" },
      h("span", () => t.value.s6.n),
      h("output", () => c(at.value)),
      nInput,
    ),
    h(
      "label",
      { class: "range" },
      h("span", () => t.value.s6.skew),
      h("output", () => fixed(lang.value, state.skew.value, 1)),
      skewInput,
    ),
    jobButton(job, {
      id: "speed-go",
      go: () => t.value.s6.go,
      stop: () => t.value.s6.stop,
      ready: () => state.phase.value === "ready",
      act: sweep,
    }),
  );

  // ---- chart
  const plot = svg("svg", { class: "plot", id: "plot", role: "img", "aria-label": () => t.value.s6.chartLabel });
  const holder = h("div", plot);
  const width = widthOf(holder);
  const seen = near(holder);
  const series = computed((): Series[] => {
    const now = state.sweep.value;
    if (!now) return [];
    const of = (kernel: TimedKernel) =>
      [...(now.times.get(kernel) ?? [])]
        .map(([x, measure]) => ({ x, y: measure.microseconds }))
        .filter((point) => point.y > 0);
    return [
      ...SHOWN.map((kernel, i) => ({ name: name(kernel), style: `k${i}`, points: of(kernel) })),
      { name: t.value.s6.floor, style: "", points: of("write_only"), floor: true },
    ];
  });
  watch(() => {
    const list = series.value;
    const wide = width.value;
    if (!seen.value || wide === 0) return;
    plot.setAttribute("class", list.length ? "plot" : "plot none");
    if (list.length === 0) return;
    drawPlot(plot, list, {
      width: wide,
      height: wide < 520 ? 300 : 350,
      ticks: lengths.value,
      at: at.value,
      xText: c,
      yText: (us) =>
        us >= 1000
          ? `${us >= 1e6 ? `${c(us / 1e6)} s` : `${c(us / 1000)} ms`}`
          : `${us < 1 ? fixed(lang.value, us, 1) : c(us)} µs`,
      xName: t.value.s6.xAxis,
    });
  });

  const line = (kernel: TimedKernel, n: number) => {
    const measure = state.sweep.value?.times.get(kernel)?.get(n);
    const floor = state.sweep.value?.times.get("write_only")?.get(n);
    return {
      measure,
      ratio: measure && floor && floor.microseconds > 0 ? measure.microseconds / floor.microseconds : undefined,
    };
  };
  const cells = (kernel: TimedKernel): [string, string][] => {
    const { measure, ratio } = line(kernel, at.value);
    const s6 = t.value.s6;
    const counted = kernel === "embed_backward" || kernel === "sorted";
    return [
      [s6.time, measure ? duration(lang.value, measure.microseconds) : "–"],
      [s6.bytes, measure ? megabytes(lang.value, measure.bytes) : "–"],
      [
        s6.rate,
        measure
          ? fixed(
              lang.value,
              measure.bytes / measure.microseconds / 1e3,
              measure.bytes / measure.microseconds > 1e5 ? 0 : 1,
            )
          : "–",
      ],
      [s6.ratio, ratio ? `${fixed(lang.value, ratio, 1)} ×` : "–"],
      [s6.retries, measure && counted ? c(measure.retries ?? 0) : "–"],
    ];
  };
  const body = h("tbody", { role: "rowgroup" });
  watch(() => {
    body.replaceChildren(
      ...([...SHOWN, "write_only"] as TimedKernel[]).map((kernel, i) =>
        h(
          "tr",
          { role: "row" },
          h("th", { scope: "row", role: "rowheader" }, h("i", { class: `tick k${i}` }), name(kernel)),
          cells(kernel).map(([label, value]) =>
            h("td", { class: "num", role: "cell", "data-l": label }, h("span", value)),
          ),
        ),
      ),
    );
  });
  const verdict = () => {
    const cas = line("embed_backward", at.value).measure?.microseconds;
    const sorted = line("sorted", at.value).measure?.microseconds;
    if (!cas || !sorted) return undefined;
    const ratio = cas / sorted;
    const say = (value: number) => fixed(lang.value, value, value < 10 ? 1 : 0);
    return ratio >= 1
      ? t.value.s6.verdict(say(ratio), c(at.value))
      : t.value.s6.verdictFast(say(1 / ratio), c(at.value));
  };
  const empty = () => !state.sweep.value;
  figure(
    container,
    state,
    {
      id: "speed",
      title: () => {
        const adapter = state.device.value?.adapter;
        return [
          t.value.s6.chart,
          " ",
          h(
            "small",
            adapter
              ? adapter.name || (adapter.software ? t.value.badge.software("") : t.value.badge.gpu)
              : state.device.value?.backend === "cpu"
                ? t.value.badge.cpu
                : "",
          ),
        ];
      },
      name: () => t.value.s6.chart,
      isTable: true,
      data: () => ({
        columns: [
          { key: "kernel", label: t.value.s6.kernel },
          { key: "n", label: "N", numeric: true },
          { key: "skew", label: t.value.s6.skew, numeric: true },
          { key: "microseconds", label: "µs", numeric: true },
          { key: "bytes", label: t.value.s6.bytes, numeric: true },
          { key: "used_rows", label: "U", numeric: true },
          { key: "retries", label: t.value.s6.retries, numeric: true },
          { key: "clock", label: "" },
        ],
        rows: [...(state.sweep.value?.times ?? [])].flatMap(([kernel, of]) =>
          [...of].map(([n, m]) => [
            kernel,
            n,
            state.sweep.value?.skew ?? 0,
            m.microseconds,
            m.bytes,
            m.usedRows,
            m.retries ?? "",
            m.clock,
          ]),
        ),
      }),
    },
    dials,
    h("p", { class: "note hint" }, () => t.value.s6.skewHint),
    jobProgress(job, "speed-progress"),
    h("p", { class: "waiting", hidden: () => !empty() }, () => t.value.s6.none),
    h("div", { hidden: empty }, holder),
    h("p", { class: "verdict", id: "verdict" }, () => rich(verdict() ?? "")),
    h(
      "table",
      { class: "stack", id: "speed-table", hidden: empty, role: "table", "aria-label": () => t.value.s6.chart },
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          h("th", { scope: "col", role: "columnheader" }, () => `${t.value.s6.kernel}, N = ${c(at.value)}`),
          (["time", "bytes", "rate", "ratio", "retries"] as const).map((key) =>
            h("th", { class: "num", scope: "col", role: "columnheader" }, () => t.value.s6[key]),
          ),
        ),
      ),
      body,
    ),
    h("p", { class: "note" }, () => {
      const some = state.sweep.value?.times.values().next().value?.values().next().value;
      return some ? t.value.s6.method(t.value.s6.clock[some.clock]) : undefined;
    }),
  );
  const two = h("div", { class: "two" });
  container.append(two);
  grow(two, state);
  hurt(two, state, () => at.value);
  question(
    container,
    () => rich(t.value.s6.ask),
    () => rich(t.value.s6.answer),
    () => t.value.question,
  );
}

/** Retries of the last sweep, by length. */
function grow(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  const points = () =>
    [...(state.sweep.value?.times.get("embed_backward") ?? [])].map(([n, measure]) => ({
      n,
      retries: measure.retries ?? 0,
      measure,
    }));
  const body = h("tbody");
  watch(() => {
    const most = Math.max(1, ...points().map((point) => point.retries / point.n));
    body.replaceChildren(
      ...points().map((point) =>
        h(
          "tr",
          h("th", { scope: "row" }, count(lang.value, point.n)),
          h(
            "td",
            { class: "mh" },
            h("span", {
              class: "meter",
              css: { "--p": (100 * point.retries) / point.n / most, "--bar": "var(--count-4)" },
            }),
          ),
          h("td", { class: "num" }, count(lang.value, point.retries)),
          h("td", { class: "num" }, fixed(lang.value, point.retries / (point.n * D), 2)),
        ),
      ),
    );
  });
  figure(
    container,
    state,
    {
      id: "grow",
      title: () => t.value.s6.grow,
      name: () => t.value.s6.grow,
      isTable: true,
      data: () => ({
        columns: [
          { key: "n", label: "N", numeric: true },
          { key: "retries", label: t.value.s6.retries, numeric: true },
          { key: "additions", label: t.value.s3.add, numeric: true },
          { key: "microseconds", label: "µs", numeric: true },
        ],
        rows: points().map((point) => [point.n, point.retries, point.n * D, point.measure.microseconds]),
      }),
    },
    h("p", { class: "note", hidden: () => points().length > 0 }, () => t.value.s6.growNone),
    h(
      "table",
      { class: "growth", id: "grow-table", hidden: () => points().length === 0 },
      h("caption", { class: "sr" }, () => t.value.s6.grow),
      h(
        "thead",
        h(
          "tr",
          h("th", { scope: "col" }, "N"),
          h("td", { class: "mh" }),
          h("th", { class: "num", scope: "col" }, () => t.value.s6.retries),
          h("th", { class: "num", scope: "col" }, () => t.value.s6.perAdd),
        ),
      ),
      body,
    ),
  );
}

/** CAS at one length while the word frequencies go from flat to skewed. */
function hurt(container: HTMLElement, state: State, at: () => number): void {
  const { t, lang } = state;
  const c = (value: number) => count(lang.value, value);
  const job = createJob();
  const sweep = () =>
    job.start(async (control) => {
      const n = at();
      state.skewSweep.value = undefined;
      const points: { skew: number; most: number; measure: Measure }[] = [];
      for (const [i, skew] of SKEWS.entries()) {
        if (control.stopped()) return;
        control.tell(
          i,
          SKEWS.length,
          t.peek().s6.progress(t.peek().s6.kernels.embed_backward, c(n), c(i + 1), c(SKEWS.length)),
        );
        await pause();
        const tokens = await zipf(n, state.vocabSize.peek(), skew, state.seed.peek());
        const hits = new Map<number, number>();
        for (const id of tokens) hits.set(id, (hits.get(id) ?? 0) + 1);
        const measure = await state.engine.peek()?.time("embed_backward", tokens);
        if (!measure || control.stopped()) return;
        points.push({ skew, most: Math.max(...hits.values()), measure });
        state.skewSweep.value = { n, points: points.slice(), dropped: { hidden: 0, clock: 0 } };
      }
    });
  const points = () => state.skewSweep.value?.points ?? [];
  const body = h("tbody", { role: "rowgroup" });
  watch(() => {
    const most = Math.max(1, ...points().map((point) => point.measure.microseconds));
    const s6 = t.value.s6;
    body.replaceChildren(
      ...points().map((point) =>
        h(
          "tr",
          { role: "row" },
          h("th", { scope: "row", role: "rowheader" }, fixed(lang.value, point.skew, 1)),
          h(
            "td",
            { class: "mh", role: "cell" },
            h("span", {
              class: "meter",
              css: { "--p": (100 * point.measure.microseconds) / most, "--bar": "var(--value-7)" },
            }),
          ),
          ...(
            [
              [s6.time, duration(lang.value, point.measure.microseconds)],
              [s6.hurtHits, c(point.most)],
              [s6.retries, c(point.measure.retries ?? 0)],
              [s6.perAdd, fixed(lang.value, (point.measure.retries ?? 0) / ((state.skewSweep.value?.n ?? 1) * D), 2)],
            ] as const
          ).map(([label, value]) => h("td", { class: "num", role: "cell", "data-l": label }, h("span", value))),
        ),
      ),
    );
  });
  figure(
    container,
    state,
    {
      id: "hurt",
      title: () => [t.value.s6.hurt, " ", h("small", t.value.s6.hurtSub(c(state.skewSweep.value?.n ?? at())))],
      name: () => t.value.s6.hurt,
      isTable: true,
      data: () => ({
        columns: [
          { key: "skew", label: t.value.s6.hurtSkew, numeric: true },
          { key: "microseconds", label: "µs", numeric: true },
          { key: "most_hits", label: t.value.s6.hurtHits, numeric: true },
          { key: "retries", label: t.value.s6.retries, numeric: true },
        ],
        rows: points().map((point) => [
          point.skew,
          point.measure.microseconds,
          point.most,
          point.measure.retries ?? "",
        ]),
      }),
    },
    h(
      "div",
      { class: "bar" },
      jobButton(job, {
        id: "hurt-go",
        go: () => t.value.s6.hurtGo,
        stop: () => t.value.s6.stop,
        ready: () => state.phase.value === "ready",
        act: sweep,
      }),
      h("p", { class: "head-label" }, () => (points().length ? "" : t.value.s6.hurtNone)),
    ),
    jobProgress(job, "hurt-progress"),
    h(
      "table",
      {
        class: "stack hurt",
        id: "hurt-table",
        hidden: () => points().length === 0,
        role: "table",
        "aria-label": () => t.value.s6.hurt,
      },
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          h("th", { scope: "col", role: "columnheader" }, () => t.value.s6.hurtSkew),
          h("td", { class: "mh" }),
          (["time", "hurtHits", "retries", "perAdd"] as const).map((key) =>
            h("th", { class: "num", scope: "col", role: "columnheader" }, () => t.value.s6[key]),
          ),
        ),
      ),
      body,
    ),
    h("p", { class: "note" }, () => {
      const [first, last] = [points()[0], points().at(-1)];
      if (!first || !last || points().length < SKEWS.length) return undefined;
      return t.value.s6.hurtNote(
        duration(lang.value, first.measure.microseconds),
        duration(lang.value, last.measure.microseconds),
      );
    }),
  );
}
