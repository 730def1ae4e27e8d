// The frame of a measurement for each k: a guess beforehand, the button, its progress, a sentence on what came out, and the
// table. Sections 4 and 5 have three of them.
import { h, type Kid, rich } from "../dom";
import type { Job } from "../job";
import type { Lesson } from "../lesson";
import type { State } from "../state";
import { type Column, table, tableData } from "../ui";
import { figure } from "./figure";
import { type GuessOptions, guess, mayShow } from "./guess";
import { jobButton, jobProgress } from "./job";

export interface MeasuredOptions<Row> {
  /** The ids of what is inside begin with it. */
  readonly id: string;
  /** The figure's own id, if it is another. */
  readonly figure?: string;
  readonly title: () => string;
  readonly subtitle: () => string;
  readonly intro?: () => string;
  readonly guess?: GuessOptions;
  readonly job: Job;
  readonly measure: () => void;
  /** Whether there is a measurement from this visit. */
  readonly done: () => boolean;
  /** Whether a recording may be shown, and is. */
  readonly recorded: () => boolean;
  readonly verdict: () => string;
  readonly plot?: Kid;
  readonly columns: () => readonly Column<Row>[];
  /** All rows, for the files. */
  readonly rows: () => readonly Row[];
  /** The k whose rows the page shows. */
  readonly shown: ReadonlySet<number>;
}

export function measuredFigure<Row extends { readonly k: number }>(
  container: HTMLElement,
  state: State,
  lesson: Lesson,
  options: MeasuredOptions<Row>,
  ...more: Kid[]
): void {
  const { t } = lesson;
  const { id, title, intro, job, done } = options;
  const question = options.guess?.question;
  /** The recording would answer the question: it waits for the guess, or for the measurement. */
  const heldBack = () => question !== undefined && lesson.recorded.on.value && !mayShow(lesson, question, done());
  const empty = () => !done() && !options.recorded();
  figure(
    container,
    state,
    {
      id: options.figure ?? id,
      title: () => [title(), " ", h("small", options.subtitle())],
      name: title,
      isTable: true,
      empty,
      data: () => tableData(options.columns(), options.rows()),
    },
    intro && h("p", { class: "note" }, () => rich(intro())),
    options.guess && guess(state, lesson, options.guess),
    h(
      "div",
      { class: "bar" },
      jobButton(job, {
        id: `measure-${id}`,
        go: () => (done() ? t.value.s4.again : t.value.s4.cellGo),
        stop: () => t.value.s4.stop,
        ready: () => state.phase.value === "ready",
        act: options.measure,
      }),
      h("p", { class: "head-label" }, () => (done() ? "" : t.value.s4.notYet)),
    ),
    jobProgress(job, `${id}-progress`, () => t.value.later.queued),
    h("p", { class: "note" }, () => (heldBack() ? t.value.recorded.heldBack : undefined)),
    h("p", { class: "verdict", id: `${id}-note` }, () => rich(options.verdict())),
    options.plot,
    (): Kid =>
      table(state.lang, {
        id: `${id}-table`,
        class: "by-k",
        caption: title,
        columns: options.columns(),
        rows: () => (empty() ? [] : options.rows().filter((row) => options.shown.has(row.k))),
        hidden: empty,
      }),
    more,
  );
}
