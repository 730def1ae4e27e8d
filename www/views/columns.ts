// Section 4, the second test: k positions on one row, whose rivals for a cell are 384 threads apart.
import { untracked } from "@preact/signals-core";
import { count, short } from "../format";
import type { Lesson } from "../lesson";
import { COLUMN_KS, type ColumnPoint, measureColumns } from "../measure/contention";
import { failuresInStep, widthOf as stepWidth } from "../models/lockstep";
import { columnsOutcome } from "../models/outcomes";
import { D, type State } from "../state";
import type { Column } from "../ui";
import { jobOf } from "./job";
import { measuredFigure } from "./measured";
import { columnsIf } from "./recorded";

/** Rows of the table on the page; the files have every k. */
const SHOWN = new Set([2, 4, 6, 8, 10, 32, 64, 256]);
/** k of the sentence. */
const TEN = 10;

interface ColumnRow {
  readonly k: number;
  readonly mine: ColumnPoint | undefined;
  readonly recorded: ColumnPoint | undefined;
}

export function columnsView(container: HTMLElement, state: State, lesson: Lesson): void {
  const { t, recorded } = lesson;
  const job = jobOf(state);
  const measure = () =>
    job.start(async (control) => {
      const engine = state.engine.value;
      if (!engine) return;
      const id = untracked(() => state.chosen.value?.id ?? 0) % state.vocabSize.peek();
      const options = { ks: COLUMN_KS, id, width: D, seed: state.seed.peek() };
      const points = await measureColumns(engine.gradient, options, control);
      if (!control.stopped()) state.contention.value = points;
    });
  const rows = (): ColumnRow[] =>
    COLUMN_KS.map((k) => ({
      k,
      mine: state.contention.value?.find((point) => point.k === k),
      recorded: recorded.shown.value?.columns.find((point) => point.k === k),
    }));
  measuredFigure(container, state, lesson, {
    job,
    measure,
    id: "contention",
    title: () => t.value.s4.columns,
    subtitle: () => t.value.s4.columnsSub,
    intro: () => t.value.s4.columnsSay,
    done: () => state.contention.value !== undefined,
    recorded: () => recorded.shown.value !== undefined,
    verdict: () => columnsSay(state, lesson).join(" "),
    columns: columnColumns(state, lesson),
    rows,
    shown: SHOWN,
  });
}

function columnColumns(state: State, lesson: Lesson): () => readonly Column<ColumnRow>[] {
  const { t } = lesson;
  const numeric = true;
  const small = (point: ColumnPoint | undefined) => (point ? short(state.lang.value, point.perCell) : "–");
  return () => [
    { key: "k", label: () => "k", numeric, value: ({ k }) => k },
    {
      key: "in_step",
      label: () => t.value.s4.inStep,
      numeric,
      value: ({ k }) => failuresInStep(k),
      show: ({ k }) => count(state.lang.value, failuresInStep(k)),
    },
    ...columnsIf<ColumnRow>(state.contention.value !== undefined, () => [
      {
        key: "measured",
        label: () => t.value.s4.measured,
        numeric,
        class: "strong",
        value: ({ mine }) => mine?.perCell ?? "",
        show: ({ mine }) => small(mine),
      },
    ]),
    ...columnsIf<ColumnRow>(lesson.recorded.shown.value !== undefined, () => [
      {
        key: "recorded",
        label: () => t.value.recorded.column,
        numeric,
        class: "rec",
        value: (row) => row.recorded?.perCell ?? "",
        show: (row) => small(row.recorded),
      },
    ]),
  ];
}

function columnsSay(state: State, { t, backend, hardware }: Lesson): string[] {
  const all = state.contention.value ?? [];
  const ten = all.find((point) => point.k === TEN);
  if (!ten || !backend.value) return [];
  const { s4 } = t.value;
  const outcome = columnsOutcome(backend.value, ten, all);
  const small = (value: number) => short(state.lang.value, value);
  const most = all.reduce((a, b) => (b.perCell > a.perCell ? b : a));
  const said = s4.columnsSays[outcome](
    String(ten.k),
    String(failuresInStep(ten.k)),
    small(ten.perCell),
    small(most.perCell),
    String(most.k),
  );
  const width = state.cell.value && stepWidth(state.cell.value);
  const software = outcome !== "near" && outcome !== "cpu" && !hardware.value && width && width.width > 1;
  return software ? [said, s4.columnsSoftware(String(width.width))] : [said];
}
