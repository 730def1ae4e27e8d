// Who writes where: positions, rows of the table, and a line for every write between them.
import { computed } from "@preact/signals-core";
import { h, watch } from "../dom";
import { drawWires } from "../draw/wires";
import { lessonOf } from "../lesson";
import { D, type State } from "../state";
import { figure } from "./figure";
import { ROWS } from "./heatmap";
import { pager } from "./pager";
import { pieceMark, pieceOf, tie } from "./token";

/** Positions on the left, rows on the right, and a line for every write: where lines meet, threads meet. */
export function wiresView(container: HTMLElement, state: State): void {
  const { t } = state;
  const words = lessonOf(state).t;
  const inVocabulary = () => [...state.positions.value].filter(([id]) => id < state.vocabSize.value);
  figure(
    container,
    state,
    {
      id: "wires",
      title: () => [
        words.value.s3.wires,
        " ",
        h("small", words.value.s3.wiresShape(state.tokens.value?.ids.length ?? 0, inVocabulary().length)),
      ],
      name: () => words.value.s3.wires,
      data: () => ({
        columns: [
          { key: "row", label: words.value.s3.row, numeric: true },
          { key: "piece", label: t.value.s1.piece },
          { key: "hits", label: words.value.s3.hit, numeric: true },
          { key: "positions", label: words.value.s3.collides },
        ],
        rows: inVocabulary().map(([id, spots]) => [id, pieceOf(state, id), spots.length, spots.join(" ")]),
      }),
    },
    board(state),
    pager(state, ROWS, () => words.value.s3.wires),
  );
}

/** Of `many` positions those from which nothing arrives that a kernel adds. */
function idleOf(state: State, from: number, many: number): ReadonlySet<number> {
  const gradient = state.gradient.value;
  if (!gradient || gradient.tokens !== state.tokens.value) return new Set();
  const adds = (value: number) => value !== 0 && Number.isFinite(value);
  const spots = Array.from({ length: many }, (_, k) => from + k).filter((s) => s < gradient.upstream.length / D);
  return new Set(spots.filter((s) => !gradient.upstream.subarray(s * D, (s + 1) * D).some(adds)));
}

function board(state: State): HTMLElement {
  const words = lessonOf(state).t;
  const shown = computed(() => {
    const tokens = state.tokens.value;
    const from = Math.floor((state.chosen.value?.s ?? 0) / ROWS) * ROWS;
    const ids = [...(tokens?.ids.subarray(from, from + ROWS) ?? [])];
    return { tokens, from, ids, rows: [...new Set(ids)].filter((id) => id < state.vocabSize.value) };
  });
  const idle = computed(() => idleOf(state, shown.value.from, shown.value.ids.length));
  const hits = (id: number) => state.positions.value.get(id)?.length ?? 0;
  const left = h("ol");
  const right = h("ol");
  const lines = h("div", { class: "lines", "aria-hidden": "true" });
  const position = (id: number, s: number, piece: string) =>
    tie(state, h("li", h("i", s), h("b", pieceMark(state, id, piece))), id, s);
  const row = (id: number) => {
    const name = h("b", pieceMark(state, id, pieceOf(state, id)));
    return tie(state, h("li", h("small", id), name, hits(id) > 1 && h("em", `×${hits(id)}`)), id);
  };
  watch(() => {
    const { tokens, from, ids, rows } = shown.value;
    left.replaceChildren(...ids.map((id, k) => position(id, from + k, tokens?.pieces[from + k] ?? "")));
    right.replaceChildren(...rows.map(row));
    const ends = ids.map((id, k) => ({
      to: rows.indexOf(id),
      id,
      shared: hits(id) > 1,
      idle: idle.value.has(from + k),
    }));
    drawWires(lines, ends, rows.length);
    for (const path of lines.querySelectorAll("path")) tie(state, path, Number(path.getAttribute("data-id")));
  });
  return h(
    "div",
    h(
      "div",
      { class: "wires", id: "wires-board", role: "group", "aria-label": () => words.value.s3.wiresMap },
      left,
      lines,
      right,
    ),
    h("p", { class: "note", id: "wires-idle" }, () => (idle.value.size > 0 ? words.value.s3.wiresIdle : undefined)),
  );
}
