// A log-log line plot as SVG: series with their own marks, a shaded floor, names at the line ends where there is room.
import { h, svg } from "../dom";

export interface Series {
  readonly name: string;
  /** Class of the style sheet: k0 … k4. */
  readonly style: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** A lower bound: a dotted line, shaded below. */
  readonly floor?: boolean;
  /** From elsewhere, not measured now: a dashed line with crosses. */
  readonly recorded?: boolean;
  /** A formula: a line without marks. */
  readonly plain?: boolean;
}

export interface PlotOptions {
  readonly width: number;
  readonly height: number;
  /** Values on the x axis that get a number. */
  readonly ticks: readonly number[];
  readonly at: number | undefined;
  readonly xText: (value: number) => string;
  readonly yText: (value: number) => string;
  readonly xName: string;
  /** Names at the line ends, where they have room; default true. */
  readonly names?: boolean;
}

const MARKS = [
  "M-3.5-3.5h7v7h-7z",
  "M0-4.5L4.5 0 0 4.5-4.5 0z",
  "M0-4.5L4.5 3.5h-9z",
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
  "M-4 0h8M0-4v8",
];
const MIN_WIDTH = 160;
const CROSS = "M-3.5-3.5l7 7M-3.5 3.5l7-7";

const lineClass = (one: Series) =>
  one.floor ? "floor" : ["l", one.style, one.recorded && "recorded"].filter(Boolean).join(" ");
const markOf = (one: Series, i: number) => (one.recorded ? CROSS : (MARKS[i % MARKS.length] ?? ""));

/** The key to a plot, for where names don't fit beside the lines: on a phone, on paper. */
export function legendOf(series: readonly Series[]): HTMLElement[] {
  return series.flatMap((one, i) => {
    if (one.points.length === 0) return [];
    const sample = svg(
      "svg",
      { class: "plot", width: 34, height: 12, viewBox: "0 0 34 12", "aria-hidden": "true" },
      svg("path", { class: lineClass(one), d: "M1 6H33" }),
      !one.floor &&
        !one.plain &&
        svg("path", { class: `p ${one.style}`, d: markOf(one, i), transform: "translate(17 6)" }),
    );
    return [h("span", sample, " ", one.name)];
  });
}

/** The plot under way: its field, where a value stands in it, and how parts are added. */
interface Canvas {
  readonly options: PlotOptions;
  readonly wide: boolean;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  readonly first: number;
  readonly last: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly add: (part: SVGElement) => void;
  readonly text: (x: number, y: number, content: string, anchor: string, style?: string) => void;
  readonly line: (points: Series["points"]) => string;
}

export function drawPlot(root: SVGElement, series: readonly Series[], options: PlotOptions): void {
  const { width, height } = options;
  // A box on its way to another layout may be narrower than its numbers.
  if (width < MIN_WIDTH) return;
  root.setAttribute("height", String(height));
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const parts: SVGElement[] = [];
  const ys = series.flatMap((one) => one.points.map((point) => point.y)).filter((y) => y > 0);
  const low = Math.floor(Math.log10(Math.min(...ys, 1e9)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...ys, 1e-9))));
  const canvas = canvasFor(options, low, high, parts);
  const floor = series.find((one) => one.floor);
  if (floor) shadeUnder(canvas, floor.points);
  for (let power = low; power <= high; power++) {
    const y = canvas.y(10 ** power);
    canvas.add(svg("path", { class: "g", d: `M${canvas.left} ${y.toFixed(1)}H${canvas.right}` }));
    canvas.text(canvas.left - 8, y + 4, options.yText(10 ** power), "end");
  }
  drawTicks(canvas);
  series.forEach((one, i) => {
    drawSeries(canvas, one, i);
  });
  if (canvas.wide) drawNames(canvas, series);
  root.replaceChildren(...parts);
}

function canvasFor(options: PlotOptions, low: number, high: number, parts: SVGElement[]): Canvas {
  const { width, height } = options;
  const wide = width >= 520 && options.names !== false;
  const [left, right, bottom, top] = [56, width - (wide ? 128 : 12), height - 42, 14];
  const first = options.ticks[0] ?? 1;
  const last = options.ticks.at(-1) ?? 2;
  const span = Math.log2(last / first) || 1;
  const x = (value: number) => left + (Math.log2(value / first) / span) * (right - left);
  const y = (value: number) => top + ((high - Math.log10(value)) / (high - low)) * (bottom - top);
  const add = (part: SVGElement) => void parts.push(part);
  return {
    ...{ options, wide, left, right, bottom, top, first, last, x, y, add },
    text: (x, y, content, anchor, style = "") =>
      add(svg("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, class: style }, content)),
    line: (points) => `M${points.map((p) => `${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)}`).join("L")}`,
  };
}

function shadeUnder({ x, bottom, line, add }: Canvas, points: Series["points"]): void {
  const [begin, end] = [points[0], points.at(-1)];
  if (!begin || !end || begin === end) return;
  const d = `${line(points)}L${x(end.x).toFixed(1)} ${bottom}L${x(begin.x).toFixed(1)} ${bottom}z`;
  add(svg("path", { class: "under", d }));
}

function drawTicks({ options, wide, left, right, bottom, top, first, last, x, text, add }: Canvas): void {
  // From the right, so that the last number always stands; one that would touch it stays out.
  let free = Number.POSITIVE_INFINITY;
  for (const tick of [...options.ticks].reverse()) {
    const label = options.xText(tick);
    const room = 6.5 * label.length + 8;
    const edge = tick === last && !wide;
    const end = x(tick) + (edge ? 0 : room / 2);
    if (end > free && tick !== options.at) continue;
    free = end - room;
    text(x(tick), bottom + 18, label, edge ? "end" : "middle", tick === options.at ? "at" : "");
  }
  text((left + right) / 2, options.height - 4, options.xName, "middle");
  if (options.at !== undefined && options.at >= first && options.at <= last) {
    add(svg("path", { class: "at", d: `M${x(options.at).toFixed(1)} ${top}V${bottom}` }));
  }
}

function drawSeries({ x, y, line, add }: Canvas, one: Series, i: number): void {
  if (one.points.length === 0) return;
  add(svg("path", { class: lineClass(one), d: line(one.points) }));
  if (one.floor || one.plain) return;
  for (const point of one.points) {
    const transform = `translate(${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)})`;
    add(svg("path", { class: `p ${one.style}`, d: markOf(one, i), transform }));
  }
}

/** Names at the ends of the lines, pushed apart where they would touch. */
function drawNames({ right, y, text }: Canvas, series: readonly Series[]): void {
  const names = series.flatMap((one) => {
    const end = one.points.at(-1);
    return end ? [{ name: one.name, y: y(end.y) }] : [];
  });
  names.sort((a, b) => a.y - b.y);
  let free = 0;
  for (const one of names) {
    free = Math.max(one.y, free + 15);
    text(right + 12, free + 4, one.name, "start", "lab");
  }
}
