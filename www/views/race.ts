// Section 5: one gradient through the racy, the CAS and the sorted kernel, run after run: what is lost, which bits move.
import { computed, effect, type ReadonlySignal, untracked } from "@preact/signals-core";
import { h, icon, type Kid, rich } from "../dom";
import { count, percent, short } from "../format";
import type { Job } from "../job";
import { type Lesson, lessonOf } from "../lesson";
import { KERNELS, NO_RUNS, Race, type RaceKernel, type Results, type Run } from "../measure/race";
import { bitsOutcome, lossOutcome } from "../models/outcomes";
import { type Load, loadOf, windowOf } from "../models/race";
import type { RecordedRace } from "../record/recording";
import { pause } from "../schedule";
import { D, type State } from "../state";
import { type Column, slider, tableData } from "../ui";
import { figure, question } from "./figure";
import { halfView } from "./half";
import { jobButton, jobOf, jobProgress } from "./job";
import { keptView } from "./kept";
import { recordedBar } from "./recorded";
import { sectionHead } from "./section";
import { pieceOf, spoken } from "./token";

/** Positions of the repeated text: enough for threads to meet, quick enough for a software adapter. */
const MAX_POSITIONS = 4096;
/** Runs of one press of the button, and the bars that have room side by side. */
const RUNS = 10;
const BARS = 40;

export function raceView(container: HTMLElement, state: State): void {
  const lesson = lessonOf(state);
  const { t } = lesson;
  sectionHead(container, {
    n: 5,
    title: () => t.value.s5.title,
    say: () => t.value.s5.say,
    formula: () => t.value.s5.formula,
  });
  container.append(h("div", recordedBar(state, lesson, "recorded-5")));
  keptView(container, state, lesson);
  runsView(container, state, lesson);
  halfView(container, state, lesson);
  question(
    container,
    () => rich(t.value.s5.ask),
    () => rich(`${t.value.s5.answer} ${answer(state, lesson)}`),
    () => state.t.value.question,
  );
}

/** The end of the answer: what the runs of the compare-exchange kernel showed here. */
function answer(state: State, { t, race }: Lesson): string {
  const runs = race.value.embed_backward;
  const says = t.value.s5.answerSays;
  const outcome = bitsOutcome(runs);
  if (outcome === "moved") return says.moved(count(state.lang.value, most(runs, "cells")), String(runs.length));
  return outcome === "same" ? says.same(String(runs.length)) : says.alone;
}

const most = (runs: readonly Run[], key: keyof Run) => Math.max(0, ...runs.map((run) => run[key]));

function runsView(container: HTMLElement, state: State, lesson: Lesson): void {
  const { t, race: results } = lesson;
  const job = jobOf(state);
  const load = computed(() =>
    loadOf(state.tokens.value?.ids ?? [], state.vocabSize.value, state.repeats.value, MAX_POSITIONS),
  );
  let race: Race | undefined;
  const forget = () => {
    job.stop();
    results.value = NO_RUNS;
    race = undefined;
  };
  // Runs of another text, length or seed are not comparable.
  effect(() => {
    load.value;
    state.seed.value;
    state.resets.value;
    untracked(forget);
  });
  const run = () => {
    race ??= new Race(load.peek(), state.seed.peek(), D);
    return runAll(state, lesson, job, race);
  };
  figure(
    container,
    state,
    {
      id: "race",
      title: () => [t.value.s5.runs, " ", h("small", loadName(state, lesson, load.value))],
      name: () => t.value.s5.runs,
      data: () => tableData(runColumns(lesson), rowsOf(results.value)),
      empty: () => results.value.racy.length === 0,
    },
    dials(state, lesson, job, load, { run, forget }),
    jobProgress(job, "race-progress", () => t.value.later.queued),
    h("p", { class: "waiting", hidden: () => results.value.racy.length > 0 }, () =>
      load.value.tokens.length > 0 ? t.value.s5.none : t.value.s5.empty,
    ),
    h("div", { hidden: () => results.value.racy.length === 0 }, [
      h("h4", { class: "sheet" }, () => t.value.s5.lossHead),
      h("p", { class: "note" }, () => t.value.s5.lossSay),
      h(
        "div",
        { class: "race" },
        KERNELS.map((kernel) => lossLane(state, lesson, load, kernel)),
      ),
      h("h4", { class: "sheet" }, () => t.value.s5.bitsHead),
      h("p", { class: "note" }, () => t.value.s5.bitsSay),
      h(
        "div",
        { class: "race" },
        KERNELS.map((kernel) => bitsLane(state, lesson, load, kernel)),
      ),
      h("p", { class: "note" }, () => {
        const runs = results.value.racy.length;
        return runs > BARS ? t.value.s5.window(String(BARS), String(runs)) : undefined;
      }),
    ]),
    h("p", { class: "note", id: "race-note", role: "status" }, () =>
      job.running.value ? undefined : raceNote(state, lesson, load.value),
    ),
  );
}

async function runAll(state: State, { t, race: results }: Lesson, job: Job, race: Race): Promise<void> {
  await job.start(async (control) => {
    const engine = state.engine.value;
    if (!engine) return;
    for (let k = 0; k < RUNS && !control.stopped(); k++) {
      control.tell(k, RUNS, t.peek().s5.progress(String(k + 1), String(RUNS)));
      const next = await race.run(engine.gradient, control.stopped);
      if (!next) return;
      const all = results.peek();
      results.value = {
        racy: [...all.racy, next.racy],
        embed_backward: [...all.embed_backward, next.embed_backward],
        sorted: [...all.sorted, next.sorted],
      };
      await pause();
    }
  });
}

function loadName(state: State, { t }: Lesson, { times, tokens, busiest }: Load): string {
  if (busiest.id < 0) return "";
  const c = (value: number) => count(state.lang.value, value);
  const piece = spoken(state, busiest.id, pieceOf(state, busiest.id));
  return t.value.s5.load(c(times), c(tokens.length), piece, c(busiest.hits));
}

function dials(
  state: State,
  { t, race: results }: Lesson,
  job: Job,
  load: ReadonlySignal<Load>,
  { run, forget }: { run(): void; forget(): void },
): HTMLElement {
  const nothing = () => results.value.racy.length === 0;
  return h(
    "div",
    { class: "dials race-dials" },
    jobButton(job, {
      id: "race-go",
      go: () => (nothing() ? t.value.s5.go(String(RUNS)) : t.value.s5.more(String(RUNS))),
      stop: () => t.value.s5.stop,
      ready: () => state.phase.value === "ready" && load.value.tokens.length > 0,
      act: run,
    }),
    slider({
      id: "repeats",
      label: () => t.value.s5.repeat,
      min: 0,
      max: 8,
      value: () => Math.round(Math.log2(state.repeats.value)),
      set: (power) => {
        state.repeats.value = 2 ** power;
      },
      text: () => `× ${count(state.lang.value, load.value.times)}`,
    }),
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
  );
}

// ---- one kernel

const NAMES = { racy: "racy", embed_backward: "cas", sorted: "sorted" } as const;

function laneHead({ t }: Lesson, kernel: RaceKernel): HTMLElement {
  return h("h5", () => t.value.s5[NAMES[kernel]], " ", h("code", { translate: "no" }, kernel));
}

/** The recorded load whose busiest row has about as many hits as the reader's. */
function recordedLoad({ recorded }: Lesson, load: Load): RecordedRace | undefined {
  const away = (one: RecordedRace) => Math.abs(Math.log(one.hits / Math.max(1, load.busiest.hits)));
  return [...(recorded.shown.value?.race.loads ?? [])].sort((a, b) => away(a) - away(b))[0];
}

function recordedLine(state: State, lesson: Lesson, kernel: RaceKernel, load: Load, key: "lost" | "cells"): Kid {
  const found = recordedLoad(lesson, load);
  const runs = found?.results[kernel] ?? [];
  if (!found || runs.length === 0) return undefined;
  const { t } = lesson;
  const c = (value: number) => count(state.lang.value, value);
  const said =
    key === "lost" ? t.value.s5.lost(c(total(runs))) : t.value.s5.cells(c(most(runs, "cells")), c(cellsOf(load)));
  const of = t.value.recorded.race(c(runs.length), c(found.times), c(found.hits));
  return h("p", { class: "rec" }, `${t.value.recorded.column}: ${said} (${of})`);
}

/** Cells that a run writes to. */
const cellsOf = (load: Load) => load.hits.size * D;

const total = (runs: readonly Run[]) => runs.reduce((sum, run) => sum + run.lost, 0);

function lossLane(state: State, lesson: Lesson, load: ReadonlySignal<Load>, kernel: RaceKernel): HTMLElement {
  const { t, race: results } = lesson;
  const c = (value: number) => count(state.lang.value, value);
  return h("div", { id: `race-${kernel}` }, laneHead(lesson, kernel), (): Kid => {
    const runs = results.value[kernel];
    if (runs.length === 0) return undefined;
    const { s5 } = t.value;
    const outcome = lossOutcome(runs);
    const all = c(load.value.tokens.length * D * runs.length);
    const [low, high] = [Math.min(...runs.map((one) => one.lost)), most(runs, "lost")];
    const unexpected = kernel !== "racy" && outcome !== "none" && s5.unexpected.cas;
    return [
      h(
        "p",
        { class: "big" },
        h("span", { class: outcome === "none" ? "" : "bad" }, s5.lost(c(total(runs)))),
        h("small", [s5.lossSays[outcome](all, c(low), c(high)), unexpected].filter(Boolean).join(" ")),
      ),
      bars(state, lesson, runs, "lost", high),
      recordedLine(state, lesson, kernel, load.value, "lost"),
    ];
  });
}

function bitsLane(state: State, lesson: Lesson, load: ReadonlySignal<Load>, kernel: RaceKernel): HTMLElement {
  const { t, race: results } = lesson;
  const c = (value: number) => count(state.lang.value, value);
  return h("div", { id: `bits-${kernel}` }, laneHead(lesson, kernel), (): Kid => {
    const runs = results.value[kernel];
    if (runs.length === 0) return undefined;
    const { s5 } = t.value;
    const outcome = bitsOutcome(runs);
    const high = most(runs, "cells");
    const moved = runs.filter((run) => run.cells > 0).length;
    const said = {
      alone: [s5.aloneBits, ""],
      same: [s5.sameBits, s5.sameSays(String(runs.length))],
      moved: [
        s5.cells(c(high), c(cellsOf(load.value))),
        s5.movedSays(String(moved), String(runs.length), short(state.lang.value, most(runs, "gap"))),
      ],
    }[outcome];
    const unexpected = kernel === "sorted" && outcome === "moved" && s5.unexpected.sorted;
    return [
      h("p", { class: "big" }, h("span", said[0]), h("small", [said[1], unexpected].filter(Boolean).join(" "))),
      bars(state, lesson, runs, "cells", high),
      recordedLine(state, lesson, kernel, load.value, "cells"),
    ];
  });
}

/** A bar a run, and which runs they are. */
function bars(state: State, { t }: Lesson, runs: readonly Run[], key: "lost" | "cells", high: number): Kid {
  const { from, shown } = windowOf(runs, BARS);
  const name = key === "lost" ? t.value.s5.barsLost : t.value.s5.barsCells;
  return [
    h(
      "div",
      { class: `runs ${key}`, role: "img", "aria-label": `${name}: ${shown.map((run) => run[key]).join(", ")}` },
      shown.map((run) =>
        h("i", { class: run[key] === 0 ? "none" : "", css: { "--p": (100 * run[key]) / Math.max(1, high) } }),
      ),
    ),
    h(
      "div",
      { class: "run-ends", "aria-hidden": "true" },
      h("span", t.value.s5.firstRun(String(from + 1))),
      high > 0 && h("span", t.value.s5.tallest(count(state.lang.value, high))),
      shown.length > 1 && h("span", t.value.s5.firstRun(String(runs.length))),
    ),
  ];
}

/** A share of lost additions below which the rivals hardly met. */
const FEW_LOST = 0.1;

function raceNote(state: State, { t, race, backend }: Lesson, load: Load): string | undefined {
  const runs = race.value.racy;
  if (runs.length === 0) return undefined;
  const says = t.value.s5.noteSays;
  if (backend.value === "cpu") return says.cpu;
  const some = runs.filter((run) => run.lost > 0).length;
  const all = String(runs.length);
  const outcome = lossOutcome(runs);
  if (outcome === "none") return says.none(all);
  const share = total(runs) / (load.tokens.length * D * runs.length);
  const said = outcome === "some" ? says.some(String(some), all) : says.all(all);
  return share < FEW_LOST ? `${said} ${says.apart(percent(state.lang.value, share))}` : said;
}

// ---- for the files

interface RunRow extends Run {
  readonly run: number;
  readonly kernel: RaceKernel;
}

const rowsOf = (results: Results): RunRow[] =>
  KERNELS.flatMap((kernel) => results[kernel].map((one, i) => ({ run: i + 1, kernel, ...one })));

function runColumns({ t }: Lesson): readonly Column<RunRow>[] {
  const { s5 } = t.value;
  return [
    { key: "run", label: () => s5.run, numeric: true, value: ({ run }) => run },
    { key: "kernel", label: () => s5.kernel, value: ({ kernel }) => kernel },
    { key: "lost", label: () => s5.lostColumn, numeric: true, value: ({ lost }) => lost },
    { key: "cells", label: () => s5.bitsColumn, numeric: true, value: ({ cells }) => cells },
    { key: "gap", label: () => s5.gapColumn, numeric: true, value: ({ gap }) => gap },
  ];
}
