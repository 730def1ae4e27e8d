// The controls of the training, where it stands, and what it shows.
import { computed } from "@preact/signals-core";
import { h, icon, type Kid, rich } from "../dom";
import { count, fixed, short } from "../format";
import { DEFAULTS, type Rule, type State } from "../state";
import { notice, slider, toggle } from "../ui";
import { factsOf } from "./facts";
import type { Outcome } from "./outcome";
import { collapse, RATES, rateIndex, tooLarge } from "./pace";
import type { Page } from "./page";
import { START_LOSS } from "./run";
import { canTrain } from "./source";
import type { Training } from "./training";
import { pairName, wordsOf } from "./words";

/** Different pieces under which a table only memorises. */
const FEW = 200;

export function boardView(container: HTMLElement, state: State, page: Page, training: Training): void {
  const t = wordsOf(state);
  const { lang } = state;
  const { job, snapshot } = training;
  const ready = () => state.phase.value === "ready" && !!training.source.value && canTrain(training.source.value);
  const idle = () => ready() && !job.running.value;
  const points = () => snapshot.value?.points ?? [];
  page.figure(
    container,
    state,
    {
      id: "train",
      title: () => t.value.board,
      name: () => t.value.board,
      facts: () => factsOf(snapshot.peek()),
      data: () => ({
        columns: [
          { key: "step", label: t.value.steps, numeric: true },
          { key: "loss", label: t.value.loss, numeric: true },
          ...(snapshot.value?.watched ?? []).map((one, i) => ({
            key: `cosine${i}`,
            label: snapshot.value ? pairName(state, snapshot.value, one) : "",
            numeric: true,
          })),
        ],
        rows: points().map((one) => [one.step, one.loss, ...one.cosines]),
      }),
    },
    h(
      "div",
      { class: "bar" },
      choice(
        "train-source",
        ["pairs", "tale", "text"] as const,
        state.source,
        (kind) => t.value.sources[kind],
        () => t.value.source,
      ),
    ),
    h("p", { class: "note", id: "train-about" }, () => about(training)),
    notice({
      id: "train-few",
      kind: "warning",
      text: () => {
        const words = training.source.value?.ids.length ?? FEW;
        if (!training.source.value) return undefined;
        if (!canTrain(training.source.value)) return t.value.cannot;
        return words < FEW ? t.value.few(words) : undefined;
      },
    }),
    notice({
      id: "train-missing",
      kind: "warning",
      text: () => {
        const why = state.source.value === "pairs" ? training.missing.value : undefined;
        return why && t.value.missing(why);
      },
    }),
    h(
      "div",
      { class: "train-controls" },
      h(
        "div",
        { class: "bar" },
        h(
          "button",
          {
            class: () => (job.running.value ? "btn" : "btn go"),
            id: "train-go",
            type: "button",
            disabled: () => !job.running.value && !ready(),
            onclick: () => (job.running.peek() ? training.stop() : training.start()),
          },
          () => icon(job.running.value ? "stop" : "play", "f"),
          h("span", () => {
            if (job.running.value) return t.value.stop;
            if (!fits(training) || (snapshot.value?.step ?? 0) === 0) return t.value.start;
            return snapshot.value?.outcome.kind === "broken" ? t.value.restart : t.value.resume;
          }),
        ),
        button(
          "train-step",
          "next",
          () => t.value.one,
          () => !idle(),
          training.step,
        ),
        button(
          "train-again",
          "reset",
          () => t.value.again,
          () => !idle() || !fits(training) || (snapshot.value?.step ?? 0) === 0,
          training.again,
        ),
        button(
          "train-seed",
          "dice",
          () => [t.value.seed(state.trainSeed.value), h("span", { class: "sr" }, `: ${t.value.newSeed}`)],
          () => !idle(),
          () => {
            state.trainSeed.value = (state.trainSeed.peek() % 0xffff) + 1;
          },
        ),
        toggle({ id: "train-slow", label: () => t.value.slow, on: training.slow }),
      ),
      h(
        "div",
        { class: "train-dials" },
        choice(
          "train-rule",
          ["adagrad", "sgd"] as const,
          state.rule,
          (rule: Rule) => t.value.rules[rule],
          () => t.value.rule,
        ),
        slider({
          id: "train-rate",
          label: () => t.value.rate,
          min: 0,
          max: RATES.length - 1,
          value: () => rateIndex(state.rate.value),
          set: (value) => {
            state.rate.value = RATES[value] ?? DEFAULTS.rate;
          },
          text: () => short(lang.value, state.rate.value),
        }),
      ),
      h(
        "div",
        { class: "bar train-wrong", role: "group", "aria-label": () => t.value.wrong },
        h("span", { class: "head-label" }, () => t.value.wrong),
        button(
          "train-collapse",
          "warn",
          () => t.value.collapse,
          () => !idle(),
          () => training.attempt(collapse(training.pace.peek())),
        ),
        button(
          "train-large",
          "warn",
          () => t.value.tooLarge,
          () => !idle(),
          () => training.attempt(tooLarge(training.pace.peek())),
        ),
        () =>
          (state.rule.value !== DEFAULTS.rule || state.rate.value !== DEFAULTS.rate) &&
          button(
            "train-restore",
            "reset",
            () => t.value.restore,
            () => job.running.value,
            () => {
              training.restore();
              // This button goes; the one to press next takes the focus.
              document.getElementById("train-go")?.focus();
            },
          ),
      ),
    ),
    numbers(state, training),
    h("p", { class: "note", id: "train-state" }, () => standing(training)),
    h("p", { class: "sr", role: "status" }, () => {
      const now = job.running.value ? undefined : snapshot.value;
      return now && now.step > 0 ? t.value.ended(now.step) : undefined;
    }),
    notice({
      id: "train-lost",
      kind: "warning",
      role: "alert",
      text: () => (training.lost.value === undefined ? undefined : t.value.lost(training.lost.value)),
    }),
    notice({ id: "train-error", kind: "warning", role: "alert", text: () => job.error.value }),
    notice({
      id: "train-changed",
      kind: "note",
      text: () =>
        snapshot.value && training.source.value && snapshot.value.source !== training.source.value && t.value.changed,
    }),
    h(
      "p",
      { class: "verdict", id: "train-outcome", "data-outcome": () => snapshot.value?.outcome.kind ?? "none" },
      () => rich(sayOutcome(state, training)),
    ),
    h("p", { class: "note", id: "train-why" }, () => {
      const now = snapshot.value;
      return now?.outcome.kind === "collapsed" && now.rule === "sgd" && rich(t.value.outcome.collapsedWhy);
    }),
    notice({
      id: "train-repeat",
      kind: "note",
      text: () => {
        const found = training.repeat.value;
        if (!found) return undefined;
        return found.kind === "same" ? t.value.same(found.readings) : t.value.differs(found.step);
      },
    }),
  );

  function about({ source, missing }: Training): string {
    const { value: from } = source;
    if (!from) return missing.value && state.source.value === "pairs" ? "" : t.value.loading;
    return t.value.about[state.source.value](from.weight.length, from.ids.length);
  }

  function standing({ asleep, pace }: Training): string {
    if (job.waiting.value) return t.value.waiting;
    if (asleep.value) return t.value.asleep;
    if (!job.running.value && snapshot.value?.reached)
      return t.value.reached(snapshot.value.step, snapshot.value.pairs);
    if (job.running.value && !fits(training)) return t.value.preparing;
    const { value: device } = state.device;
    if (device?.backend !== "gpu") return t.value.onCpu(pace.value.pairs);
    return device.adapter?.software === false ? t.value.onCard(pace.value.pairs) : t.value.onSoftware(pace.value.pairs);
  }
}

/** The run that is shown is one that can go on. */
const fits = (training: Training): boolean =>
  training.lost.value === undefined && training.snapshot.value?.source === training.source.value;

function button(id: string, sign: string, label: () => Kid, disabled: () => boolean, act: () => void): HTMLElement {
  return h(
    "button",
    { class: "btn", id, type: "button", disabled, onclick: () => act() },
    icon(sign),
    h("span", label),
  );
}

function choice<T extends string>(
  id: string,
  all: readonly T[],
  value: { value: T; peek(): T },
  say: (one: T) => string,
  label: () => string,
): HTMLElement {
  return h(
    "div",
    { class: "seg", id, role: "radiogroup", "aria-label": label },
    all.flatMap((one) => [
      h("input", {
        type: "radio",
        name: id,
        id: `${id}-${one}`,
        checked: () => value.value === one,
        onchange: () => {
          value.value = one;
        },
      }),
      h("label", { for: `${id}-${one}` }, () => say(one)),
    ]),
  );
}

/** Where the run stands, in numbers that change a few times a second. */
function numbers(state: State, training: Training): HTMLElement {
  const t = wordsOf(state);
  const { lang } = state;
  const c = (value: number | undefined) => (value === undefined ? "–" : count(lang.value, value));
  const now = computed(() => training.snapshot.value);
  const speed = (pairs: number) => {
    const { value } = now;
    return value?.speed === undefined ? "–" : c(Math.round(value.speed * pairs));
  };
  const item = (id: string, value: () => string, name: () => string) => h("div", h("dd", { id }, value), h("dt", name));
  return h(
    "dl",
    { class: "train-numbers" },
    item(
      "train-steps",
      () => c(now.value?.step ?? 0),
      () => t.value.steps,
    ),
    item(
      "train-pairs",
      () => c(now.value?.pairs ?? 0),
      () => t.value.pairs,
    ),
    item(
      "train-speed",
      () => (now.value?.speed === undefined ? "–" : fixed(lang.value, now.value.speed, 1)),
      () => t.value.stepsPerSecond,
    ),
    item(
      "train-rate-pairs",
      () => speed(training.pace.value.pairs),
      () => t.value.pairsPerSecond,
    ),
    item(
      "train-rows",
      () => c(now.value?.touched?.hits.length),
      () => t.value.rowsTouched,
    ),
  );
}

function sayOutcome(state: State, { snapshot }: Training): string {
  const now = snapshot.value;
  const t = wordsOf(state).value.outcome;
  if (!now) return t.none;
  const few = now.source.ids.length < FEW;
  const name = (control: number) => {
    const last = now.points.at(-1)?.cosines ?? [];
    const at = now.watched.findIndex((one, i) => one.control && last[i] === control);
    const pair = now.watched[at];
    return pair ? pairName(state, now, pair) : "";
  };
  return say(now.outcome);

  function say(one: Outcome): string {
    switch (one.kind) {
      case "none":
        return t.none;
      case "early": {
        const { control } = one;
        const above = control !== undefined && control >= one.related ? t.controlAbove(name(control), control) : "";
        return t.early(one.related, above, one.loss, START_LOSS);
      }
      case "apart":
        return t.apart(one.related, name(one.control), one.control, one.loss, START_LOSS, few);
      case "control-rose":
        return t.controlRose(one.related, name(one.control), one.control);
      case "no-control":
        return t.noControl(one.related, one.loss, START_LOSS);
      case "collapsed":
        return t.collapsed(one.least, one.loss, START_LOSS, one.loss < START_LOSS);
      case "too-large":
        return t.tooLarge[one.trend](one, START_LOSS);
      case "broken":
        return t.broken(one.step, short(state.lang.value, one.loss), one.frozen);
    }
  }
}
