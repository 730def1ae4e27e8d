// Three hints that open one by one, and the solution, which opens last.
import { signal } from "@preact/signals-core";
import { h, type Kid, rich } from "../dom";
import type { Id } from "./exercises/exercise";
import type { Workshop } from "./model";

export function hintsView(container: HTMLElement, shop: Workshop): void {
  const { words, id } = shop;
  const opened = signal<{ readonly [which in Id]?: number }>({});
  const many = () => opened.value[id.value] ?? 0;
  const more = (label: () => string, name: string) =>
    h(
      "button",
      {
        class: "btn small",
        id: name,
        type: "button",
        onclick: () => {
          opened.value = { ...opened.peek(), [id.peek()]: many() + 1 };
          // The button disappears, so what it opened takes the focus.
          requestAnimationFrame(() =>
            setTimeout(() => {
              container.querySelector<HTMLElement>(".ws-hints .new")?.focus();
              showChange(container);
            }, 60),
          );
        },
      },
      label,
    );
  container.append(
    h(
      "div",
      { class: "ws-hints", id: "workshop-hints" },
      h("h3", () => words.value.hints),
      (): Kid => {
        const { hints } = words.value.exercises[id.value];
        const open = many();
        const list: Kid[] = hints
          .slice(0, open)
          .map((text, k) =>
            h(
              "li",
              { class: k === open - 1 ? "new" : "", tabindex: -1, id: `hint-${k + 1}` },
              h("b", words.value.hint(k + 1)),
              h("span", rich(text)),
            ),
          );
        return [
          open > 0 && h("ol", list),
          open < 3 && more(() => words.value.showHint(open + 1), "workshop-hint"),
          open < 3 && h("p", { class: "note" }, words.value.solutionLast),
          open === 3 && more(() => words.value.showSolution, "workshop-solution"),
          open > 3 && solution(shop),
        ];
      },
    ),
  );
}

/** Brings the first line that the solution changes to the middle of its box. */
function showChange(container: HTMLElement): void {
  const [box, line] = [".ws-solution pre", ".ws-solution .ws-new"].map((one) =>
    container.querySelector<HTMLElement>(one),
  );
  if (!box || !line) return;
  box.scrollTop += line.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
}

function solution(shop: Workshop): Kid {
  const { words, id } = shop;
  const code = shop.solution(id.value);
  const given = new Set(shop.start(id.value).split("\n"));
  const lines = code
    .split("\n")
    .map((line) => h("span", { class: given.has(line) ? "" : "ws-new" }, line === "" ? "\n" : `${line}\n`));
  return h(
    "div",
    { class: "ws-solution new", tabindex: -1, id: "solution" },
    h("b", words.value.solution),
    h("pre", { tabindex: 0, role: "region", "aria-label": words.value.solution }, h("code", lines)),
    h("p", { class: "note" }, words.value.solutionKey),
    h(
      "button",
      {
        class: "btn small",
        id: "workshop-use",
        type: "button",
        onclick: () => shop.put(code, (now) => now.solutionPut),
      },
      words.value.useSolution,
    ),
  );
}
