// Section 3, first half: the upstream gradient, the way back from positions to rows, and the gradient of the table.
import { computed } from "@preact/signals-core";
import { h, icon, watch } from "../dom";
import { niceLimit } from "../draw/scale";
import { drawWires } from "../draw/wires";
import { fixed } from "../format";
import { D, type State, type Upstream } from "../state";
import { type Column, segment, table, tableData, toggle } from "../ui";
import { figure } from "./figure";
import { type HeatModel, type HeatRow, heatmap } from "./heatmap";
import { legend } from "./legend";
import { pager } from "./pager";
import { sectionHead } from "./section";
import { chip, pieceMark, pieceOf, pieceText, tie } from "./token";
import { ROWS } from "./vectors";

export function gradientView(container: HTMLElement, state: State): void {
  const { t } = state;
  sectionHead(container, state, {
    n: 3,
    title: () => t.value.s3.title,
    say: () => t.value.s3.say,
    formula: () => t.value.s3.formula,
  });
  container.append(chooser(state));

  const two = h("div", { class: "two wide-left" });
  container.append(two);
  wires(two, state);
  writers(two, state);

  const model = computed(() => heatModel(state));
  const map = h("div");
  const rowsOf = () => model.value?.rows ?? [];
  const columns = () => [
    { key: "id", label: t.value.s1.id, numeric: true },
    { key: "piece", label: t.value.s1.piece },
  ];
  const table = (many: number) => ({
    columns: [
      ...columns(),
      ...Array.from({ length: many }, (_, d) => ({ key: `d${d}`, label: `d = ${d}`, numeric: true })),
    ],
    rows: rowsOf().map((row) => [
      row.id,
      pieceText(state, row.id, row.piece),
      ...(model.value?.values.subarray(row.start, row.start + many) ?? []),
    ]),
  });
  figure(
    container,
    state,
    {
      id: "gradient",
      title: () => [
        t.value.s3.grad,
        " ",
        h("small", t.value.s3.gradShape(state.gradient.value?.result.rows.length ?? 0)),
      ],
      name: () => t.value.s3.grad,
      legend: legend(state, () => model.value?.limit ?? 1),
      data: () => table(8),
      full: () => table(D),
    },
    map,
    h("p", { class: "note", id: "gradient-window" }, () => {
      const all = state.gradient.value?.result.rows.length ?? 0;
      const first = model.value?.first ?? 0;
      return all > ROWS ? t.value.s3.gradWindow(first + 1, first + rowsOf().length, all) : undefined;
    }),
    h("p", { class: "note" }, () => {
      const planted = state.gradient.value?.planted;
      return planted?.nan !== undefined || planted?.inf !== undefined ? t.value.s3.planted : undefined;
    }),
  );
  heatmap(map, state, {
    id: "gradient",
    label: () => t.value.s3.gradMap,
    model: () => model.value,
    waiting: () => t.value.badge.starting,
  });
}

/** Rows of the gradient: in the order of first appearance while all fit, else the page around the shown one by hits. */
function heatModel(state: State): (HeatModel & { readonly first: number }) | undefined {
  const gradient = state.gradient.value;
  if (!gradient) return undefined;
  const { result, tokens, planted } = gradient;
  const order = rowOrder(state);
  const id = state.chosen.value?.id ?? 0;
  const place = Math.max(
    0,
    order.findIndex((u) => result.rows[u] === id),
  );
  const from = Math.floor(place / ROWS) * ROWS;
  const rows: HeatRow[] = order.slice(from, from + ROWS).map((u) => {
    const one = result.rows[u] ?? 0;
    return { s: -1, id: one, piece: pieceOf(state, one), start: u * D };
  });
  let sum = 0;
  let some = 0;
  for (const row of rows) {
    for (let d = 0; d < D; d += 3) {
      const v = result.grad[row.start + d] ?? 0;
      if (v !== 0 && Number.isFinite(v)) {
        sum += v * v;
        some += 1;
      }
    }
  }
  const marks = [planted.nan, planted.inf].flatMap((i) => {
    if (i === undefined) return [];
    const at = rows.findIndex((row) => row.id === tokens.ids[Math.floor(i / D)]);
    return at >= 0 ? [{ row: at, d: i % D }] : [];
  });
  return { values: result.grad, rows, first: from, limit: niceLimit(2 * Math.sqrt(sum / Math.max(1, some))), marks };
}

/** Indices of the gradient's rows in the order they are shown. */
export function rowOrder(state: State): number[] {
  const gradient = state.gradient.value;
  if (!gradient) return [];
  const { rows, hits } = gradient.result;
  const order = Array.from(rows.keys());
  const first = (u: number) => state.positions.value.get(rows[u] ?? 0)?.[0] ?? 0;
  if (rows.length <= ROWS) return order.sort((a, b) => first(a) - first(b));
  return order.sort((a, b) => (hits[b] ?? 0) - (hits[a] ?? 0) || first(a) - first(b));
}

function chooser(state: State): HTMLElement {
  const { t } = state;
  const kinds: readonly Upstream[] = ["ones", "random", "single"];
  return h(
    "div",
    { class: "fig" },
    h(
      "div",
      { class: "bar", id: "upstream" },
      h("span", { class: "head-label" }, () => t.value.s3.upstream),
      segment(
        "upstream",
        () => t.value.s3.upstream,
        kinds.map((kind) => ({
          value: kind,
          label: () => t.value.s3[kind],
          name: () => t.value.s3[kind],
          on: () => state.upstream.value === kind,
          act: () => {
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
          disabled: () => state.upstream.value !== "random",
          onclick: () => {
            state.seed.value = (state.seed.value + 1) & 0xffff;
          },
        },
        icon("dice"),
        h("span", () => t.value.s3.reseed),
      ),
      h(
        "span",
        { hidden: () => !state.ownTable.value },
        toggle({ id: "upstream-own", label: () => t.value.s3.own, on: state.ownGradient }),
      ),
      toggle({ id: "put-nan", label: () => t.value.s3.putNaN, on: state.nan }),
      toggle({ id: "put-inf", label: () => t.value.s3.putInf, on: state.inf }),
    ),
    h("p", { class: "note" }, () =>
      state.upstream.value === "single" ? t.value.s3.singleNote(String(state.chosen.value?.s ?? 0)) : undefined,
    ),
  );
}

/** Positions on the left, rows on the right, and a line for every write: where lines meet, threads meet. */
function wires(container: HTMLElement, state: State): void {
  const { t } = state;
  const shown = computed(() => {
    const tokens = state.tokens.value;
    const from = Math.floor((state.chosen.value?.s ?? 0) / ROWS) * ROWS;
    const ids = [...(tokens?.ids.subarray(from, from + ROWS) ?? [])];
    return { tokens, from, ids, rows: [...new Set(ids)].filter((id) => id < state.vocabSize.value) };
  });
  const left = h("ol");
  const right = h("ol");
  const lines = h("div", { class: "lines", "aria-hidden": "true" });
  const board = h(
    "div",
    { class: "wires", id: "wires-board", role: "group", "aria-label": () => t.value.s3.wiresMap },
    left,
    lines,
    right,
  );
  watch(() => {
    const { tokens, from, ids, rows } = shown.value;
    left.replaceChildren(
      ...ids.map((id, k) =>
        tie(
          state,
          h("li", h("i", from + k), h("b", pieceMark(state, id, tokens?.pieces[from + k] ?? ""))),
          id,
          from + k,
        ),
      ),
    );
    right.replaceChildren(
      ...rows.map((id) => {
        const times = state.positions.value.get(id)?.length ?? 0;
        return tie(
          state,
          h("li", h("small", id), h("b", pieceMark(state, id, pieceOf(state, id))), times > 1 && h("em", `×${times}`)),
          id,
        );
      }),
    );
    drawWires(
      lines,
      ids.map((id) => ({ to: rows.indexOf(id), id, shared: (state.positions.value.get(id)?.length ?? 0) > 1 })),
      rows.length,
    );
    for (const path of lines.querySelectorAll("path")) tie(state, path, Number(path.getAttribute("data-id")));
  });
  figure(
    container,
    state,
    {
      id: "wires",
      title: () => [
        t.value.s3.wires,
        " ",
        h(
          "small",
          t.value.s3.wiresShape(
            state.tokens.value?.ids.length ?? 0,
            [...state.positions.value.keys()].filter((id) => id < state.vocabSize.value).length,
          ),
        ),
      ],
      name: () => t.value.s3.wires,
      data: () => ({
        columns: [
          { key: "row", label: t.value.s3.row, numeric: true },
          { key: "piece", label: t.value.s1.piece },
          { key: "hits", label: t.value.s3.hit, numeric: true },
          { key: "positions", label: t.value.s3.collides },
        ],
        rows: [...state.positions.value]
          .filter(([id]) => id < state.vocabSize.value)
          .map(([id, spots]) => [
            id,
            pieceOf(state, id),
            spots.length,
            spots.length > 1 ? spots.slice(0, 2000).join(" ") : t.value.s3.alone,
          ]),
      }),
    },
    board,
    pager(state, ROWS, () => t.value.s3.wires),
  );
}

/** Contributions on the page at once; the files have them all. */
const WRITERS = 8;

/** The additions that meet in the shown cell. */
function writers(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  const here = computed(() => {
    const place = state.shown.value;
    const gradient = state.gradient.value;
    if (!place || !gradient) return undefined;
    const spots = state.positions.value.get(place.id) ?? [];
    const u = gradient.result.rows.indexOf(place.id);
    const parts = spots.map((s) => ({ s, value: gradient.upstream[s * D + place.d] ?? 0 }));
    return { place, parts, cell: u >= 0 ? gradient.result.grad[u * D + place.d] : undefined };
  });
  type Part = { readonly s: number; readonly value: number };
  const parts = (): readonly Part[] => here.value?.parts ?? [];
  const number = (value: number) => fixed(lang.value, value, 5);
  const columns: Column<Part>[] = [
    { key: "position", label: () => t.value.s1.position, numeric: true, value: (part) => part.s },
    {
      key: "contribution",
      label: () => t.value.s3.contribution,
      numeric: true,
      value: (part) => part.value,
      show: ({ value }) => {
        const skipped = value === 0 || !Number.isFinite(value);
        const text = `${value >= 0 ? "+" : ""}${number(value)}`;
        return skipped ? [h("span", { class: "skipped" }, text), h("small", ` ${t.value.s3.skippedHere}`)] : text;
      },
    },
  ];
  figure(
    container,
    state,
    {
      id: "writers",
      title: () => t.value.s3.writers,
      name: () => t.value.s3.writers,
      isTable: true,
      data: () => tableData(columns, parts()),
    },
    h("p", { class: "cellname", hidden: () => here.value?.cell === undefined }, () => {
      const place = here.value?.place;
      if (!place) return undefined;
      return [
        chip(state, place.id, pieceOf(state, place.id), { tiny: true }),
        h("span", { class: "head-label" }, t.value.s3.writersCell(String(place.id), String(place.d))),
        h("code", `grad_table[${place.id * D + place.d}]`),
      ];
    }),
    table(lang, {
      class: "sum",
      caption: () => t.value.s3.writers,
      columns,
      hidden: () => here.value?.cell === undefined,
      rows: () => parts().slice(0, WRITERS),
      more: () => {
        const more = parts().length - WRITERS;
        return more > 0 && h("tr", h("td", { class: "more", colspan: 2 }, t.value.s3.manyWriters(more)));
      },
      foot: h(
        "tr",
        h("th", { scope: "row" }, () => t.value.s3.fromGpu),
        h("td", { class: "num", id: "cell-sum" }, () => number(here.value?.cell ?? 0)),
      ),
    }),
    h("p", { class: "note" }, () => {
      if (!here.value) return undefined;
      if (here.value.cell === undefined) return t.value.s3.noWriters;
      return parts().length > 2 && t.value.s3.orderNote;
    }),
  );
}
