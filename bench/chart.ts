// Time against length, both axes logarithmic, as SVG. Curves are named at their ends, so no legend to look up.

import type { Curve } from "./judge";

const NAMESPACE = "http://www.w3.org/2000/svg";
const WIDTH = 720;
const HEIGHT = 420;
const MARGIN = { left: 56, right: 128, top: 12, bottom: 40 };

type Attributes = Readonly<Record<string, string | number>>;

function element(name: string, attributes: Attributes, text = ""): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

const powers = (base: number, low: number, high: number): number[] => {
  const found: number[] = [];
  for (let value = base ** Math.ceil(Math.log(low) / Math.log(base) - 1e-9); value <= high * 1.000_001; value *= base) {
    found.push(value);
  }
  return found;
};

/** Three digits that count, never an exponent: 0.97, 12.3, 1,330. */
export const digits = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);

/** µs below a millisecond, then ms, then s. */
export function formatTime(microseconds: number): string {
  if (microseconds < 1_000) return `${digits(microseconds)} µs`;
  return microseconds < 1_000_000 ? `${digits(microseconds / 1_000)} ms` : `${digits(microseconds / 1_000_000)} s`;
}

export function chart(curves: readonly Curve[], floor: Curve | undefined, title: string): SVGElement {
  const all = [...curves, ...(floor ? [floor] : [])].flatMap(({ points }) => points);
  const ns = all.map(([n]) => n);
  const times = all.map(([, microseconds]) => microseconds);
  const [left, right] = [Math.min(...ns), Math.max(...ns, Math.min(...ns) * 2)];
  const low = 10 ** Math.floor(Math.log10(Math.min(...times)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...times)));
  const inner = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const x = (n: number): number => MARGIN.left + (Math.log(n / left) / Math.log(right / left)) * inner.width;
  const y = (time: number): number =>
    MARGIN.top + inner.height * (1 - Math.log(time / low) / Math.log(Math.max(high / low, 10)));

  const svg = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title, class: "chart" });
  for (const time of powers(10, low, high)) {
    svg.append(
      element("line", { class: "grid", x1: MARGIN.left, x2: MARGIN.left + inner.width, y1: y(time), y2: y(time) }),
    );
    svg.append(
      element("text", { class: "tick", x: MARGIN.left - 8, y: y(time) + 4, "text-anchor": "end" }, formatTime(time)),
    );
  }
  for (const n of powers(2, left, right)) {
    svg.append(
      element(
        "text",
        { class: "tick", x: x(n), y: HEIGHT - 18, "text-anchor": "middle" },
        n >= 1_024 ? `${n / 1_024}Ki` : String(n),
      ),
    );
  }
  svg.append(
    element("text", { class: "tick", x: MARGIN.left + inner.width, y: HEIGHT - 3, "text-anchor": "end" }, "N"),
  );

  // Labels at the right ends, pushed apart where curves end close together.
  const ends = [...curves, ...(floor ? [floor] : [])]
    .filter(({ points }) => points.length > 0)
    .map((curve, _, list) => ({
      curve,
      index: list.indexOf(curve),
      at: y((curve.points.at(-1) as readonly [number, number])[1]),
    }))
    .sort((a, b) => a.at - b.at);
  let above = Number.NEGATIVE_INFINITY;
  for (const end of ends) {
    end.at = Math.max(end.at, above + 14);
    above = end.at;
  }
  for (const { curve, index, at } of ends) {
    const dashed = curve === floor;
    const style = dashed ? "floor" : `curve c${index % 6}`;
    const path = curve.points
      .map(([n, time], i) => `${i === 0 ? "M" : "L"}${x(n).toFixed(1)} ${y(time).toFixed(1)}`)
      .join("");
    svg.append(element("path", { class: style, d: path }));
    if (!dashed) {
      for (const [n, time] of curve.points) {
        const dot = element("circle", { class: `dot c${index % 6}`, cx: x(n), cy: y(time), r: 3 });
        dot.append(element("title", {}, `${curve.name}, N = ${n}: ${formatTime(time)}`));
        svg.append(dot);
      }
    }
    const [endN] = curve.points.at(-1) as readonly [number, number];
    const name = element(
      "text",
      { class: `name ${dashed ? "floor-name" : `c${index % 6}`}`, x: x(endN) + 8, y: at + 4 },
      curve.name,
    );
    svg.append(name);
  }
  return svg;
}
