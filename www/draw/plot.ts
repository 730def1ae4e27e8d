// A log-log line plot as SVG: series with their own marks, a shaded floor, names at the line ends where there is room.
import { h, svg } from "../dom";

export interface Series {
  readonly name: string;
  /** Class of the style sheet: k0 … k4. */
  readonly style: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** The least that can be: a dotted line, shaded below. */
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

export function drawPlot(root: SVGElement, series: readonly Series[], options: PlotOptions): void {
  const { width, height } = options;
  // A box on its way to another layout may be narrower than its numbers.
  if (width < MIN_WIDTH) return;
  const wide = width >= 520 && options.names !== false;
  const [left, right, bottom, top] = [56, wide ? 128 : 12, 42, 14];
  const ys = series.flatMap((one) => one.points.map((point) => point.y)).filter((y) => y > 0);
  root.setAttribute("height", String(height));
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const first = options.ticks[0] ?? 1;
  const last = options.ticks.at(-1) ?? 2;
  const low = Math.floor(Math.log10(Math.min(...ys, 1e9)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...ys, 1e-9))));
  const span = Math.log2(last / first) || 1;
  const X = (x: number) => left + (Math.log2(x / first) / span) * (width - left - right);
  const Y = (y: number) => top + ((high - Math.log10(y)) / (high - low)) * (height - top - bottom);
  const parts: SVGElement[] = [];
  const text = (x: number, y: number, content: string, anchor: string, style = "") =>
    parts.push(svg("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, class: style }, content));
  const line = (points: Series["points"]) =>
    `M${points.map((p) => `${X(p.x).toFixed(1)} ${Y(p.y).toFixed(1)}`).join("L")}`;

  const floor = series.find((one) => one.floor);
  if (floor && floor.points.length > 1) {
    const end = floor.points.at(-1)?.x ?? last;
    const begin = floor.points[0]?.x ?? first;
    parts.push(
      svg("path", {
        class: "under",
        d: `${line(floor.points)}L${X(end).toFixed(1)} ${height - bottom}L${X(begin).toFixed(1)} ${height - bottom}z`,
      }),
    );
  }
  for (let power = low; power <= high; power++) {
    const y = Y(10 ** power);
    parts.push(svg("path", { class: "g", d: `M${left} ${y.toFixed(1)}H${width - right}` }));
    text(left - 8, y + 4, options.yText(10 ** power), "end");
  }
  // From the right, so that the last number always stands; one that would touch it stays out.
  let free = Number.POSITIVE_INFINITY;
  for (const tick of [...options.ticks].reverse()) {
    const label = options.xText(tick);
    const room = 6.5 * label.length + 8;
    const edge = tick === last && !wide;
    const end = X(tick) + (edge ? 0 : room / 2);
    if (end > free && tick !== options.at) continue;
    free = end - room;
    text(X(tick), height - bottom + 18, label, edge ? "end" : "middle", tick === options.at ? "at" : "");
  }
  text((left + width - right) / 2, height - 4, options.xName, "middle");
  if (options.at !== undefined && options.at >= first && options.at <= last) {
    parts.push(svg("path", { class: "at", d: `M${X(options.at).toFixed(1)} ${top}V${height - bottom}` }));
  }
  const names: { name: string; y: number }[] = [];
  series.forEach((one, i) => {
    if (one.points.length === 0) return;
    parts.push(svg("path", { class: lineClass(one), d: line(one.points) }));
    if (!one.floor && !one.plain) {
      for (const point of one.points) {
        parts.push(
          svg("path", {
            class: `p ${one.style}`,
            d: markOf(one, i),
            transform: `translate(${X(point.x).toFixed(1)} ${Y(point.y).toFixed(1)})`,
          }),
        );
      }
    }
    names.push({ name: one.name, y: Y(one.points.at(-1)?.y ?? 1) });
  });
  if (wide) {
    names.sort((a, b) => a.y - b.y);
    let free = 0;
    for (const one of names) {
      free = Math.max(one.y, free + 15);
      text(width - right + 12, free + 4, one.name, "start", "lab");
    }
  }
  root.replaceChildren(...parts);
}
