// Section 6: the compare-exchange kernel at one length while the word frequencies go from flat to skewed.
import type { ReadonlySignal } from "@preact/signals-core";
import { h } from "../dom";
import { count, duration, fixed, short } from "../format";
import type { Lesson } from "../lesson";
import { measureSkew, SKEWS, type SkewPoint, type SkewSweep, type Sweep } from "../measure/speed";
import { skewOutcome } from "../models/outcomes";
import { D, type State } from "../state";
import { type Column, notice, table, tableData } from "../ui";
import { figure } from "./figure";
import { guess, mayShow } from "./guess";
import { jobButton, jobOf, jobProgress } from "./job";

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
      question: "hurt",
      ask: () => t.value.s6.hurtAsk,
      words: () => t.value.s6.hurtGuess,
      truth: () => (job.running.value ? undefined : skewTruth(state, lesson, state.skewSweep.value)),
    }),
    h(
      "div",
      { class: "bar" },
      jobButton(job, {
        id: "hurt-go",
        go: () => (points().length ? t.value.s4.again : t.value.s6.hurtGo),
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
    h("p", { class: "note", id: "hurt-note" }, () =>
      job.running.value ? undefined : skewSays(lesson, state.skewSweep.value),
    ),
    h("p", { class: "rec", id: "hurt-recorded" }, () =>
      mayShow(lesson, "hurt", points().length > 0) ? recordedSays(state, lesson, at.value) : undefined,
    ),
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

/** The recorded card at the length nearest to the reader's: its first and last time, and the sentence that fits them. */
function recordedSays(state: State, lesson: Lesson, n: number): string | undefined {
  const away = (one: { readonly n: number }) => Math.abs(Math.log(one.n / n));
  const sweep = [...(lesson.recorded.shown.value?.skew ?? [])].sort((a, b) => away(a) - away(b))[0];
  const [first, last] = [sweep?.points[0], sweep?.points.at(-1)];
  if (!sweep || !first || !last || first === last) return undefined;
  const { t } = lesson;
  const us = (point: SkewPoint) => duration(state.lang.value, point.measure.microseconds);
  const where = `${t.value.recorded.column}, N = ${count(state.lang.value, sweep.n)}`;
  return `${where}: ${t.value.s6.hurtTruth(us(first), us(last))} ${skewSays(lesson, sweep) ?? ""}`;
}

const RIGHT = { slower: "more", alike: "same", faster: "less", unsteady: undefined } as const;

/** Whether the guess was right: times that settle nothing settle no guess. */
function skewTruth(state: State, { t }: Lesson, sweep: SkewSweep | undefined) {
  const [first, last] = [sweep?.points[0], sweep?.points.at(-1)];
  if (!sweep || !first || !last || sweep.points.length < SKEWS.length) return undefined;
  const us = (point: SkewPoint) => duration(state.lang.value, point.measure.microseconds);
  const outcome = skewOutcome(sweep.points, sweep.n * D);
  const said = t.value.s6.hurtTruth(us(first), us(last));
  const right = outcome && RIGHT[outcome.time];
  return { right, said: right ? said : `${said} ${t.value.s6.hurtOpen}` };
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
