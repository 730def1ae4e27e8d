// What a reader sets, each with its name in the address, its default, and the values that it takes.
import { batch, type Signal } from "@preact/signals-core";
import type { Language } from "./format";
import { D, DEFAULTS, KERNEL_LIMIT, SECTIONS, type State, setText, type Theme } from "./state";

export interface Setting {
  readonly key: string;
  /** Back to the default. */
  clear(): void;
  /** The value for the address; undefined for the default. */
  written(): string | undefined;
  /** Takes a value from the address; returns false and changes nothing if it is not valid. */
  take(text: string): boolean;
}

function setting<T>(
  key: string,
  target: Signal<T>,
  standard: T,
  written: (value: T) => string,
  read: (text: string) => T | undefined,
): Setting {
  return {
    key,
    clear: () => {
      target.value = standard;
    },
    written: () => (target.value === standard ? undefined : written(target.value)),
    take: (text) => {
      const value = read(text);
      if (value === undefined) return false;
      target.value = value;
      return true;
    },
  };
}

function integer(
  key: string,
  target: Signal<number>,
  standard: number,
  least: number,
  most: number,
  fits: (value: number) => boolean = () => true,
): Setting {
  return setting(key, target, standard, String, (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most && fits(value) ? value : undefined;
  });
}

const flag = (key: string, target: Signal<boolean>) =>
  setting(
    key,
    target,
    false,
    (on) => (on ? "1" : "0"),
    (text) => (text === "1" ? true : text === "0" ? false : undefined),
  );

function choice<T extends string>(key: string, target: Signal<T>, standard: T, all: readonly T[]): Setting {
  return setting(key, target, standard, String, (text) => all.find((one) => one === text));
}

const powerOfTwo = (value: number) => Number.isInteger(Math.log2(value));

/** What Reset resets, the text aside. */
function ofTheLesson(state: State): Setting[] {
  return [
    integer("s", state.position, DEFAULTS.position, 0, KERNEL_LIMIT - 1),
    integer("d", state.column, DEFAULTS.column, 0, D - 1),
    choice("g", state.upstream, DEFAULTS.upstream, ["ones", "random", "single"]),
    flag("nan", state.nan),
    flag("inf", state.inf),
    flag("oov", state.outOfVocab),
    integer("seed", state.seed, DEFAULTS.seed, 0, 0xffff),
    choice("a", state.algorithm, DEFAULTS.algorithm, ["racy", "cas"]),
    integer("k", state.threads, DEFAULTS.threads, 2, 10),
    integer("step", state.step, DEFAULTS.step, 0, 55),
    integer("r", state.repeats, DEFAULTS.repeats, 1, 256, powerOfTwo),
    integer("n", state.length, DEFAULTS.length, 1, 1 << 20),
    // In tenths, as its slider goes.
    setting("z", state.skew, DEFAULTS.skew, String, (text) => {
      const value = Number(text);
      return /^\d(\.\d)?$/.test(text) && value <= 1.5 ? value : undefined;
    }),
    choice("src", state.source, DEFAULTS.source, ["pairs", "tale", "text"]),
    integer("tseed", state.trainSeed, DEFAULTS.trainSeed, 0, 0xffff),
    choice("rule", state.rule, DEFAULTS.rule, ["adagrad", "sgd"]),
    setting("lr", state.rate, DEFAULTS.rate, String, (text) => {
      const value = Number(text);
      return /^\d{1,2}(\.\d{1,4})?$/.test(text) && value > 0 && value <= 50 ? value : undefined;
    }),
    // The workshop's exercise and code, packed by the workshop.
    setting("w", state.code, "", String, (text) => text || undefined),
  ];
}

/** All that travels in a link, the text aside. */
export function settings(state: State): Setting[] {
  return [
    ...ofTheLesson(state),
    choice<Language>("lang", state.wanted, "tr", ["tr", "en"]),
    choice<Theme>("theme", state.theme, "", ["light", "dark"]),
    integer("sec", state.section, 0, 0, SECTIONS),
  ];
}

/** Everything as on the first visit, language and appearance apart; the same seeds give the same numbers. */
export function reset(state: State): void {
  batch(() => {
    setText(state, DEFAULTS.text);
    for (const one of ofTheLesson(state)) one.clear();
    state.hover.value = undefined;
    forgetMeasurements(state);
    state.resets.value += 1;
  });
}

/** Drops what was measured on another device, or before a reset. */
export function forgetMeasurements(state: State): void {
  batch(() => {
    state.cell.value = undefined;
    state.contention.value = undefined;
    state.sweep.value = undefined;
    state.skewSweep.value = undefined;
  });
}

/** What `reset` would change, the text aside, to be put back by `putBack`. */
export function kept(state: State): (string | undefined)[] {
  return ofTheLesson(state).map((one) => one.written());
}

export function putBack(state: State, values: readonly (string | undefined)[]): void {
  batch(() => {
    for (const [i, one] of ofTheLesson(state).entries()) {
      const value = values[i];
      if (value === undefined || !one.take(value)) one.clear();
    }
  });
}
