// Section 2, second half: rows that are near to the chosen one, and what is left of it in f16.
import { h, rich } from "../dom";
import { lessonOf } from "../lesson";
import type { State } from "../state";
import { question } from "./figure";
import { halvesView } from "./halves";
import { neighboursView } from "./neighbours";

export function likenessView(container: HTMLElement, state: State): void {
  const words = lessonOf(state).t;
  const two = h("div", { class: "two" });
  container.append(two);
  neighboursView(two, state);
  halvesView(two, state);
  question(
    container,
    () => rich(words.value.s2.ask),
    () => rich(words.value.s2.answer),
    () => state.t.value.question,
  );
}
