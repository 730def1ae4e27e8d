// Section 5, first: what the racy kernel keeps of k ones that neighbouring threads add to one cell.
import { count } from "../format";
import type { Lesson } from "../lesson";
import { CELL_KS } from "../measure/contention";
import { type CellPoint, median } from "../models/lockstep";
import { truth } from "../models/outcomes";
import type { State } from "../state";
import type { Column } from "../ui";
import { cellJob } from "./contention";
import { measuredFigure } from "./measured";
import { recordedColumns } from "./recorded";

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
  const keptOf = (points: readonly CellPoint[] | undefined, k: number) => {
    const point = points?.find((one) => one.k === k);
    return point && median(point.kept);
  };
  const rows = (): KeptRow[] =>
    CELL_KS.map((k) => ({ k, mine: keptOf(state.cell.value, k), recorded: keptOf(recorded.shown.value?.cell, k) }));
  const asked = () => {
    const kept = keptOf(state.cell.value, ASKED);
    if (kept === undefined) return undefined;
    return { right: truth(kept, ASKED / 2), said: t.value.s5.keptTruth(count(state.lang.value, kept)) };
  };
  measuredFigure(container, state, lesson, {
    ...cellJob(state),
    id: "kept",
    title: () => t.value.s5.kept,
    subtitle: () => t.value.s5.keptSub,
    guess: { ask: () => t.value.s5.keptAsk, words: () => t.value.s5.keptGuess, truth: asked },
    done: () => state.cell.value !== undefined,
    verdict: () => keptSays(state, lesson) ?? "",
    columns: keptColumns(state, lesson),
    rows,
    shown: SHOWN,
  });
}

/** Whether neighbours lost additions here. */
function keptSays(state: State, { t, backend }: Lesson): string | undefined {
  const points = state.cell.value;
  if (!points || !backend.value) return undefined;
  const says = t.value.s5.keptSays;
  if (backend.value === "cpu") return says.cpu;
  return points.some((point) => median(point.kept) < point.k) ? says.some : says.none;
}

function keptColumns(state: State, lesson: Lesson): () => readonly Column<KeptRow>[] {
  const { t } = lesson;
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
    ...recordedColumns<KeptRow>(lesson, () => [
      {
        key: "recorded",
        label: () => t.value.recorded.column,
        numeric,
        class: "rec",
        value: (row) => row.recorded ?? "",
        show: (row) => c(row.recorded),
      },
    ]),
  ];
}
