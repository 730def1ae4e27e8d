// Section 2, first half: the rows that the GPU looked up, with a place for what a cell tells.
import { computed } from "@preact/signals-core";
import { h, rich } from "../dom";
import { fixed } from "../format";
import { type HeatRow, outputHeat } from "../models/heat";
import { D, GROUP, type State } from "../state";
import { type Column, notice, tableData } from "../ui";
import { figure } from "./figure";
import { heatmap, ROWS, TABLE_LIMIT } from "./heatmap";
import { legend } from "./legend";
import { pager } from "./pager";
import { sectionHead } from "./section";
import { byteOf, pieceText } from "./token";

export function vectorsView(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  const length = () => state.tokens.value?.ids.length ?? 0;
  sectionHead(container, {
    n: 2,
    title: () => t.value.s2.title,
    say: () => t.value.s2.say(state.vocabSize.value),
    formula: () => t.value.s2.formula,
  });
  container.append(
    ownTable(state),
    h("p", { class: "note", id: "threads-note" }, () => {
      const all = length() * D;
      return rich(
        t.value.s2.threads(length(), all, fixed(lang.value, all / GROUP, all % GROUP ? 1 : 0), Math.ceil(all / GROUP)),
      );
    }),
  );
  output(container, state, length);
}

/** The table that the reader trained, while it stands in place of the bundled one. */
function ownTable(state: State): HTMLElement {
  const { t } = state;
  const putBack = h(
    "button",
    {
      class: "btn small",
      id: "put-back",
      type: "button",
      onclick: () => {
        state.ownTable.value = undefined;
      },
    },
    () => t.value.s2.putBack,
  );
  const text = () => {
    const own = state.ownTable.value;
    return own && rich(t.value.s2.own(own.steps, own.trained, own.width, D));
  };
  return notice({ id: "notice-own", kind: "note", text }, " ", putBack);
}

function output(container: HTMLElement, state: State, length: () => number): void {
  const { t } = state;
  const model = computed(() => {
    const lookup = state.lookup.value;
    const page = Math.floor((state.chosen.value?.s ?? 0) / ROWS);
    return lookup && outputHeat(lookup, page * ROWS, ROWS, D, TABLE_LIMIT);
  });
  const columns = outputColumns(state);
  const values = (many: number): Column<HeatRow>[] =>
    Array.from({ length: many }, (_, d) => ({
      key: `d${d}`,
      label: () => `d = ${d}`,
      numeric: true,
      value: (row) => model.value?.values[row.start + d] ?? 0,
    }));
  const map = h("div", { class: "map" });
  const root = figure(
    container,
    state,
    {
      id: "output",
      title: () => [t.value.s2.out, " ", h("small", t.value.s2.shape(length()))],
      name: () => t.value.s2.out,
      legend: legend(state, () => TABLE_LIMIT),
      data: () => tableData([...columns, ...values(4)], model.value?.rows ?? []),
      full: () => tableData([...columns.slice(0, 3), ...values(D)], model.value?.rows ?? []),
    },
    map,
    pager(state, ROWS, () => t.value.s2.out),
    h("div", { class: "cellbox", id: "cellbox" }),
  );
  root.classList.add("with-cell");
  heatmap(map, state, {
    id: "output",
    label: () => t.value.s2.map,
    model: () => model.value,
    waiting: () => t.value.s2.waiting,
    line: true,
    describedBy: "cell",
  });
}

function outputColumns(state: State): Column<HeatRow>[] {
  const { t } = state;
  const row = (s: number) => state.lookup.value?.out.subarray(s * D, (s + 1) * D) ?? new Float32Array(0);
  const name = ({ id, piece }: HeatRow) =>
    id >= state.vocabSize.value ? t.value.s1.outside : byteOf(piece) ? piece : pieceText(state, id, piece);
  return [
    { key: "position", label: () => t.value.s1.position, numeric: true, value: ({ s }) => s },
    { key: "piece", label: () => t.value.s1.piece, value: name },
    { key: "id", label: () => t.value.s1.id, numeric: true, value: ({ id }) => id },
    { key: "norm", label: () => t.value.s2.norm, numeric: true, value: ({ s }) => Math.hypot(...row(s)) },
    { key: "min", label: () => t.value.s2.least, numeric: true, value: ({ s }) => Math.min(...row(s)) },
    { key: "max", label: () => t.value.s2.most, numeric: true, value: ({ s }) => Math.max(...row(s)) },
  ];
}
