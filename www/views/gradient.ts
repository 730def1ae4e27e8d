// Section 3, first half: the upstream gradient, the way back from positions to rows, and the gradient of the table.
import { computed } from "@preact/signals-core";
import { h, icon, rich } from "../dom";
import { count } from "../format";
import { lessonOf } from "../lesson";
import { gradientHeat, type HeatRow, rowOrder } from "../models/heat";
import { choose, D, type State, type Upstream } from "../state";
import { type Column, segment, tableData, toggle } from "../ui";
import { story } from "./cell";
import { figure } from "./figure";
import { heatmap, ROWS } from "./heatmap";
import { legend } from "./legend";
import { pagesOf } from "./pager";
import { sectionHead } from "./section";
import { pieceOf, pieceText } from "./token";
import { wiresView } from "./wires";
import { writersView } from "./writers";

export function gradientView(container: HTMLElement, state: State): void {
  const words = lessonOf(state).t;
  sectionHead(container, {
    n: 3,
    title: () => words.value.s3.title,
    say: () => words.value.s3.say,
    formula: () => words.value.s3.formula,
  });
  container.append(chooser(state));
  const two = h("div", { class: "two wide-left" });
  container.append(two);
  wiresView(two, state);
  writersView(two, state);
  ofTheTable(container, state);
}

/** The gradient of the table: only its rows that some position wrote to. */
function ofTheTable(container: HTMLElement, state: State): void {
  const { t } = state;
  const words = lessonOf(state).t;
  const order = computed(() => {
    const gradient = state.gradient.value;
    return gradient ? rowOrder(gradient.result, state.positions.value, ROWS) : [];
  });
  const place = computed(() => {
    const rows = state.gradient.value?.result.rows;
    const id = state.chosen.value?.id;
    return Math.max(
      0,
      order.value.findIndex((u) => rows?.[u] === id),
    );
  });
  const first = computed(() => Math.floor(place.value / ROWS) * ROWS);
  const model = computed(() => {
    const gradient = state.gradient.value;
    return gradient && gradientHeat(gradient, order.value, first.value, ROWS, D, (id) => pieceOf(state, id));
  });
  const rows = () => model.value?.rows ?? [];
  const columns = (many: number): Column<HeatRow>[] => [
    { key: "id", label: () => t.value.s1.id, numeric: true, value: ({ id }) => id },
    { key: "piece", label: () => t.value.s1.piece, value: ({ id, piece }) => pieceText(state, id, piece) },
    ...Array.from({ length: many }, (_, d) => ({
      key: `d${d}`,
      label: () => `d = ${d}`,
      numeric: true,
      value: ({ start }: HeatRow) => model.value?.values[start + d] ?? 0,
    })),
  ];
  const rowAt = (at: number) => state.gradient.value?.result.rows[order.value[at] ?? -1];
  const map = h("div", { class: "map" });
  figure(
    container,
    state,
    {
      id: "gradient",
      title: () => [words.value.s3.grad, " ", h("small", words.value.s3.gradShape(order.value.length))],
      name: () => words.value.s3.grad,
      legend: legend(state, () => model.value?.limit ?? 1),
      data: () => tableData(columns(8), rows()),
      full: () => tableData(columns(D), rows()),
    },
    map,
    pagesOf(state, {
      size: ROWS,
      at: place,
      all: computed(() => order.value.length),
      go: (at) => choose(state, { id: rowAt(at) }),
      label: () => words.value.s3.grad,
    }),
    h("p", { class: "note", id: "gradient-window" }, () => {
      const all = order.value.length;
      return all > ROWS && words.value.s3.gradWindow(first.value + 1, first.value + rows().length, all);
    }),
    story(state, "gradient"),
    h("p", { class: "note" }, () => (model.value?.marks?.length ? words.value.s3.planted : undefined)),
  );
  heatmap(map, state, {
    id: "gradient",
    label: () => words.value.s3.gradMap,
    model: () => model.value,
    waiting: () => t.value.badge.starting,
  });
}

function chooser(state: State): HTMLElement {
  const { lang } = state;
  const words = lessonOf(state).t;
  const kinds: readonly Upstream[] = ["ones", "random", "single"];
  const own = () => state.ownGradient.value && state.ownTable.value !== undefined;
  return h(
    "div",
    { class: "fig" },
    h(
      "div",
      { class: "bar", id: "upstream" },
      h("span", { class: "head-label" }, () => words.value.s3.upstream),
      segment(
        "upstream",
        () => words.value.s3.upstream,
        kinds.map((kind) => ({
          value: kind,
          label: () => words.value.s3[kind],
          name: () => words.value.s3[kind],
          // The gradient of a trained table's loss stands in the place of all three.
          on: () => !own() && state.upstream.value === kind,
          act: () => {
            state.ownGradient.value = false;
            state.upstream.value = kind;
          },
        })),
      ),
      h(
        "button",
        {
          class: "btn small",
          id: "reseed",
          type: "button",
          disabled: () => own() || state.upstream.value !== "random",
          onclick: () => {
            state.seed.value = (state.seed.value + 1) & 0xffff;
          },
        },
        icon("dice"),
        h("span", () => words.value.s3.reseed),
      ),
      h(
        "span",
        { hidden: () => !state.ownTable.value },
        toggle({ id: "upstream-own", label: () => words.value.s3.own, on: state.ownGradient }),
      ),
      toggle({ id: "put-nan", label: () => words.value.s3.putNaN, on: state.nan }),
      toggle({ id: "put-inf", label: () => words.value.s3.putInf, on: state.inf }),
    ),
    h("p", { class: "note" }, () =>
      state.upstream.value === "single" ? words.value.s3.singleNote(String(state.chosen.value?.s ?? 0)) : undefined,
    ),
    h("p", { class: "note", id: "skipped-now", role: "status" }, () => {
      const skipped = state.gradient.value?.result.skipped;
      if (!skipped) return undefined;
      const c = (value: number) => count(lang.value, value);
      const { outOfVocab, zero, nonFinite } = skipped;
      return [
        ...rich(words.value.s3.skippedNow(c(outOfVocab), c(zero), c(nonFinite))),
        " ",
        h("a", { href: "#skipped" }, words.value.s3.skippedMore),
      ];
    }),
  );
}
