// Section 6: how long each kernel takes on this device as N grows, compared with writing alone; and when retries hurt.
import { computed, type ReadonlySignal } from "@preact/signals-core";
import { h, type Kid, near, rich, svg, watch, widthOf } from "../dom";
import { drawPlot, legendOf, type Series } from "../draw/plot";
import { count, duration, fixed, megabytes } from "../format";
import type { Job } from "../job";
import { type Lesson, lessonOf } from "../lesson";
import {
  lengthsFor,
  type Measure,
  measureSpeed,
  SPEED_KERNELS,
  type SpeedKernel,
  type Sweep,
  sweepOf,
} from "../measure/speed";
import { floorOutcome, growthOutcome, paceOutcome } from "../models/outcomes";
import type { TimedKernel } from "../pkg/gomme.js";
import { type Recording, sourceOf } from "../record/recording";
import { D, type State } from "../state";
import { type Column, notice, slider, table, tableData } from "../ui";
import { figure, question } from "./figure";
import { growthOf, growthView, pointsOf } from "./growth";
import { jobButton, jobOf, jobProgress } from "./job";
import { recordedBar, recordedTimes, shownSkew } from "./recorded";
import { sectionHead } from "./section";
import { droppedNote, skewView } from "./skew";

export function speedView(container: HTMLElement, state: State): void {
  const lesson = lessonOf(state);
  const { t } = lesson;
  sectionHead(container, {
    n: 6,
    title: () => t.value.s6.title,
    say: () => t.value.s6.say,
    formula: () => t.value.s6.formula,
  });
  container.append(
    notice({
      id: "software-note",
      kind: "warning",
      text: () => {
        if (!state.device.value || lesson.hardware.value) return undefined;
        return rich(lesson.backend.value === "cpu" ? t.value.s6.cpu : t.value.s6.software);
      },
    }),
    h("div", recordedBar(state, lesson, "recorded-6")),
  );
  const lengths = computed(() => lengthsFor(state.device.value?.backend, state.device.value?.adapter?.software));
  const at = computed(() => nearest(lengths.value, state.length.value));
  sweepView(container, state, lesson, lengths, at);
  const two = h("div", { class: "two" });
  container.append(two);
  growthView(two, state, lesson);
  skewView(two, state, lesson, at);
  question(
    container,
    () => rich(t.value.s6.ask),
    () => answer(state, lesson, at.value),
    () => state.t.value.question,
  );
}

/** The length nearest to `wish` by ratio. */
function nearest(lengths: readonly number[], wish: number): number {
  const away = (n: number) => Math.abs(Math.log(n / wish));
  return lengths.reduce((best, n) => (away(n) < away(best) ? n : best), lengths[0] ?? wish);
}

// ---- the sweep over N

function sweepView(
  container: HTMLElement,
  state: State,
  lesson: Lesson,
  lengths: ReadonlySignal<readonly number[]>,
  at: ReadonlySignal<number>,
): void {
  const { t } = lesson;
  const job = jobOf(state);
  const empty = () => !state.sweep.value;
  const columns = timeColumns(state, lesson, at);
  figure(
    container,
    state,
    {
      id: "speed",
      title: () => [t.value.s6.chart, " ", h("small", whereMeasured(state, lesson))],
      name: () => t.value.s6.chart,
      isTable: true,
      empty: () => empty() && lesson.recorded.shown.value === undefined,
      data: () => tableData(fileColumns(lesson), fileRows(state.sweep.value, lesson.recorded.shown.value)),
    },
    dials(state, lesson, job, lengths, at),
    h("p", { class: "note hint" }, () => t.value.s6.skewHint),
    jobProgress(job, "speed-progress", () => t.value.later.queued),
    h("p", { class: "waiting", hidden: () => !empty() }, () => t.value.s6.none),
    notice({ id: "speed-stale", kind: "note", text: () => staleNote(state, lesson) }),
    notice({ id: "speed-recorded", kind: "note", text: () => otherSkew(state, lesson) }),
    notice({ id: "speed-dropped", kind: "warning", text: () => droppedNote(lesson, state.sweep.value?.dropped) }),
    plotView(state, lesson, lengths, at),
    h("p", { class: "verdict", id: "verdict" }, () => rich(verdicts(state, lesson, at.value).join(" "))),
    (): Kid =>
      table(state.lang, {
        id: "speed-table",
        class: "stack",
        caption: () => t.value.s6.chart,
        columns: columns(),
        rows: () => SPEED_KERNELS,
        hidden: empty,
      }),
    h("p", { class: "note" }, () => {
      const some = state.sweep.value?.times.values().next().value?.values().next().value;
      return some ? rich(t.value.s6.method(t.value.s6.clock[some.clock])) : undefined;
    }),
  );
}

function runSweep(state: State, { t }: Lesson, job: Job, lengths: readonly number[]): Promise<void> {
  return job.start(async (control) => {
    const engine = state.engine.value;
    if (!engine) return;
    const withTable = state.vectors.peek() === "ready";
    const there = state.device.peek()?.kernels;
    const kernels = SPEED_KERNELS.filter(
      (kernel) => (withTable || !["embed_lookup", "fast"].includes(kernel)) && there?.includes(kernel),
    );
    state.sweep.value = undefined;
    const options = {
      lengths,
      kernels,
      vocabulary: state.vocabSize.peek(),
      skew: state.skew.peek(),
      seed: state.seed.peek(),
    };
    const c = (value: number) => count(state.lang.peek(), value);
    const tell = (done: number, total: number, kernel: TimedKernel, n: number) => {
      const { s6 } = t.peek();
      control.tell(done, total, s6.progress(s6.kernels[kernel as SpeedKernel], c(n), c(done + 1), c(total)));
    };
    await measureSpeed(engine.time, options, { stopped: control.stopped, tell }, (sweep) => {
      state.sweep.value = sweep;
    });
  });
}

function whereMeasured(state: State, { t }: Lesson): string {
  const device = state.device.value;
  const { badge } = state.t.value;
  const adapter = device?.adapter;
  const name = adapter ? adapter.name || (adapter.software ? badge.software("") : badge.gpu) : device ? badge.cpu : "";
  const sweep = state.sweep.value;
  return [name, sweep && t.value.s6.chartAt(fixed(state.lang.value, sweep.skew, 1))].filter(Boolean).join(", ");
}

/** The slider has moved on since these were measured. */
function staleNote(state: State, { t }: Lesson): string | undefined {
  const sweep = state.sweep.value;
  if (!sweep || sweep.skew === state.skew.value) return undefined;
  const f = (value: number) => fixed(state.lang.value, value, 1);
  return t.value.s6.stale(f(sweep.skew), f(state.skew.value));
}

/** The recording was made at one skew; it is not drawn beside another. */
function otherSkew(state: State, lesson: Lesson): string | undefined {
  const recording = lesson.recorded.shown.value;
  if (!recording || recordedTimes(state, lesson)) return undefined;
  const f = (value: number) => fixed(state.lang.value, value, 1);
  return lesson.t.value.recorded.otherSkew(f(recording.speed.skew), f(shownSkew(state)));
}

function dials(
  state: State,
  lesson: Lesson,
  job: Job,
  lengths: ReadonlySignal<readonly number[]>,
  at: ReadonlySignal<number>,
): HTMLElement {
  const { t } = lesson;
  return h(
    "div",
    { class: "dials", role: "group", "aria-label": () => t.value.s6.dials },
    slider({
      id: "speed-n",
      label: () => t.value.s6.n,
      min: 0,
      max: () => lengths.value.length - 1,
      value: () => lengths.value.indexOf(at.value),
      set: (i) => {
        state.length.value = lengths.value[i] ?? state.length.value;
      },
      text: () => count(state.lang.value, at.value),
    }),
    slider({
      id: "speed-skew",
      label: () => t.value.s6.skew,
      min: 0,
      max: 1.5,
      step: 0.1,
      value: () => state.skew.value,
      set: (skew) => {
        state.skew.value = skew;
      },
      text: () => fixed(state.lang.value, state.skew.value, 1),
    }),
    jobButton(job, {
      id: "speed-go",
      go: () => t.value.s6.go,
      stop: () => t.value.s6.stop,
      ready: () => state.phase.value === "ready",
      act: () => void runSweep(state, lesson, job, lengths.peek()),
    }),
  );
}

// ---- chart

const STYLES: { readonly [kernel in SpeedKernel]: string } = {
  embed_lookup: "k0",
  fast: "k1",
  embed_backward: "k2",
  sorted: "k3",
  write_only: "k4",
};

function seriesOf(state: State, lesson: Lesson): Series[] {
  const { t } = lesson;
  const sweep = state.sweep.value;
  const recording = recordedTimes(state, lesson);
  const { s6 } = t.value;
  const mine = SPEED_KERNELS.map((kernel) => ({
    name: s6.kernels[kernel],
    style: STYLES[kernel],
    points: [...(sweep?.times.get(kernel) ?? [])].map(([x, measure]) => ({ x, y: measure.microseconds })),
    floor: kernel === "write_only",
  }));
  const theirs = (["embed_backward", "sorted"] as const).map((kernel) => ({
    name: `${s6.kernels[kernel]}, ${t.value.recorded.column}`,
    style: STYLES[kernel],
    recorded: true,
    points: (recording?.speed.times ?? [])
      .filter((one) => one.kernel === kernel)
      .map((one) => ({ x: one.n, y: one.microseconds })),
  }));
  return recording ? [...mine, ...theirs] : mine;
}

function plotView(
  state: State,
  lesson: Lesson,
  lengths: ReadonlySignal<readonly number[]>,
  at: ReadonlySignal<number>,
): HTMLElement {
  const { t } = lesson;
  const recording = () => recordedTimes(state, lesson);
  const plot = svg("svg", { id: "plot", role: "img", "aria-label": () => t.value.s6.chartLabel });
  const holder = h("div", plot);
  const width = widthOf(holder);
  const seen = near(holder);
  const series = computed(() => seriesOf(state, lesson));
  const empty = () => series.value.every((one) => one.points.length === 0);
  const c = (value: number) => count(state.lang.value, value);
  const ticks = () =>
    [...new Set([...lengths.value, ...(recording()?.speed.times.map((one) => one.n) ?? [])])].sort((a, b) => a - b);
  watch(() => {
    const list = series.value;
    plot.setAttribute("class", staleNote(state, lesson) ? "plot stale" : "plot");
    if (!seen.value || width.value === 0 || empty()) return;
    drawPlot(plot, list, {
      width: width.value,
      height: width.value < 520 ? 300 : 350,
      ticks: ticks(),
      at: at.value,
      xText: c,
      yText: (us) => duration(state.lang.value, us).replace(/[,.]0+(?=\s)/, ""),
      xName: t.value.s6.xAxis,
      // Beside a recording, lines end in two places.
      names: recording() === undefined,
    });
  });
  return h(
    "div",
    { hidden: empty },
    holder,
    h("p", { class: () => (recording() ? "plot-legend" : "plot-legend narrow") }, () => legendOf(series.value)),
  );
}

// ---- what it says

const measured = (sweep: Sweep | undefined, kernel: TimedKernel, n: number): Measure | undefined =>
  sweep?.times.get(kernel)?.get(n);

/** How many times as long as another kernel one took. */
function ratioOf(sweep: Sweep | undefined, kernel: TimedKernel, beside: TimedKernel, n: number): number | undefined {
  const [a, b] = [measured(sweep, kernel, n), measured(sweep, beside, n)];
  return a && b ? a.microseconds / b.microseconds : undefined;
}

const times = (state: State, ratio: number) => {
  const whole = Math.max(ratio, 1 / ratio);
  return fixed(state.lang.value, whole, whole < 10 ? 1 : 0);
};

export function casVerdict(state: State, { t }: Lesson, sweep: Sweep | undefined, n: number): string[] {
  const ratio = ratioOf(sweep, "embed_backward", "sorted", n);
  if (!sweep || ratio === undefined) return [];
  const { s6 } = t.value;
  const c = (value: number) => count(state.lang.value, value);
  const said = s6.casSays[paceOutcome(ratio)](times(state, ratio), c(n), fixed(state.lang.value, sweep.skew, 1));
  const retries = measured(sweep, "embed_backward", n)?.retries;
  return retries === undefined ? [said] : [said, s6.retriesSay(c(retries), c(n * D))];
}

function verdicts(state: State, lesson: Lesson, n: number): string[] {
  const sweep = state.sweep.value;
  const { s6 } = lesson.t.value;
  const floor = ratioOf(sweep, "sorted", "write_only", n);
  const fast = ratioOf(sweep, "embed_lookup", "fast", n);
  return [
    ...casVerdict(state, lesson, sweep, n),
    ...(floor === undefined ? [] : [s6.floorSays[floorOutcome(floor)](fixed(state.lang.value, floor, 1))]),
    ...(fast === undefined ? [] : [s6.fastSays[paceOutcome(fast)](times(state, fast))]),
  ];
}

/** The answer to the section's question: what was measured here, and on the recorded card at its longest. */
function answer(state: State, lesson: Lesson, at: number): Kid {
  const { s6 } = lesson.t.value;
  const { sweep } = state;
  const says = (one: Sweep, n: number) => {
    const growth = growthOf(state, lesson, growthOutcome(pointsOf(one)));
    return [...casVerdict(state, lesson, one, n), growth].join(" ");
  };
  const recording = lesson.recorded.shown.value;
  const theirs = recording && sweepOf(recording.speed);
  const longest = Math.max(...(theirs?.lengths ?? [0]));
  return [
    h("span", rich(sweep.value ? `*${s6.answerHere}* ${says(sweep.value, at)}` : s6.answerFirst)),
    recording &&
      theirs && [
        " ",
        h("span", rich(`*${s6.answerRecorded(sourceOf(recording, state.lang.value))}* ${says(theirs, longest)}`)),
      ],
  ];
}

// ---- tables

function timeColumns(state: State, lesson: Lesson, at: ReadonlySignal<number>): () => readonly Column<SpeedKernel>[] {
  const { t } = lesson;
  const { lang } = state;
  const numeric = true;
  const of = (kernel: SpeedKernel) => measured(state.sweep.value, kernel, at.value);
  const text = (key: string, label: () => string, value: (kernel: SpeedKernel) => string): Column<SpeedKernel> => ({
    key,
    label,
    numeric,
    value,
  });
  const rate = ({ bytes, microseconds }: Measure) => {
    const perSecond = bytes / microseconds / 1e3;
    return fixed(lang.value, perSecond, perSecond > 100 ? 0 : 1);
  };
  return () => [
    {
      key: "kernel",
      label: () => `${t.value.s6.kernel}, N = ${count(lang.value, at.value)}`,
      value: (kernel) => kernel,
      show: (kernel) => [h("i", { class: `tick ${STYLES[kernel]}` }), t.value.s6.kernels[kernel]],
    },
    text(
      "time",
      () => t.value.s6.time,
      (kernel) => {
        const measure = of(kernel);
        return measure ? duration(lang.value, measure.microseconds) : "–";
      },
    ),
    text(
      "bytes",
      () => t.value.s6.bytes,
      (kernel) => {
        const measure = of(kernel);
        return measure ? megabytes(lang.value, measure.bytes) : "–";
      },
    ),
    text(
      "rate",
      () => t.value.s6.rate,
      (kernel) => {
        const measure = of(kernel);
        return measure ? rate(measure) : "–";
      },
    ),
    text(
      "ratio",
      () => t.value.s6.ratio,
      (kernel) => {
        const ratio = ratioOf(state.sweep.value, kernel, "write_only", at.value);
        return ratio === undefined ? "–" : `${fixed(lang.value, ratio, 1)} ×`;
      },
    ),
    text(
      "retries",
      () => t.value.s6.retries,
      (kernel) => {
        const retries = of(kernel)?.retries;
        return retries === undefined ? "–" : count(lang.value, retries);
      },
    ),
    ...(recordedTimes(state, lesson)
      ? [
          {
            ...text(
              "recorded",
              () => t.value.recorded.column,
              (kernel) => recordedTime(state, recordedTimes(state, lesson), kernel, at.value),
            ),
            class: "rec",
          },
        ]
      : []),
  ];
}

/** The recorded time at exactly this length, if there is one. */
function recordedTime(state: State, recording: Recording | undefined, kernel: SpeedKernel, n: number): string {
  const found = recording?.speed.times.find((one) => one.kernel === kernel && one.n === n);
  return found ? duration(state.lang.value, found.microseconds) : "–";
}

interface FileRow extends Measure {
  readonly kernel: string;
  readonly n: number;
  readonly skew: number;
  readonly source: "here" | "recorded";
}

function fileRows(sweep: Sweep | undefined, recording: Recording | undefined): FileRow[] {
  const rows = (one: Sweep | undefined, source: FileRow["source"]) =>
    [...(one?.times ?? [])].flatMap(([kernel, of]) =>
      [...of].map(([n, measure]) => ({ kernel, n, skew: one?.skew ?? 0, source, ...measure })),
    );
  return [...rows(sweep, "here"), ...rows(recording && sweepOf(recording.speed), "recorded")];
}

function fileColumns({ t }: Lesson): readonly Column<FileRow>[] {
  const { s6 } = t.value;
  const numeric = true;
  return [
    { key: "source", label: () => t.value.recorded.which, value: (row) => row.source },
    { key: "kernel", label: () => s6.kernel, value: (row) => row.kernel },
    { key: "n", label: () => "N", numeric, value: (row) => row.n },
    { key: "skew", label: () => s6.skew, numeric, value: (row) => row.skew },
    { key: "microseconds", label: () => "µs", numeric, value: (row) => row.microseconds },
    { key: "bytes", label: () => s6.bytes, numeric, value: (row) => row.bytes },
    { key: "used_rows", label: () => s6.usedRows, numeric, value: (row) => row.usedRows },
    { key: "retries", label: () => s6.retries, numeric, value: (row) => row.retries ?? "" },
    { key: "clock", label: () => s6.clockColumn, value: (row) => row.clock },
  ];
}
