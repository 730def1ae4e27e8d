// After the sections: what comes later, the plan of a lesson, the glossary.
import { h, rich } from "../dom";
import type { State } from "../state";

export function laterView(container: HTMLElement, state: State): void {
  const { t } = state;
  const item = (n: number, title: () => string, say: () => string) =>
    h(
      "div",
      { id: `s${n}` },
      h("h2", { id: `h${n}`, tabindex: -1 }, h("span", { class: "n" }, n), h("span", title)),
      h("p", say),
      h("em", () => t.value.soon),
    );
  container.append(
    item(
      8,
      () => t.value.later.eight,
      () => t.value.later.eightSay,
    ),
  );
}

export function lessonView(container: HTMLElement, state: State): void {
  const { t } = state;
  container.append(
    h("h2", () => t.value.lesson.title),
    h(
      "div",
      { class: "say" },
      h("p", () => t.value.lesson.say),
    ),
    h("ol", { class: "plan", id: "lesson-plan" }, () =>
      t.value.lesson.steps.map(([minutes, section, say]) =>
        h(
          "li",
          h("b", t.value.lesson.minutes(minutes)),
          h("a", { href: `#s${section}` }, `${section} ${t.value.short[section] ?? ""}`),
          h("p", rich(say)),
        ),
      ),
    ),
    h("h3", { class: "sheet" }, () => t.value.lesson.sheet),
    h("ol", { class: "questions", id: "questions" }, () => t.value.lesson.questions.map((one) => h("li", one))),
  );
}

export function glossaryView(container: HTMLElement, state: State): void {
  const { t } = state;
  container.append(
    h("h2", () => t.value.glossary.title),
    h("dl", { class: "gloss" }, () =>
      t.value.glossary.terms.map(([term, other, meaning]) =>
        h("div", h("dt", term, other && [" ", h("i", other)]), h("dd", meaning)),
      ),
    ),
  );
}
