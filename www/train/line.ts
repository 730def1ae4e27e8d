// A small line chart: one line over steps, straight lines at given heights, in a box that stretches to its place.
import { svg } from "../dom";

/** Size of the drawing; the style sheet stretches it, strokes keep their width. */
const [WIDE, TALL] = [400, 100];

export interface LineOptions {
  /** x ascending; a y that is no number breaks the line. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly low: number;
  readonly high: number;
  /** Right end of the x axis. */
  readonly end: number;
  /** Straight lines, by class. */
  readonly levels: readonly { readonly y: number | undefined; readonly style: string }[];
  /** Fills what is under the line. */
  readonly filled?: boolean;
}

export function drawLine(root: SVGElement, { points, low, high, end, levels, filled }: LineOptions): void {
  root.setAttribute("viewBox", `0 0 ${WIDE} ${TALL}`);
  root.setAttribute("preserveAspectRatio", "none");
  const X = (x: number) => ((x / end) * WIDE).toFixed(1);
  const Y = (y: number) => (TALL * (1 - (Math.max(low, Math.min(high, y)) - low) / (high - low))).toFixed(1);
  const parts: SVGElement[] = [];
  for (const { y, style } of levels) {
    if (y !== undefined && Number.isFinite(y)) parts.push(path(style, `M0 ${Y(y)}H${WIDE}`));
  }
  let line = "";
  let pen = "M";
  for (const { x, y } of points) {
    if (Number.isNaN(y)) {
      pen = "M";
      continue;
    }
    line += `${pen}${X(x)} ${Y(y)}`;
    pen = "L";
  }
  const [first, last] = [points[0], points.at(-1)];
  if (filled && first && last) parts.push(path("fill", `${line}L${X(last.x)} ${TALL}L${X(first.x)} ${TALL}z`));
  parts.push(path("line", line));
  root.replaceChildren(...parts);
}

const path = (style: string, d: string) => svg("path", { class: style, d, "vector-effect": "non-scaling-stroke" });
