// Section 6: the compare-exchange kernel at one length while the word frequencies go from flat to skewed.
import type { ReadonlySignal } from "@preact/signals-core";
import { h } from "../dom";
import { count, duration, fixed, short } from "../format";
import type { Lesson } from "../lesson";
import { measureSkew, SKEWS, type SkewPoint, type SkewSweep, type Sweep } from "../measure/speed";
import { paceOutcome, skewOutcome, truth } from "../models/outcomes";
import { D, type State } from "../state";
import { type Column, notice, table, tableData } from "../ui";
import { figure } from "./figure";
import { guess } from "./guess";
import { jobButton, jobOf, jobProgress } from "./job";

/** Equal times are no further apart than the outcome's own tolerance. */
const SLACK = 1.1;

export function skewView(container: HTMLElement, state: State, lesson: Lesson, at: ReadonlySignal<number>): void {
  const { t } = lesson;
  const job = jobOf(state);
  const c = (value: number) => count(state.lang.value, value);
  const points = () => state.skewSweep.value?.points ?? [];
  const sweep = () =>
    job.start(async (control) => {
      const engine = state.engine.value;
      if (!engine) return;
      const n = at.peek();
      state.skewSweep.value = undefined;
      const options = { n, vocabulary: state.vocabSize.peek(), seed: state.seed.peek() };
      const tell = (done: number, total: number) => {
        const { s6 } = t.peek();
        control.tell(done, total, s6.progress(s6.kernels.embed_backward, c(n), c(done + 1), c(total)));
      };
      await measureSkew(engine.time, options, { stopped: control.stopped, tell }, (found) => {
        state.skewSweep.value = found;
      });
    });
  const columns = skewColumns(state, lesson, points);
  figure(
    container,
    state,
    {
      id: "hurt",
      title: () => [t.value.s6.hurt, " ", h("small", t.value.s6.hurtSub(c(state.skewSweep.value?.n ?? at.value)))],
      name: () => t.value.s6.hurt,
      isTable: true,
      empty: () => points().length === 0,
      data: () => tableData(columns, points()),
    },
    guess(state, lesson, {
      id: "hurt-guess",
      ask: () => t.value.s6.hurtAsk,
      words: () => t.value.s6.hurtGuess,
      truth: () => skewTruth(state, lesson, points()),
    }),
    h(
      "div",
      { class: "bar" },
      jobButton(job, {
        id: "hurt-go",
        go: () => t.value.s6.hurtGo,
        stop: () => t.value.s6.stop,
        ready: () => state.phase.value === "ready",
        act: sweep,
      }),
      h("p", { class: "head-label" }, () => (points().length ? "" : t.value.s6.hurtNone)),
    ),
    jobProgress(job, "hurt-progress", () => t.value.later.queued),
    notice({ id: "hurt-dropped", kind: "warning", text: () => droppedNote(lesson, state.skewSweep.value?.dropped) }),
    table(state.lang, {
      id: "hurt-table",
      class: "stack hurt",
      caption: () => t.value.s6.hurt,
      columns,
      rows: points,
      hidden: () => points().length === 0,
    }),
    h("p", { class: "note", id: "hurt-note" }, () => skewSays(lesson, state.skewSweep.value)),
    h("p", { class: "rec", id: "hurt-recorded" }, () => recordedSays(state, lesson)),
  );
}

/** Why some of what was measured is not shown. */
export function droppedNote({ t }: Lesson, dropped: Sweep["dropped"] | undefined): string | undefined {
  const says = t.value.s6.dropped;
  if (dropped?.hidden) return says.hidden(String(dropped.hidden));
  return dropped?.clock ? says.clock(String(dropped.clock)) : undefined;
}

function skewSays({ t }: Lesson, sweep: Pick<SkewSweep, "n" | "points"> | undefined): string | undefined {
  if (!sweep || sweep.points.length < SKEWS.length) return undefined;
  const outcome = skewOutcome(sweep.points, sweep.n * D);
  return outcome && t.value.s6.hurtSays[outcome.time][outcome.retries];
}

/** The recorded card at its longest: its first and last time, and the sentence that fits them. */
function recordedSays(state: State, lesson: Lesson): string | undefined {
  const longest = lesson.recorded.shown.value?.skew.at(-1);
  const [first, last] = [longest?.points[0], longest?.points.at(-1)];
  if (!longest || !first || !last || first === last) return undefined;
  const { t } = lesson;
  const us = (point: SkewPoint) => duration(state.lang.value, point.measure.microseconds);
  const where = `${t.value.recorded.column}, N = ${count(state.lang.value, longest.n)}`;
  return `${where}: ${t.value.s6.hurtTruth(us(first), us(last))} ${skewSays(lesson, longest) ?? ""}`;
}

function skewTruth(state: State, { t }: Lesson, points: readonly SkewPoint[]) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < SKEWS.length) return undefined;
  const [low, high] = [first.measure.microseconds, last.measure.microseconds];
  const said = t.value.s6.hurtTruth(duration(state.lang.value, low), duration(state.lang.value, high));
  const right = paceOutcome(high / low) === "alike" ? "same" : truth(high, low, SLACK);
  return { right, said } as const;
}

function skewColumns(state: State, { t }: Lesson, points: () => readonly SkewPoint[]): readonly Column<SkewPoint>[] {
  const { lang } = state;
  const most = () => Math.max(1, ...points().map((point) => point.measure.microseconds));
  const numeric = true;
  const perAdd = ({ measure }: SkewPoint) => (measure.retries ?? 0) / ((state.skewSweep.value?.n ?? 1) * D);
  return [
    {
      key: "skew",
      label: () => t.value.s6.hurtSkew,
      numeric,
      value: (point) => point.skew,
      show: (point) => fixed(lang.value, point.skew, 1),
    },
    {
      key: "bar",
      label: () => "",
      only: "page",
      class: "meter-cell",
      head: () => h("td", { class: "meter-cell", role: "cell" }),
      value: () => "",
      show: ({ measure }) =>
        h("span", { class: "meter", css: { "--p": (100 * measure.microseconds) / most(), "--bar": "var(--value-7)" } }),
    },
    {
      key: "microseconds",
      label: () => t.value.s6.time,
      numeric,
      value: ({ measure }) => measure.microseconds,
      show: ({ measure }) => duration(lang.value, measure.microseconds),
    },
    {
      key: "most_hits",
      label: () => t.value.s6.hurtHits,
      numeric,
      value: (point) => point.most,
      show: (point) => count(lang.value, point.most),
    },
    {
      key: "retries",
      label: () => t.value.s6.retries,
      numeric,
      value: ({ measure }) => measure.retries ?? "",
      show: ({ measure }) => (measure.retries === undefined ? "–" : count(lang.value, measure.retries)),
    },
    {
      key: "per_addition",
      label: () => t.value.s6.perAdd,
      numeric,
      value: perAdd,
      show: (point) => (perAdd(point) >= 0.01 ? fixed(lang.value, perAdd(point), 2) : short(lang.value, perAdd(point))),
    },
  ];
}
