// Section 4: threads on one cell, a step at a time: first as they lose additions, then by compare-exchange.
import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
import exchangeSource from "../../shaders/01_embedding.wgsl";
import racySource from "../../shaders/gradient_racy.wgsl";
import { h, icon, type Kid, rich, watch } from "../dom";
import { bitsOf, exact, floatOf, hex, short } from "../format";
import { type Lesson, lessonOf } from "../lesson";
import { type Contribution, contributionsTo } from "../models/contributions";
import { exchangeLines, racyLines } from "../models/lines";
import { type Attempt, exchange, type RacyStep, racy } from "../models/lockstep";
import { type Algorithm, D, type State } from "../state";
import type { LessonStrings } from "../strings/lesson.tr";
import { type Column, slider, table, tableData } from "../ui";
import { columnsView } from "./columns";
import { contentionView } from "./contention";
import { figure, question } from "./figure";
import { recordedBar } from "./recorded";
import { sectionHead } from "./section";
import { pieceOf, spoken } from "./token";

export function stepperView(container: HTMLElement, state: State): void {
  const lesson = lessonOf(state);
  const { t } = lesson;
  sectionHead(container, {
    n: 4,
    title: () => t.value.s4.title,
    say: () => t.value.s4.say,
    formula: () => t.value.s4.formula,
  });
  const steps = createSteps(state);
  figure(
    container,
    state,
    {
      id: "stepper",
      title: () => [t.value.s4.stage, " ", h("small", cellName(state, lesson))],
      name: () => t.value.s4.stage,
      data: () => tableData(stepColumns(state, lesson, steps), steps.all.value),
    },
    chooseKernel(state, lesson),
    controls(state, lesson, steps),
    h(
      "div",
      { class: "now" },
      h(
        "div",
        h("p", { class: "told", id: "told", "aria-live": "polite" }, () => rich(told(state, lesson, steps))),
        words(state, lesson, steps),
      ),
      code(state, lesson, steps),
    ),
    threadsTable(state, lesson, steps),
    tally(state, lesson, steps),
    h("p", { class: "note" }, () => (steps.parts.value.length > 0 ? rich(t.value.s4.threadNames) : undefined)),
    h("p", { class: "note", id: "stepper-source" }, () => sourceNote(state, lesson, steps)),
  );
  container.append(h("div", recordedBar(state, lesson, "recorded-4", true)));
  contentionView(container, state, lesson);
  columnsView(container, state, lesson);
  question(
    container,
    () => rich(t.value.s4.ask),
    () => rich(t.value.s4.answer),
    () => state.t.value.question,
  );
}

type Words = LessonStrings["s4"];

type Step = ({ readonly kernel: "racy" } & RacyStep) | ({ readonly kernel: "cas" } & Attempt);

interface Steps {
  readonly parts: ReadonlySignal<readonly Contribution[]>;
  readonly all: ReadonlySignal<readonly Step[]>;
  readonly at: ReadonlySignal<number>;
  readonly now: ReadonlySignal<Step | undefined>;
  /** Threads that add; the others skip. */
  readonly adding: ReadonlySignal<number>;
  readonly playing: Signal<boolean>;
  readonly pace: Signal<number>;
  go(to: number): void;
}

/** Steps a second at each notch of the slider. */
const PACES = [0.5, 1, 2, 4];

function createSteps(state: State): Steps {
  const parts = computed(() => {
    const [place, gradient] = [state.chosen.value, state.gradient.value];
    if (!place || !gradient || place.id >= state.vocabSize.value) return [];
    const source = {
      ids: gradient.tokens.ids,
      upstream: gradient.upstream,
      width: D,
      kind: state.upstream.value,
      seed: state.seed.value,
    };
    return contributionsTo(source, place.id, place.d, state.threads.value);
  });
  const all = computed((): Step[] => {
    const values = parts.value.map((part) => part.value);
    return state.algorithm.value === "racy"
      ? racy(values).map((step) => ({ kernel: "racy", ...step }))
      : exchange(values).map((step) => ({ kernel: "cas", ...step }));
  });
  const at = computed(() => Math.min(state.step.value, all.value.length));
  const playing = signal(false);
  const pace = signal(1);
  let timer = 0;
  effect(() => {
    clearInterval(timer);
    if (!playing.value) return;
    timer = window.setInterval(
      () => {
        if (at.peek() >= all.peek().length) playing.value = false;
        else state.step.value = at.peek() + 1;
      },
      1000 / (PACES[pace.value] ?? 1),
    );
  });
  effect(() => {
    state.resets.value;
    playing.value = false;
    pace.value = 1;
  });
  return {
    parts,
    all,
    at,
    now: computed(() => (at.value > 0 ? all.value[at.value - 1] : undefined)),
    adding: computed(() => parts.value.filter((part) => part.fate === "adds").length),
    playing,
    pace,
    go(to) {
      playing.value = false;
      state.step.value = Math.max(0, Math.min(all.peek().length, to));
    },
  };
}

function cellName(state: State, { t }: Lesson): string {
  const place = state.chosen.value;
  if (!place || place.id >= state.vocabSize.value) return "";
  return t.value.s4.stageOf(spoken(state, place.id, pieceOf(state, place.id)), String(place.d));
}

// ---- controls

function chooseKernel(state: State, { t }: Lesson): HTMLElement {
  const one = (algorithm: Algorithm) => {
    const input = h("input", {
      id: `stepper-${algorithm}`,
      type: "radio",
      name: "stepper-kernel",
      onchange: () => {
        state.step.value = 0;
        state.algorithm.value = algorithm;
      },
    });
    watch(() => {
      input.checked = state.algorithm.value === algorithm;
    });
    return [input, h("label", { for: `stepper-${algorithm}` }, () => t.value.s4[algorithm])];
  };
  return h(
    "div",
    { class: "seg versions", role: "radiogroup", "aria-label": () => t.value.s4.which },
    one("racy"),
    one("cas"),
  );
}

function controls(state: State, { t, ...lesson }: Lesson, steps: Steps): HTMLElement {
  const { at, all, playing, go } = steps;
  const key = (id: string, label: () => string, act: () => void, off: () => boolean) =>
    h("button", { class: "btn", id, type: "button", disabled: off, onclick: act }, label);
  const atStart = () => at.value === 0;
  const atEnd = () => at.value >= all.value.length;
  const play = () => {
    if (!playing.value && atEnd()) state.step.value = 0;
    playing.value = !playing.value;
  };
  return h(
    "div",
    { class: "play", id: "stepper-controls" },
    h(
      "div",
      { class: "row" },
      key(
        "step-first",
        () => t.value.s4.first,
        () => go(0),
        atStart,
      ),
      key(
        "step-back",
        () => `← ${t.value.s4.back}`,
        () => go(at.peek() - 1),
        atStart,
      ),
      h(
        "button",
        { class: "btn go", id: "step-play", type: "button", disabled: () => all.value.length === 0, onclick: play },
        () => icon(playing.value ? "pause" : "play", "f"),
        h("span", { class: "keep" }, () => (playing.value ? t.value.s4.pause : t.value.s4.play)),
      ),
      key(
        "step-forward",
        () => `${t.value.s4.forward} →`,
        () => go(at.peek() + 1),
        atEnd,
      ),
      key(
        "step-last",
        () => t.value.s4.last,
        () => go(all.peek().length),
        atEnd,
      ),
    ),
    sliders(state, { t, ...lesson }, steps),
  );
}

function sliders(state: State, { t }: Lesson, { at, all, pace, go }: Steps): Kid {
  return [
    slider({
      id: "step-range",
      label: () => t.value.s4.step,
      min: 0,
      max: () => all.value.length,
      value: () => at.value,
      set: go,
      text: () => `${at.value} / ${all.value.length}`,
    }),
    slider({
      id: "threads",
      label: () => t.value.s4.threads,
      min: 2,
      max: 10,
      value: () => state.threads.value,
      set: (k) => {
        go(0);
        state.threads.value = k;
      },
      text: () => String(state.threads.value),
    }),
    slider({
      id: "step-pace",
      label: () => t.value.s4.pace,
      min: 0,
      max: PACES.length - 1,
      value: () => pace.value,
      set: (notch) => {
        pace.value = notch;
      },
      text: () => `${short(state.lang.value, PACES[pace.value] ?? 1)} ×`,
    }),
  ];
}

// ---- what happened

/** A value as people read it; its bits stand beside it. */
const num = (state: State, bits: number) => exact(state.lang.value, floatOf(bits));
const dec = (state: State, value: number) => `${value > 0 ? "+" : ""}${short(state.lang.value, value)}`;

/** Why nobody writes to this cell; undefined where somebody does. */
function nobody(state: State, { adding }: Steps): "outside" | "skipped" | "empty" | undefined {
  const place = state.chosen.value;
  if (!place) return "empty";
  if (place.id >= state.vocabSize.value) return "outside";
  return state.gradient.value && adding.value === 0 ? "skipped" : undefined;
}

function told(state: State, { t }: Lesson, steps: Steps): string {
  const { s4 } = t.value;
  const none = nobody(state, steps);
  if (none) return s4.nobody[none];
  const { adding, now, parts } = steps;
  const step = now.value;
  const k = String(adding.value);
  if (!step) return state.algorithm.value === "racy" ? s4.racyStart(k) : s4.casStart(k);
  const value = dec(state, parts.value[step.thread]?.value ?? 0);
  const ends = steps.at.value === steps.all.value.length;
  if (step.kernel === "cas") {
    const said = step.won
      ? s4.casWon(step.thread, num(state, step.old), value, num(state, step.after))
      : s4.casFailed(step.thread, num(state, step.old), num(state, step.found), step.winner);
    return ends ? `${said} ${casEnd(state, s4, steps, step)}` : said;
  }
  if (step.act === "read") return s4.racyRead(step.thread, value, num(state, step.next));
  const said =
    step.erased === undefined
      ? s4.racyWrote(step.thread, num(state, step.next))
      : s4.racyErased(step.thread, num(state, step.next), step.erased);
  return ends ? `${said} ${racyEnd(state, s4, steps, step)}` : said;
}

function casEnd(state: State, s4: Words, { adding, all }: Steps, last: Attempt): string {
  const failures = all.value.filter((step) => step.kernel === "cas" && !step.won).length;
  if (adding.value < 2) return s4.casOne(num(state, last.after));
  return s4.casDone(String(adding.value), String(failures), num(state, last.after));
}

function racyEnd(state: State, s4: Words, { adding, parts }: Steps, last: RacyStep): string {
  const kept = num(state, last.after);
  if (adding.value < 2) return s4.racyOne(kept);
  const sum = parts.value.reduce((total, part) => (part.fate === "adds" ? Math.fround(total + part.value) : total), 0);
  return s4.racyDone(kept, exact(state.lang.value, sum), String(adding.value), String(adding.value - 1));
}

/** The cell and what the acting thread believes of it, bit by bit. */
function words(state: State, { t }: Lesson, { now }: Steps): HTMLElement {
  const inCell = () => now.value?.found ?? 0;
  const believed = () => {
    const step = now.value;
    return step ? (step.kernel === "cas" ? step.old : step.read) : 0;
  };
  const actor = () => now.value?.thread ?? 0;
  const word = (label: () => string, bits: () => number, other: () => number) => {
    const cells = Array.from({ length: 32 }, (_, i) => h("i", { class: i === 0 ? "sign" : i < 9 ? "exponent" : "" }));
    watch(() => {
      const [a, b] = [bits(), other()];
      cells.forEach((cell, i) => {
        const bit = (a >>> (31 - i)) & 1;
        cell.textContent = String(bit);
        cell.classList.toggle("differs", bit !== ((b >>> (31 - i)) & 1));
      });
    });
    return h(
      "div",
      h("dt", label),
      h(
        "dd",
        { class: "mono" },
        h("b", () => hex(bits())),
        () => ` = ${num(state, bits())}`,
      ),
      h("dd", { class: "bits", "aria-hidden": "true" }, cells),
    );
  };
  return h(
    "div",
    h(
      "dl",
      { class: "words" },
      word(() => t.value.s4.inCell(actor()), inCell, believed),
      word(() => t.value.s4.expected(actor()), believed, inCell),
    ),
    h("p", { class: "note" }, () => rich(t.value.s4.bitsNote)),
  );
}

const LINES = {
  racy: { file: "gradient_racy.wgsl", lines: racyLines(racySource) },
  cas: { file: "01_embedding.wgsl", lines: exchangeLines(exchangeSource) },
};

/** The line of the shader that the last step ran. */
function lineOf(step: Step | undefined, algorithm: Algorithm): string {
  if (algorithm === "racy") return step ? "grad_table[dst_idx] =" : "let dst_idx";
  if (!step) return "atomicLoad";
  return step.kernel === "cas" && step.won ? "break;" : "old_bits = res.old_value";
}

/** A line too long for its box goes on after a bracket, not inside a name. */
const foldable = (line: string): Kid => line.split(/(?<=\()/).map((part, i) => [i > 0 && h("wbr"), part]);

function code(state: State, { t }: Lesson, { now }: Steps): HTMLElement {
  return h(
    "div",
    { translate: "no" },
    h("pre", { class: "code", id: "stepper-code" }, () => {
      const algorithm = state.algorithm.value;
      return LINES[algorithm].lines.map((line) =>
        h("span", { class: () => (line.includes(lineOf(now.value, algorithm)) ? "at" : "") }, foldable(line)),
      );
    }),
    h("p", { class: "note" }, () => t.value.s4.codeNote(LINES[state.algorithm.value].file)),
  );
}

// ---- threads

interface Line {
  readonly thread: number;
  readonly part: Contribution;
  readonly known: number | undefined;
  readonly next: number | undefined;
  readonly state: keyof Words["states"];
  readonly steps: readonly { readonly mark: "wrote" | "failed" | "read" | "ahead"; readonly now: boolean }[];
}

function lineFor(steps: Steps, part: Contribution, thread: number): Line {
  const done = steps.all.value.slice(0, steps.at.value);
  const now = steps.now.value;
  const own = steps.all.value.filter((step) => step.thread === thread);
  const last = done.filter((step) => step.thread === thread).at(-1);
  const marks = own.map((step) => ({
    mark: done.includes(step) ? markOf(step) : ("ahead" as const),
    now: step === now,
  }));
  const line = { thread, part, steps: marks };
  if (part.fate !== "adds") return { ...line, known: undefined, next: undefined, state: part.fate };
  if (!last || last.kernel === "racy") {
    const erased = done.some((step) => step.kernel === "racy" && step.act === "write" && step.erased === thread);
    const state = !last
      ? own[0]?.kernel === "cas"
        ? "waiting"
        : "ready"
      : last.act === "read"
        ? "read"
        : erased
          ? "erased"
          : "wrote";
    const known = last ? last.read : own[0]?.kernel === "cas" ? 0 : undefined;
    const next = known === undefined || last?.act === "write" ? undefined : bitsOf(part.value);
    return { ...line, known, next, state };
  }
  const known = last.won ? last.old : last.found;
  const state = last.won ? (now?.thread === thread ? "wrote" : "done") : "again";
  const next = last.won ? undefined : bitsOf(Math.fround(floatOf(known) + part.value));
  return { ...line, known, next, state };
}

function markOf(step: Step): "wrote" | "failed" | "read" {
  if (step.kernel === "racy") return step.act === "read" ? "read" : "wrote";
  return step.won ? "wrote" : "failed";
}

function threadsTable(state: State, { t }: Lesson, steps: Steps): HTMLElement {
  const { now, parts } = steps;
  const bits = (value: number | undefined) => (value === undefined ? "–" : hex(value));
  const columns: readonly Column<Line>[] = [
    { key: "thread", label: () => "thread", value: ({ thread }) => `thread ${thread}` },
    { key: "s", label: () => t.value.s4.position, value: ({ part }) => `s = ${part.s}`, class: "num pos" },
    {
      key: "val",
      label: () => t.value.s4.contribution,
      value: ({ part }) => dec(state, part.value),
      class: "num val",
    },
    { key: "old_bits", label: () => t.value.s4.known, value: ({ known }) => bits(known), class: "num mono" },
    { key: "new_bits", label: () => t.value.s4.next, value: ({ next }) => bits(next), class: "num mono" },
    {
      key: "steps",
      label: () => t.value.s4.attempt,
      value: () => "",
      class: "tries",
      show: (line) => [
        h(
          "span",
          { "aria-hidden": "true" },
          line.steps.map((step) => h("i", { class: `dot ${step.mark}${step.now ? " acting" : ""}` })),
        ),
        h("span", { class: "sr" }, dots(t.value.s4, line)),
      ],
    },
    { key: "state", label: () => t.value.s4.state, value: (line) => t.value.s4.states[line.state], class: "status" },
  ];
  return table(state.lang, {
    id: "lanes",
    class: "stack threads",
    caption: () => t.value.s4.lanes,
    columns,
    rows: () => parts.value.map((part, thread) => lineFor(steps, part, thread)),
    row: (line) => ({ class: now.value?.thread === line.thread ? "at" : "" }),
    hidden: () => parts.value.length === 0,
  });
}

function dots(s4: Words, { steps }: Line): string {
  const names = { wrote: s4.wrote, failed: s4.failed, read: s4.read, ahead: "" };
  return steps
    .map((step) => names[step.mark])
    .filter(Boolean)
    .join(", ");
}

/** The cost of the version shown: contributions lost, or attempts that failed. */
function tally(state: State, { t }: Lesson, { all, at, adding }: Steps): HTMLElement {
  const bad = (step: Step) => (step.kernel === "racy" ? step.erased !== undefined : !step.won);
  const now = () => all.value.slice(0, at.value).filter(bad).length;
  const most = () => all.value.filter(bad).length;
  const isRacy = () => state.algorithm.value === "racy";
  const ticks = h("span", { class: "ticks", "aria-hidden": "true" });
  watch(() => {
    const [done, total] = [now(), most()];
    ticks.replaceChildren(...Array.from({ length: total }, (_, i) => h("i", { class: i < done ? "filled" : "" })));
  });
  const key = (mark: string, label: () => string) => h("span", h("i", { class: `dot ${mark}` }), " ", label);
  return h(
    "div",
    { class: "count", hidden: () => adding.value === 0 },
    h(
      "span",
      { id: "fail-count" },
      () => (isRacy() ? t.value.s4.lost : t.value.s4.failures),
      " ",
      h("strong", () => String(now())),
      () => ` / ${most()}`,
    ),
    h("span", { class: "why-lost" }, () =>
      isRacy() && most() > 0 ? t.value.s4.lostWhy(String(adding.value), String(most())) : undefined,
    ),
    ticks,
    h("span", { class: "keys" }, () => [
      isRacy() ? key("read", () => t.value.s4.read) : key("failed", () => t.value.s4.failed),
      key("wrote", () => t.value.s4.wrote),
    ]),
  );
}

function sourceNote(state: State, { t }: Lesson, { parts }: Steps): string | undefined {
  const place = state.chosen.value;
  const gradient = state.gradient.value;
  if (!place || !gradient || parts.value.length === 0) return undefined;
  const { s4 } = t.value;
  const inText = parts.value.filter((part) => part.s < gradient.tokens.ids.length).length;
  const skipped = parts.value.filter((part) => part.fate !== "adds").length;
  const single = state.upstream.value === "single" && !state.ownGradient.value;
  const repeated = inText < parts.value.length && s4.repeated(String(parts.value.length), String(inText));
  return [
    s4.valuesFrom(spoken(state, place.id, pieceOf(state, place.id)), String(place.d)),
    single ? s4.onlyOne(String(parts.value.length)) : repeated,
    !single && skipped > 0 && s4.skipping(String(skipped)),
  ]
    .filter(Boolean)
    .join(" ");
}

function stepColumns(state: State, { t }: Lesson, { parts, all }: Steps): readonly Column<Step>[] {
  const { s4 } = t.value;
  const result = (step: Step) => {
    if (step.kernel === "cas") return step.won ? s4.wrote : s4.failed;
    if (step.act === "read") return s4.read;
    return step.erased === undefined ? s4.wrote : `${s4.wrote}, ${s4.erased}: thread ${step.erased}`;
  };
  return [
    { key: "step", label: () => s4.step, numeric: true, value: (step) => all.value.indexOf(step) + 1 },
    { key: "kernel", label: () => s4.which, value: (step) => step.kernel },
    { key: "thread", label: () => "thread", numeric: true, value: (step) => step.thread },
    { key: "val", label: () => s4.contribution, numeric: true, value: (step) => parts.value[step.thread]?.value ?? 0 },
    {
      key: "old_bits",
      label: () => s4.known,
      value: (step) => hex(step.kernel === "cas" ? step.old : step.read),
    },
    { key: "new_bits", label: () => s4.next, value: (step) => hex(step.next) },
    {
      key: "cell",
      label: () => s4.inCellAfter,
      value: (step) => `${hex(step.after)} = ${num(state, step.after)}`,
    },
    { key: "result", label: () => s4.result, value: result },
  ];
}
