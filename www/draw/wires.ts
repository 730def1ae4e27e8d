// Lines from items on the left to items on the right, one row height each, as one SVG that stretches with its box.
import { svg } from "../dom";

export interface Wire {
  /** Index on the right; −1 leads nowhere. */
  readonly to: number;
  readonly id: number;
  /** More than one line ends there. */
  readonly shared: boolean;
  /** Nothing is added along it. */
  readonly idle: boolean;
}

const ROW = 28;

export function drawWires(container: HTMLElement, wires: readonly Wire[], right: number): void {
  const tall = Math.max(wires.length, right) * ROW;
  const root = svg("svg", {
    viewBox: `0 0 100 ${Math.max(1, tall)}`,
    preserveAspectRatio: "none",
    height: tall,
    width: "100%",
  });
  const middle = (k: number, many: number) => (k + 0.5) * ROW + ((Math.max(wires.length, right) - many) * ROW) / 2;
  wires.forEach((wire, k) => {
    const y = middle(k, wires.length);
    if (wire.to < 0) {
      root.append(
        svg("path", { d: `M0 ${y}H14`, class: "wire cut", "data-id": wire.id, "vector-effect": "non-scaling-stroke" }),
      );
      return;
    }
    const z = middle(wire.to, right);
    root.append(
      svg("path", {
        d: `M0 ${y}C45 ${y} 55 ${z} 100 ${z}`,
        class: `wire${wire.idle ? " idle" : wire.shared ? " shared" : ""}`,
        "data-id": wire.id,
        "vector-effect": "non-scaling-stroke",
      }),
    );
  });
  container.replaceChildren(root);
}
