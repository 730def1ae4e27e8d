// Section 6: failed exchanges of the last sweep, by length, and whether they outnumber the additions.
import { h, rich } from "../dom";
import { count, fixed, short } from "../format";
import type { Lesson } from "../lesson";
import type { Sweep } from "../measure/speed";
import { type Growth, type GrowthOutcome, growthOutcome } from "../models/outcomes";
import { D, type State } from "../state";
import { type Column, table, tableData } from "../ui";
import { figure } from "./figure";

interface GrowthRow extends Growth {
  readonly microseconds: number;
}

export function pointsOf(sweep: Sweep | undefined): GrowthRow[] {
  return [...(sweep?.times.get("embed_backward") ?? [])].map(([n, measure]) => ({
    n,
    additions: n * D,
    retries: measure.retries ?? 0,
    microseconds: measure.microseconds,
  }));
}

export function growthOf(state: State, { t }: Lesson, outcome: GrowthOutcome): string {
  const says = t.value.s6.growSays;
  return outcome.kind === "overtaken" ? says.overtaken(count(state.lang.value, outcome.n)) : says[outcome.kind];
}

export function growthView(container: HTMLElement, state: State, lesson: Lesson): void {
  const { t, backend } = lesson;
  const points = () => pointsOf(state.sweep.value);
  const columns = growthColumns(state, lesson, points);
  figure(
    container,
    state,
    {
      id: "grow",
      title: () => t.value.s6.grow,
      name: () => t.value.s6.grow,
      isTable: true,
      empty: () => points().length === 0,
      data: () => tableData(columns, points()),
    },
    h("p", { class: "note", hidden: () => points().length > 0 }, () => t.value.s6.growNone),
    table(state.lang, {
      id: "grow-table",
      class: "growth",
      caption: () => t.value.s6.grow,
      columns,
      rows: points,
      hidden: () => points().length === 0,
    }),
    h("p", { class: "note", id: "grow-note" }, () => {
      if (points().length === 0) return undefined;
      if (backend.value === "cpu") return t.value.s4.columnsSays.cpu();
      return rich(growthOf(state, lesson, growthOutcome(points())));
    }),
  );
}

function growthColumns(state: State, { t }: Lesson, points: () => readonly GrowthRow[]): readonly Column<GrowthRow>[] {
  const c = (value: number) => count(state.lang.value, value);
  const most = () => Math.max(1, ...points().map((point) => point.retries));
  const numeric = true;
  return [
    { key: "n", label: () => "N", numeric, value: (row) => row.n, show: (row) => c(row.n) },
    {
      key: "bar",
      label: () => "",
      only: "page",
      class: "mh",
      value: () => "",
      show: (row) => h("span", { class: "meter", css: { "--p": (100 * row.retries) / most() } }),
    },
    {
      key: "retries",
      label: () => t.value.s6.retries,
      numeric,
      value: (row) => row.retries,
      show: (row) => c(row.retries),
    },
    { key: "additions", label: () => t.value.s6.additions, numeric, only: "files", value: (row) => row.additions },
    {
      key: "per_addition",
      label: () => t.value.s6.perAdd,
      numeric,
      value: (row) => row.retries / row.additions,
      show: ({ retries, additions }) => {
        const share = retries / additions;
        return share >= 0.01 ? fixed(state.lang.value, share, 2) : short(state.lang.value, share);
      },
    },
    { key: "microseconds", label: () => "µs", numeric, only: "files", value: (row) => row.microseconds },
  ];
}
