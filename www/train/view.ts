// Section 8: readers train a table of their own, watch what it learns, and make it go wrong.
import { h, rich, watch } from "../dom";
import { Embedding } from "../pkg/gomme.js";
import type { State } from "../state";
import { boardView } from "./board";
import { cosinesView, lossView, touchedView } from "./charts";
import { cpuTables } from "./cpu";
import { gpuTables } from "./gpu";
import { keepView } from "./keep";
import { nearView } from "./near";
import type { Page } from "./page";
import css from "./train.css" with { type: "text" };
import { createTraining, type MakeTables } from "./training";
import { wordsOf } from "./words";

export function trainView(container: HTMLElement, state: State, page: Page): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const t = wordsOf(state);
  const training = createTraining(state, page, openTables);
  container.querySelector(".say")?.replaceChildren(
    h("p", () => rich(t.value.say)),
    h(
      "div",
      { class: "formula" },
      h("span", () => t.value.formula[0] ?? ""),
      h("small", () => t.value.formula[1] ?? ""),
    ),
  );
  boardView(container, state, page, training);
  cosinesView(container, state, page, training);
  // Charts of nothing have no place on paper.
  watch(() => {
    container.classList.toggle("untrained", !training.snapshot.value?.step);
  });
  const two = h("div", { class: "two" });
  container.append(two);
  lossView(two, state, page, training);
  touchedView(two, state, page, training);
  nearView(container, state, page, training);
  keepView(container, state, page, training);
  page.question(
    container,
    () => rich(t.value.ask),
    () => rich(t.value.answer),
    () => state.t.value.question,
  );
}

/** Where the page computes, so does the training. */
const openTables: MakeTables = (state, pairs, seed) => {
  const open = state.device.peek()?.backend === "gpu" ? gpuTables : cpuTables;
  return open({ Embedding }, state.vocabSize.peek(), pairs, seed);
};
