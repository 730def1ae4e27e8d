// The output of the case that failed, as a heat map: wrong cells ringed, sentinels behind the edge in grey.
import type { ReadonlySignal } from "@preact/signals-core";
import { h, type Kid, svg, watch, widthOf } from "../dom";
import { colourOf, cssOf, diverging, niceLimit } from "../draw/scale";
import { count } from "../format";
import type { State } from "../state";
import { type Column, tableData } from "../ui";
import { figure } from "../views/figure";
import { floatOf } from "./case";
import type { Exercise } from "./exercises/exercise";
import type { Fault } from "./judge";
import type { Words } from "./strings/tr";
import { numberOf } from "./told";
import type { Workshop } from "./view";

/** Rows that are drawn; the files have every wrong cell. */
const ROWS = 16;

export interface Failed {
  readonly exercise: Exercise;
  readonly fault: Fault;
}

export function outputView(
  container: HTMLElement,
  { state, words, page }: Workshop,
  failed: ReadonlySignal<Failed | undefined>,
): void {
  const { lang } = state;
  const n = (value: number) => count(lang.value, value);
  const limit = () => {
    const values = [...(failed.value?.fault.expected ?? [])].map(floatOf).filter(Number.isFinite);
    return niceLimit(Math.max(...values.map(Math.abs), 1e-6));
  };
  const columns = (): Column<number>[] => {
    const fault = failed.value?.fault;
    const d = fault?.job.d ?? 1;
    const inside = (i: number) => i < (fault?.expected.length ?? 0);
    return [
      { key: "index", label: () => words.value.index, numeric: true, value: (i) => i },
      { key: "row", label: () => words.value.row, numeric: true, value: (i) => (inside(i) ? Math.floor(i / d) : "–") },
      { key: "column", label: () => words.value.column, numeric: true, value: (i) => (inside(i) ? i % d : "–") },
      {
        key: "want",
        label: () => words.value.want,
        numeric: true,
        value: (i) => numberOf(state, inside(i) ? (fault?.expected[i] ?? 0) : SENTINEL_BITS),
      },
      { key: "got", label: () => words.value.got, numeric: true, value: (i) => numberOf(state, fault?.words[i] ?? 0) },
    ];
  };
  const board = h("div", { class: "ws-output" });
  const width = widthOf(board);
  const part = (): Kid => {
    const one = failed.value;
    if (!one) return undefined;
    const { from, to, rows } = windowOf(one.fault);
    const all = rows > to - from ? words.value.outputPart(n(from), n(to - 1), n(rows)) : "";
    return [all, all ? " " : "", words.value.outputMargin];
  };
  const root = figure(
    container,
    state,
    {
      id: "workshop-output",
      title: () => words.value.output,
      name: () => words.value.output,
      legend: page.legend(state, limit),
      data: () => tableData(columns(), failed.value?.fault.wrong ?? []),
    },
    board,
    h("p", { class: "note" }, part),
  );
  watch(() => {
    const one = failed.value;
    root.hidden = one === undefined;
    state.look.value;
    if (one && width.value > 0) board.replaceChildren(draw(state, one, width.value, limit(), words.value));
  });
}

const SENTINEL_BITS = 0xc4424000;

/** The rows that are drawn: those around the first wrong one. */
function windowOf({ job, index, expected }: Fault): { from: number; to: number; rows: number } {
  const rows = Math.ceil(expected.length / job.d);
  const wrong = Math.min(rows, Math.floor(index / job.d));
  const from = Math.max(0, Math.min(wrong - 4, rows - ROWS));
  return { from, to: Math.min(rows, from + ROWS), rows };
}

function draw(state: State, { exercise, fault }: Failed, width: number, limit: number, words: Words): SVGElement {
  const { job, expected } = fault;
  const { from, to, rows } = windowOf(fault);
  const scale = diverging();
  const wrong = new Set(fault.wrong);
  // A table one column wide is drawn folded, as wide as there is room.
  const across = job.d > 1 ? job.d : Math.max(1, Math.min(16, rows));
  const cells: number[] = [];
  for (let i = from * job.d; i < to * job.d; i++) cells.push(i);
  const edge = to === rows;
  const behind = edge ? Math.max(across, 4) : 0;
  for (let k = 0; k < behind; k++) cells.push(expected.length + k);
  const first = from * job.d;
  const lines = Math.ceil((expected.length - first) / across);
  const place = (i: number) => {
    if (i < expected.length) return { x: (i - first) % across, y: Math.floor((i - first) / across) };
    return { x: (i - expected.length) % across, y: lines + Math.floor((i - expected.length) / across) };
  };
  const size = Math.max(10, Math.min(30, Math.floor((width - 4) / across)));
  const bottom = Math.max(...cells.map((i) => place(i).y)) + 1;
  const gap = edge ? 6 : 0;
  const shown = cells.filter((i) => wrong.has(i)).length;
  const root = svg("svg", {
    viewBox: `0 0 ${across * size + 4} ${bottom * size + gap + 4}`,
    width: across * size + 4,
    height: bottom * size + gap + 4,
    role: "img",
    "aria-label": words.outputSay(shown, cells.length),
  });
  for (const i of cells) {
    const outside = i >= expected.length;
    const bits = fault.words[i] ?? 0;
    const { x, y } = place(i);
    const [left, top] = [x * size + 2, y * size + 2 + (outside ? gap : 0)];
    const untouched = bits === SENTINEL_BITS;
    const want = outside ? SENTINEL_BITS : (expected[i] ?? 0);
    const cell = svg(
      "rect",
      {
        class: `ws-heat${untouched ? " margin" : ""}`,
        x: left + 1,
        y: top + 1,
        width: size - 2,
        height: size - 2,
        css: untouched ? {} : { fill: cssOf(colourOf(scale, floatOf(bits), limit)) },
      },
      svg("title", words.cellSay(`${exercise.output}[${i}]`, numberOf(state, want), numberOf(state, bits))),
    );
    root.append(cell);
    if (wrong.has(i))
      root.append(svg("rect", { class: "ws-ring", x: left + 1, y: top + 1, width: size - 2, height: size - 2 }));
  }
  return root;
}
