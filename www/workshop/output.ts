// The output of the case that failed, as a heat map: wrong cells ringed, sentinels behind the edge in grey.
import type { ReadonlySignal } from "@preact/signals-core";
import { h, type Kid, svg, watch, widthOf } from "../dom";
import { colourOf, cssOf, diverging, niceLimit } from "../draw/scale";
import { count, floatOf } from "../format";
import type { State } from "../state";
import { type Column, tableData } from "../ui";
import { figure } from "../views/figure";
import type { Exercise } from "./exercises/exercise";
import { SENTINEL } from "./gpu";
import type { Fault } from "./judge";
import type { Workshop } from "./model";
import type { Words } from "./strings/tr";
import { numberOf } from "./told";

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
        value: (i) => numberOf(state, inside(i) ? (fault?.expected[i] ?? 0) : SENTINEL),
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
    const { written, cells } = layout(one.fault, width.value);
    const { expected, words: found } = one.fault;
    const untouched = cells.some((i) => i >= expected.length && found[i] === SENTINEL);
    return [all, written ? words.value.outputWritten : "", untouched ? words.value.outputMargin : ""]
      .filter(Boolean)
      .join(" ");
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
    state.look.value;
    // Without a failure there is nothing to take home either.
    if (one) container.append(root);
    else root.remove();
    if (one && width.value > 0) board.replaceChildren(draw(state, one, width.value, limit(), words.value));
  });
}

/** The rows that are drawn: those around the first wrong one. */
function windowOf({ job, index, expected }: Fault): { from: number; to: number; rows: number } {
  const rows = Math.ceil(expected.length / job.d);
  const wrong = Math.min(rows, Math.floor(index / job.d));
  const from = Math.max(0, Math.min(wrong - 4, rows - ROWS));
  return { from, to: Math.min(rows, from + ROWS), rows };
}

/** Where cells stand, and how large they are. */
interface Layout {
  readonly cells: readonly number[];
  readonly wide: number;
  readonly tall: number;
  readonly width: number;
  readonly height: number;
  /** Numbers are written into the cells. */
  readonly written: boolean;
  place(cell: number): { x: number; y: number };
}

function layout(fault: Fault, width: number): Layout {
  const { job, expected } = fault;
  const { from, to, rows } = windowOf(fault);
  // A table one column wide is drawn folded.
  const across = job.d > 1 ? job.d : Math.max(1, Math.min(16, rows));
  const first = from * job.d;
  const end = Math.min(expected.length, to * job.d);
  const cells = Array.from({ length: end - first }, (_, k) => first + k);
  const edge = to === rows;
  const lines = Math.ceil((expected.length - first) / across);
  const written = across * NUMBER <= width && end - first <= 64;
  const wide = written ? NUMBER : Math.max(10, Math.min(30, Math.floor((width - 4) / across)));
  const tall = written ? 38 : wide;
  // Of the sentinels one line is drawn, or as many as hold what was overwritten.
  const behind = edge ? Math.min(4 * across, Math.max(across, (fault.wrong.at(-1) ?? 0) - expected.length + 1)) : 0;
  for (let k = 0; k < behind; k++) cells.push(expected.length + k);
  const gap = edge ? 6 : 0;
  const place = (i: number) => {
    const outside = i >= expected.length;
    const k = outside ? i - expected.length : i - first;
    return {
      x: (k % across) * wide + 2,
      y: (Math.floor(k / across) + (outside ? lines : 0)) * tall + 2 + (outside ? gap : 0),
    };
  };
  const bottom = Math.max(0, ...cells.map((i) => place(i).y)) + tall + 2;
  return { cells, wide, tall, width: across * wide + 4, height: bottom, written, place };
}

/** Width of a cell with its number in it. */
const NUMBER = 98;

function draw(state: State, { exercise, fault }: Failed, room: number, limit: number, words: Words): SVGElement {
  const { expected } = fault;
  const { cells, wide, tall, width, height, written, place } = layout(fault, room);
  const scale = diverging();
  const wrong = new Set(fault.wrong);
  const root = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": words.outputSay(cells.filter((i) => wrong.has(i)).length, cells.length),
  });
  for (const i of cells) {
    const bits = fault.words[i] ?? 0;
    const { x, y } = place(i);
    const untouched = bits === SENTINEL;
    const want = numberOf(state, i >= expected.length ? SENTINEL : (expected[i] ?? 0));
    const got = numberOf(state, bits);
    const title = svg("title", words.cellSay(`${exercise.output}[${i}]`, want, got));
    const box = { x: x + 1, y: y + 1, width: wide - 2, height: tall - 2 };
    const paint: { [property: string]: string } = untouched
      ? {}
      : { fill: cssOf(colourOf(scale, floatOf(bits), limit)) };
    const name = `ws-heat${untouched ? " margin" : ""}`;
    const group = svg(
      "g",
      title,
      svg("rect", { class: written ? "ws-box" : name, ...box, ...(written ? {} : { css: paint }) }),
    );
    if (written) {
      group.append(
        svg("rect", { class: name, x: x + 1, y: y + 1, width: 10, height: tall - 2, css: paint }),
        svg("text", { x: x + 16, y: y + (wrong.has(i) ? 16 : tall / 2 + 4) }, shortly(got)),
      );
      if (wrong.has(i)) group.append(svg("text", { class: "ws-want", x: x + 16, y: y + 31 }, `≠ ${shortly(want)}`));
    }
    if (wrong.has(i)) group.append(svg("rect", { class: "ws-ring", ...box }));
    root.append(group);
  }
  return root;
}

/** As much of a number as fits a cell. */
const shortly = (text: string) => {
  if (text.startsWith("NaN")) return "NaN";
  return text.length > 9 ? `${text.slice(0, 8)}…` : text;
};
