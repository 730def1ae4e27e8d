// Section 5, first: what the racy kernel keeps of k ones that neighbouring threads add to one cell.
import { h, type Kid } from "../dom";
import { count } from "../format";
import type { Lesson } from "../lesson";
import { CELL_KS } from "../measure/contention";
import { type CellPoint, median } from "../models/lockstep";
import { truth } from "../models/outcomes";
import type { State } from "../state";
import { type Column, table, tableData } from "../ui";
import { cellJob } from "./contention";
import { figure } from "./figure";
import { guess } from "./guess";
import { jobButton, jobProgress } from "./job";

const SHOWN = new Set([2, 4, 8, 16, 64, 256, 4096]);
/** k of the question. */
const ASKED = 64;

interface KeptRow {
  readonly k: number;
  readonly mine: number | undefined;
  readonly recorded: number | undefined;
}

export function keptView(container: HTMLElement, state: State, lesson: Lesson): void {
  const { t, recorded } = lesson;
  const { job, measure } = cellJob(state);
  const keptOf = (points: readonly CellPoint[] | undefined, k: number) => {
    const point = points?.find((one) => one.k === k);
    return point && median(point.kept);
  };
  const rows = (): KeptRow[] =>
    CELL_KS.map((k) => ({ k, mine: keptOf(state.cell.value, k), recorded: keptOf(recorded.shown.value?.cell, k) }));
  const columns = keptColumns(state, lesson);
  const asked = () => {
    const kept = keptOf(state.cell.value, ASKED);
    if (kept === undefined) return undefined;
    return { right: truth(kept, ASKED / 2), said: t.value.s5.keptTruth(count(state.lang.value, kept)) };
  };
  figure(
    container,
    state,
    {
      id: "kept",
      title: () => [t.value.s5.kept, " ", h("small", t.value.s5.keptSub)],
      name: () => t.value.s5.kept,
      isTable: true,
      data: () => tableData(columns(), rows()),
    },
    guess(state, lesson, {
      id: "kept-guess",
      ask: () => t.value.s5.keptAsk,
      words: () => t.value.s5.keptGuess,
      truth: asked,
    }),
    h(
      "div",
      { class: "bar" },
      jobButton(job, {
        id: "measure-kept",
        go: () => (state.cell.value ? t.value.s4.again : t.value.s4.cellGo),
        stop: () => t.value.s4.stop,
        ready: () => state.phase.value === "ready",
        act: measure,
      }),
      h("p", { class: "head-label" }, () => (state.cell.value ? "" : t.value.s4.notYet)),
    ),
    jobProgress(job, "kept-progress"),
    h("p", { class: "verdict", id: "kept-note" }, () => keptSays(state, lesson)),
    (): Kid =>
      table(state.lang, {
        id: "kept-table",
        class: "kay",
        caption: () => t.value.s5.kept,
        columns: columns(),
        rows: () => rows().filter((row) => SHOWN.has(row.k)),
      }),
  );
}

/** Whether neighbours lost additions here. */
function keptSays(state: State, { t, backend }: Lesson): string | undefined {
  const points = state.cell.value;
  if (!points || !backend.value) return undefined;
  const says = t.value.s5.keptSays;
  if (backend.value === "cpu") return says.cpu;
  return points.some((point) => median(point.kept) < point.k) ? says.some : says.none;
}

function keptColumns(state: State, { t, recorded }: Lesson): () => readonly Column<KeptRow>[] {
  const numeric = true;
  const c = (value: number | undefined) => (value === undefined ? "–" : count(state.lang.value, value));
  return () => [
    { key: "k", label: () => "k", numeric, value: ({ k }) => k, show: ({ k }) => c(k) },
    {
      key: "kept",
      label: () => t.value.s4.kept,
      numeric,
      class: "strong",
      value: ({ mine }) => mine ?? "",
      show: ({ mine }) => c(mine),
    },
    {
      key: "lost",
      label: () => t.value.s5.keptLost,
      numeric,
      value: ({ k, mine }) => (mine === undefined ? "" : k - mine),
      show: ({ k, mine }) => c(mine === undefined ? undefined : k - mine),
    },
    ...(recorded.on.value
      ? ([
          {
            key: "recorded",
            label: () => t.value.recorded.column,
            numeric,
            class: "rec",
            value: (row) => row.recorded ?? "",
            show: (row) => c(row.recorded),
          },
        ] satisfies Column<KeptRow>[])
      : []),
  ];
}
