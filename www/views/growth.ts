// Section 6: failed exchanges by length, and whether they outnumber the additions, here and on the recorded card.
import { h, type Kid, rich } from "../dom";
import { count, fixed, short } from "../format";
import type { Lesson } from "../lesson";
import { type Sweep, sweepOf } from "../measure/speed";
import { type Growth, type GrowthOutcome, growthOutcome } from "../models/outcomes";
import { D, type State } from "../state";
import { type Column, table, tableData } from "../ui";
import { figure } from "./figure";
import { columnsIf, recordedTimes, shownSkew } from "./recorded";

export function pointsOf(sweep: Sweep | undefined): Growth[] {
  return [...(sweep?.times.get("embed_backward") ?? [])].map(([n, measure]) => ({
    n,
    additions: n * D,
    retries: measure.retries ?? 0,
  }));
}

export function growthOf(state: State, { t }: Lesson, outcome: GrowthOutcome): string {
  const says = t.value.s6.growSays;
  return outcome.kind === "overtaken" ? says.overtaken(count(state.lang.value, outcome.n)) : says[outcome.kind];
}

interface GrowthRow {
  readonly n: number;
  readonly mine: Growth | undefined;
  readonly recorded: Growth | undefined;
}

export function growthView(container: HTMLElement, state: State, lesson: Lesson): void {
  const { t, backend } = lesson;
  const mine = () => pointsOf(state.sweep.value);
  const theirs = () => {
    const recording = recordedTimes(state, lesson);
    return recording ? pointsOf(sweepOf(recording.speed)) : [];
  };
  const rows = (): GrowthRow[] => {
    const at = (points: readonly Growth[], n: number) => points.find((point) => point.n === n);
    const lengths = [...new Set([...mine(), ...theirs()].map((point) => point.n))].sort((a, b) => a - b);
    return lengths.map((n) => ({ n, mine: at(mine(), n), recorded: at(theirs(), n) }));
  };
  const columns = growthColumns(state, lesson, mine, theirs);
  figure(
    container,
    state,
    {
      id: "grow",
      title: () => [
        t.value.s6.grow,
        " ",
        rows().length > 0 && h("small", t.value.s6.chartAt(fixed(state.lang.value, shownSkew(state), 1))),
      ],
      name: () => t.value.s6.grow,
      isTable: true,
      empty: () => rows().length === 0,
      data: () => tableData(columns(), rows()),
    },
    h("p", { class: "note", hidden: () => mine().length > 0 }, () => t.value.s6.growNone),
    (): Kid =>
      table(state.lang, {
        id: "grow-table",
        class: "growth by-k",
        caption: () => t.value.s6.grow,
        columns: columns(),
        rows,
        hidden: () => rows().length === 0,
      }),
    h("p", { class: "note", id: "grow-note" }, () => {
      if (mine().length === 0) return undefined;
      if (backend.value === "cpu") return t.value.s4.columnsSays.cpu();
      return rich(growthOf(state, lesson, growthOutcome(mine())));
    }),
    h("p", { class: "rec", id: "grow-recorded" }, () =>
      theirs().length > 0
        ? `${t.value.recorded.column}: ${growthOf(state, lesson, growthOutcome(theirs()))}`
        : undefined,
    ),
  );
}

function growthColumns(
  state: State,
  { t }: Lesson,
  mine: () => readonly Growth[],
  theirs: () => readonly Growth[],
): () => readonly Column<GrowthRow>[] {
  const c = (point: Growth | undefined) => (point ? count(state.lang.value, point.retries) : "–");
  const share = (point: Growth | undefined) => point && point.retries / point.additions;
  const per = (value: number | undefined) => {
    if (value === undefined) return "–";
    return value >= 0.01 ? fixed(state.lang.value, value, 2) : short(state.lang.value, value);
  };
  const numeric = true;
  return () => [
    { key: "n", label: () => "N", numeric, value: (row) => row.n, show: (row) => count(state.lang.value, row.n) },
    ...columnsIf<GrowthRow>(mine().length > 0, () => [
      {
        key: "retries",
        label: () => t.value.s6.retries,
        numeric,
        value: (row) => row.mine?.retries ?? "",
        show: (row) => c(row.mine),
      },
    ]),
    {
      key: "additions",
      label: () => t.value.s6.additions,
      numeric,
      only: "files",
      value: (row) => row.mine?.additions ?? row.recorded?.additions ?? "",
    },
    ...columnsIf<GrowthRow>(mine().length > 0, () => [
      {
        key: "per_addition",
        label: () => t.value.s6.perAdd,
        numeric,
        value: (row) => share(row.mine) ?? "",
        show: (row) => per(share(row.mine)),
      },
    ]),
    ...columnsIf<GrowthRow>(theirs().length > 0, () => [
      {
        key: "recorded",
        label: () => t.value.recorded.column,
        numeric,
        class: "rec",
        value: (row) => row.recorded?.retries ?? "",
        show: (row) => c(row.recorded),
      },
      {
        key: "recorded_per_addition",
        label: () => t.value.s6.perAdd,
        numeric,
        only: "files",
        value: (row) => share(row.recorded) ?? "",
      },
    ]),
  ];
}
