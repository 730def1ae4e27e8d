// The key to a colour scale: signed values from blue to orange, counts from light to dark.
import { h, type Kid } from "../dom";
import { short } from "../format";
import type { State } from "../state";

export function legend(state: State, limit: () => number): Kid {
  const text = () => short(state.lang.value, limit());
  return h(
    "span",
    { class: "legend" },
    h("span", () => `≤ −${text()}`),
    h("span", "0"),
    h("span", () => `≥ ${text()}`),
  );
}

export function countLegend(from: () => string, to: () => string): Kid {
  return h("span", { class: "legend seq" }, h("span", from), h("span", to));
}
