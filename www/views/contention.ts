// Section 4, second half: the steps put to the test. k neighbouring threads on one cell; columns.ts has the second test.
import { h, type Kid, near, rich, svg, watch, widthOf } from "../dom";
import { drawPlot, legendOf, type Series } from "../draw/plot";
import { count, short } from "../format";
import type { Lesson } from "../lesson";
import { CELL_KS, measureCell } from "../measure/contention";
import { type CellPoint, failuresInStep, median, widthOf as stepWidth, type Width } from "../models/lockstep";
import { cellOutcome, truth } from "../models/outcomes";
import type { State } from "../state";
import type { Column } from "../ui";
import { mayShow } from "./guess";
import { jobOf } from "./job";
import { measuredFigure } from "./measured";
import { columnsIf } from "./recorded";

/** Rows of the table on the page; the files have every k. */
const SHOWN = new Set([2, 3, 4, 5, 8, 9, 10, 16, 32, 64, 256, 4096]);
/** k of the sentences: what the document speaks of. */
const TEN = 10;

interface CellRow {
  readonly k: number;
  readonly mine: CellPoint | undefined;
  readonly recorded: CellPoint | undefined;
}

/** A job that measures the one cell; sections 4 and 5 share what it finds. */
export function cellJob(state: State) {
  const job = jobOf(state);
  const measure = () =>
    job.start(async (control) => {
      const engine = state.engine.value;
      if (!engine) return;
      const points = await measureCell(engine.cell, CELL_KS, control);
      if (!control.stopped()) state.cell.value = points;
    });
  return { job, measure };
}

export function contentionView(container: HTMLElement, state: State, lesson: Lesson): void {
  const { t, recorded } = lesson;
  const at = (k: number) => state.cell.value?.find((point) => point.k === k);
  const done = () => state.cell.value !== undefined;
  const theirs = () => (mayShow(lesson, "cell", done()) ? recorded.shown.value?.cell : undefined);
  const rows = (): CellRow[] =>
    CELL_KS.map((k) => ({ k, mine: at(k), recorded: theirs()?.find((point) => point.k === k) }));
  measuredFigure(
    container,
    state,
    lesson,
    {
      ...cellJob(state),
      id: "cell",
      figure: "cell-contention",
      title: () => t.value.s4.cell,
      subtitle: () => t.value.s4.cellSub,
      intro: () => t.value.s4.cellSay,
      guess: {
        question: "cell",
        ask: () => t.value.s4.cellAsk,
        words: () => t.value.s4.cellGuess,
        truth: () => cellTruth(state, lesson, at(5), at(TEN)),
      },
      done,
      recorded: () => theirs() !== undefined,
      verdict: () => cellSays(state, lesson).join(" "),
      plot: cellPlot(state, lesson, rows),
      columns: cellColumns(state, lesson, theirs),
      rows,
      shown: SHOWN,
    },
    h("p", { class: "rec", id: "cell-recorded" }, () => recordedWidth(state, lesson, theirs())),
    h("p", { class: "note", hidden: () => !done() && !theirs() }, () => rich(t.value.s4.documentNote)),
  );
}

function cellColumns(
  state: State,
  { t }: Lesson,
  theirs: () => readonly CellPoint[] | undefined,
): () => readonly Column<CellRow>[] {
  const c = (value: number | undefined) => (value === undefined ? "–" : count(state.lang.value, value));
  const of = (point: CellPoint | undefined, key: "failures" | "kept") => (point ? median(point[key]) : undefined);
  const numeric = true;
  return () => {
    const { s4 } = t.value;
    const name = (what: string) => `${t.value.recorded.column}: ${what}`;
    return [
      { key: "k", label: () => "k", numeric, value: ({ k }) => k, show: ({ k }) => c(k) },
      {
        key: "document",
        label: () => s4.document,
        numeric,
        class: "muted",
        value: ({ k }) => k * k,
        show: ({ k }) => c(k * k),
      },
      {
        key: "in_step",
        label: () => s4.inStep,
        numeric,
        value: ({ k }) => failuresInStep(k),
        show: ({ k }) => c(failuresInStep(k)),
      },
      ...columnsIf<CellRow>(state.cell.value !== undefined, () => [
        {
          key: "measured",
          label: () => s4.measured,
          numeric,
          class: "strong",
          value: ({ mine }) => of(mine, "failures") ?? "",
          show: ({ mine }) => c(of(mine, "failures")),
        },
        {
          key: "kept",
          label: () => s4.kept,
          numeric,
          only: "files",
          value: ({ mine }) => of(mine, "kept") ?? "",
        },
      ]),
      ...columnsIf<CellRow>(theirs() !== undefined, () => [
        {
          key: "recorded",
          label: () => t.value.recorded.column,
          numeric,
          class: "rec",
          value: (row) => of(row.recorded, "failures") ?? "",
          show: (row) => c(of(row.recorded, "failures")),
        },
        {
          key: "recorded_kept",
          label: () => name(s4.kept),
          numeric,
          only: "files",
          value: (row) => of(row.recorded, "kept") ?? "",
        },
      ]),
    ];
  };
}

/** The sentence for the outcome: how many threads the device runs in lock step, and what follows from it. */
function cellSays(state: State, { t, backend }: Lesson): string[] {
  const points = state.cell.value;
  const width = points && stepWidth(points);
  if (!points || !width || !backend.value) return [];
  const { s4 } = t.value;
  const c = (value: number) => count(state.lang.value, value);
  const far = points.at(-1);
  const outcome = cellOutcome(backend.value, width);
  const said = s4.cellSays[outcome](c(width.width), ...departure(points, width, c));
  return far && outcome !== "cpu" ? [said, s4.keptSays(c(far.k), c(median(far.kept)))] : [said];
}

/** For the largest k beyond the width: k, its failed attempts, how many there would be in lock step, and in groups that take turns. */
function departure(
  points: readonly CellPoint[],
  { width }: Width,
  c: (value: number) => string,
): [string, string, string, string] {
  const last = points.filter((point) => point.k > width).at(-1);
  if (!last) return ["–", "–", "–", "–"];
  return [c(last.k), c(median(last.failures)), c(failuresInStep(last.k)), c(failuresInStep(last.k, width))];
}

/** Where the recorded card's groups overlap its numbers are no width: said beside them. */
function recordedWidth(state: State, { t }: Lesson, points: readonly CellPoint[] | undefined): Kid {
  const width = points && stepWidth(points);
  const outcome = width && cellOutcome("gpu", width);
  if (!points || !width || (outcome !== "overlap" && outcome !== "all")) return undefined;
  const c = (value: number) => count(state.lang.value, value);
  const said = t.value.s4.cellSays[outcome](c(width.width), ...departure(points, width, c));
  return rich(`${t.value.recorded.column}: ${said}`);
}

function cellTruth(state: State, { t }: Lesson, five: CellPoint | undefined, ten: CellPoint | undefined) {
  if (!five || !ten) return undefined;
  const [a, b] = [median(five.failures), median(ten.failures)];
  const { s4 } = t.value;
  if (a === 0) return { right: undefined, said: s4.cellNever };
  const c = (value: number) => count(state.lang.value, value);
  return { right: truth(b, 2 * a), said: s4.cellTruth(c(a), c(b), short(state.lang.value, b / a)) };
}

function cellPlot(state: State, { t }: Lesson, rows: () => readonly CellRow[]): HTMLElement {
  const plot = svg("svg", { class: "plot", role: "img", "aria-label": () => t.value.s4.cellChart });
  const holder = h("div", plot);
  const width = widthOf(holder);
  const seen = near(holder);
  const line = (y: (row: CellRow) => number | undefined) =>
    rows().flatMap((row) => {
      const value = y(row);
      return value ? [{ x: row.k, y: value }] : [];
    });
  const series = (): Series[] => [
    { name: t.value.s4.document, style: "k0", points: line(({ k }) => k * k), plain: true },
    { name: t.value.s4.inStep, style: "k1", points: line(({ k }) => failuresInStep(k)), plain: true },
    { name: t.value.s4.measured, style: "k2", points: line(({ mine }) => mine && median(mine.failures)) },
    ...(rows().some((row) => row.recorded)
      ? [
          {
            name: t.value.recorded.column,
            style: "k3",
            recorded: true,
            points: line((row) => row.recorded && median(row.recorded.failures)),
          },
        ]
      : []),
  ];
  const shown = () => rows().some((row) => row.mine || row.recorded);
  watch(() => {
    const list = series();
    if (!shown() || !seen.value || width.value === 0) return;
    drawPlot(plot, list, {
      width: width.value,
      height: 280,
      ticks: [2, 10, 64, 512, 4096],
      at: undefined,
      xText: (value) => count(state.lang.value, value),
      yText: (value) => short(state.lang.value, value).replace(/^1[,.]0 · /, ""),
      xName: "k",
      names: false,
    });
  });
  return h(
    "div",
    { hidden: () => !shown() },
    holder,
    h("p", { class: "plot-legend" }, () => legendOf(series())),
  );
}
