// Section 5, first: what the racy kernel keeps of k ones that neighbouring threads add to one cell.
import { h } from "../dom";
import { count } from "../format";
import type { Lesson } from "../lesson";
import { CELL_KS } from "../measure/contention";
import { type CellPoint, median } from "../models/lockstep";
import { type Backend, keptOutcome, truth } from "../models/outcomes";
import type { State } from "../state";
import type { Column } from "../ui";
import { cellJob } from "./contention";
import { mayShow } from "./guess";
import { measuredFigure } from "./measured";
import { columnsIf } from "./recorded";

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
  const done = () => state.cell.value !== undefined;
  const theirs = () => (mayShow(lesson, "kept", done()) ? recorded.shown.value?.cell : undefined);
  const rows = (): KeptRow[] =>
    CELL_KS.map((k) => ({ k, mine: keptOf(state.cell.value, k), recorded: keptOf(theirs(), k) }));
  const asked = () => {
    const kept = keptOf(state.cell.value, ASKED);
    if (kept === undefined) return undefined;
    return { right: truth(kept, ASKED / 2), said: t.value.s5.keptTruth(count(state.lang.value, kept)) };
  };
  measuredFigure(
    container,
    state,
    lesson,
    {
      ...cellJob(state),
      id: "kept",
      title: () => t.value.s5.kept,
      subtitle: () => t.value.s5.keptSub,
      guess: { question: "kept", ask: () => t.value.s5.keptAsk, words: () => t.value.s5.keptGuess, truth: asked },
      done,
      recorded: () => theirs() !== undefined,
      verdict: () => keptSays(state, lesson, state.cell.value, lesson.backend.value) ?? "",
      columns: keptColumns(state, lesson, theirs),
      rows,
      shown: SHOWN,
    },
    h("p", { class: "rec", id: "kept-recorded" }, () => {
      const said = keptSays(state, lesson, theirs(), "gpu");
      return said && `${t.value.recorded.column}: ${said}`;
    }),
  );
}

/** Whether neighbours lost additions, here or on the recorded card, and in what pattern. */
function keptSays(
  state: State,
  { t }: Lesson,
  points: readonly CellPoint[] | undefined,
  backend: Backend | undefined,
): string | undefined {
  const far = points?.at(-1);
  if (!points || !far || !backend) return undefined;
  const c = (value: number) => count(state.lang.value, value);
  return t.value.s5.keptSays[keptOutcome(backend, points)](c(far.k), c(median(far.kept)));
}

function keptColumns(
  state: State,
  { t }: Lesson,
  theirs: () => readonly CellPoint[] | undefined,
): () => readonly Column<KeptRow>[] {
  const numeric = true;
  const c = (value: number | undefined) => (value === undefined ? "–" : count(state.lang.value, value));
  return () => [
    { key: "k", label: () => "k", numeric, value: ({ k }) => k, show: ({ k }) => c(k) },
    ...columnsIf<KeptRow>(state.cell.value !== undefined, () => [
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
    ]),
    ...columnsIf<KeptRow>(theirs() !== undefined, () => [
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
