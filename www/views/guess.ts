// A prediction by one click before a measurement: more, the same or less; afterwards, the result and whether it was right.
import { effect } from "@preact/signals-core";
import { h, type Kid, rich } from "../dom";
import type { Lesson, Question } from "../lesson";
import type { Guess } from "../models/outcomes";
import type { State } from "../state";

export interface GuessOptions {
  readonly question: Question;
  readonly ask: () => string;
  readonly words: () => { readonly [guess in Guess]: string };
  /** What was measured, in words; `right` is undefined where the question has no answer here. */
  readonly truth: () => { readonly right: Guess | undefined; readonly said: string } | undefined;
}

const ALL: readonly Guess[] = ["less", "same", "more"];

/** A recording is shown once its question is answered, by a guess or by a measurement. */
export function mayShow({ guesses }: Lesson, question: Question, measured: boolean): boolean {
  return measured || guesses[question].value !== undefined;
}

export function guess(state: State, { t, guesses }: Lesson, options: GuessOptions): HTMLElement {
  const chosen = guesses[options.question];
  const id = `${options.question}-guess`;
  effect(() => {
    state.resets.value;
    chosen.value = undefined;
  });
  const button = (one: Guess) =>
    h(
      "button",
      {
        class: "btn small",
        type: "button",
        "data-guess": one,
        "aria-pressed": () => String(chosen.value === one),
        onclick: () => {
          chosen.value = one;
        },
      },
      () => options.words()[one],
    );
  const answer = (): Kid => {
    const mine = chosen.value;
    if (!mine) return undefined;
    const truth = options.truth();
    const words = t.value.guess;
    const verdict = truth?.right && (truth.right === mine ? words.right : words.wrong);
    return rich([words.yours(options.words()[mine]), truth?.said, verdict].filter(Boolean).join(" "));
  };
  return h(
    "div",
    { class: "guess", id, role: "group", "aria-labelledby": `${id}-ask` },
    h(
      "p",
      { id: `${id}-ask` },
      h("b", () => t.value.guess.first),
      " ",
      () => rich(options.ask()),
    ),
    h("div", { class: "row" }, ALL.map(button)),
    h("p", { class: "note", role: "status" }, answer),
  );
}
