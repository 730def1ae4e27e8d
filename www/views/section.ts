// The head of a section: number, title, what it is about, and the formula that it makes visible.
import { h, rich } from "../dom";

export interface SectionHead {
  readonly n: number;
  readonly title: () => string;
  readonly say: () => string;
  /** The formula, and a line on it. */
  readonly formula: () => readonly string[];
}

export function sectionHead(container: HTMLElement, head: SectionHead): void {
  container.append(
    h("h2", { id: `h${head.n}`, tabindex: -1 }, h("span", { class: "n" }, head.n), h("span", head.title)),
    h(
      "div",
      { class: "say" },
      h("p", () => rich(head.say())),
      h(
        "div",
        { class: "formula" },
        h("span", () => head.formula()[0] ?? ""),
        h("small", () => head.formula()[1] ?? ""),
      ),
    ),
  );
  container.setAttribute("aria-labelledby", `h${head.n}`);
}
