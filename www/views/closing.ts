// After the sections: the plan of a lesson, the glossary.
import { signal } from "@preact/signals-core";
import { h, rich } from "../dom";
import { type Lesson, lessonOf } from "../lesson";
import type { State } from "../state";
import { toggle } from "../ui";

export function lessonView(container: HTMLElement, state: State): void {
  const { t } = lessonOf(state);
  const say = () => t.value.lesson;
  container.append(
    h("h2", () => say().title),
    h(
      "div",
      { class: "say" },
      h("p", () => say().say),
    ),
    h("ol", { class: "plan", id: "lesson-plan" }, () =>
      say().steps.map(([minutes, section, what, optional]) =>
        h(
          "li",
          { class: optional ? "optional" : "" },
          h("b", say().minutes(minutes)),
          h("a", { href: `#s${section}` }, `${section} ${state.t.value.short[section] ?? ""}`),
          h("p", rich(what), optional && [" ", h("em", say().optional)]),
        ),
      ),
    ),
    h("h3", { class: "sheet" }, () => say().sheet),
    h("ol", { class: "questions", id: "questions" }, () => say().questions.map((one) => h("li", rich(one)))),
    answerKey(t),
  );
}

/** Answers for teachers, folded away, and on paper only when asked for. */
function answerKey(t: Lesson["t"]): HTMLElement {
  const print = signal(false);
  const key = h(
    "details",
    { class: () => (print.value ? "key" : "key screen-only"), id: "answer-key" },
    h("summary", () => t.value.lesson.key),
    toggle({ id: "print-answers", label: () => t.value.lesson.keyPrint, on: print }),
    h("ol", { class: "questions" }, () => t.value.lesson.answers.map((one) => h("li", rich(one)))),
  );
  // What is folded is not printed.
  let folded = false;
  addEventListener("beforeprint", () => {
    folded = print.peek() && !key.open;
    if (folded) key.open = true;
  });
  addEventListener("afterprint", () => {
    if (folded) key.open = false;
  });
  return key;
}

export function glossaryView(container: HTMLElement, state: State): void {
  const { t } = lessonOf(state);
  container.append(
    h("h2", () => t.value.glossary.title),
    h("dl", { class: "gloss" }, () =>
      t.value.glossary.terms.map(([id, term, other, meaning]) =>
        h("div", { id: `g-${id}`, tabindex: -1 }, h("dt", term, other && [" ", h("i", other)]), h("dd", rich(meaning))),
      ),
    ),
  );
}
