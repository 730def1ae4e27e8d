// The state in the address: settings travel in the part after #, which browsers never send to a server.
import { batch, effect, type Signal } from "@preact/signals-core";
import type { Language } from "./format";
import {
  D,
  DEFAULTS,
  isDefaultText,
  KERNEL_LIMIT,
  LINK_LIMIT,
  SECTIONS,
  type State,
  setText,
  type Theme,
} from "./state";

interface Field {
  readonly key: string;
  get(): string | undefined;
  set(value: string): void;
}

function integer(key: string, target: Signal<number>, standard: number, least: number, most: number): Field {
  return {
    key,
    get: () => (target.value === standard ? undefined : String(target.value)),
    set: (text) => {
      const value = Number(text);
      if (Number.isInteger(value)) target.value = Math.max(least, Math.min(most, value));
    },
  };
}

function flag(key: string, target: Signal<boolean>): Field {
  return {
    key,
    get: () => (target.value ? "1" : undefined),
    set: (text) => {
      target.value = text === "1";
    },
  };
}

function choice<T extends string>(key: string, target: Signal<T>, standard: T, all: readonly T[]): Field {
  return {
    key,
    get: () => (target.value === standard ? undefined : target.value),
    set: (text) => {
      const found = all.find((one) => one === text);
      if (found !== undefined) target.value = found;
    },
  };
}

function fields(state: State): Field[] {
  return [
    {
      key: "m",
      get: () => {
        if (isDefaultText(state)) return undefined;
        return (state.head.value + state.tail.value.slice(0, LINK_LIMIT)).slice(0, LINK_LIMIT);
      },
      set: (text) => setText(state, text),
    },
    integer("s", state.position, DEFAULTS.position, 0, KERNEL_LIMIT),
    integer("d", state.column, DEFAULTS.column, 0, D - 1),
    choice("g", state.upstream, DEFAULTS.upstream, ["ones", "random", "single"]),
    flag("nan", state.nan),
    flag("inf", state.inf),
    flag("oov", state.outOfVocab),
    integer("seed", state.seed, DEFAULTS.seed, 0, 0xffff),
    choice("a", state.algorithm, DEFAULTS.algorithm, ["racy", "cas"]),
    integer("k", state.threads, DEFAULTS.threads, 2, 10),
    integer("step", state.step, DEFAULTS.step, 0, 55),
    integer("r", state.repeats, DEFAULTS.repeats, 1, 256),
    integer("n", state.length, DEFAULTS.length, 1, 1 << 20),
    {
      key: "z",
      get: () => (state.skew.value === DEFAULTS.skew ? undefined : String(state.skew.value)),
      set: (text) => {
        const value = Number(text);
        if (value >= 0 && value <= 2) state.skew.value = value;
      },
    },
    {
      key: "w",
      get: () => state.code.value || undefined,
      set: (text) => {
        state.code.value = text;
      },
    },
    choice<Language>("lang", state.wanted, "tr", ["tr", "en"]),
    choice<Theme>("theme", state.theme, "", ["light", "dark"]),
    integer("sec", state.section, 0, 0, SECTIONS),
  ];
}

/** The address part after #, without it; only what differs from the first visit. */
export function toFragment(state: State): string {
  const query = new URLSearchParams();
  for (const field of fields(state)) {
    const value = field.get();
    if (value !== undefined) query.set(field.key, value);
  }
  return query.toString();
}

/** Reads settings from `#...`, or from `?...`, which `#` overrules; unknown or impossible ones are passed over. */
export function fromAddress(state: State, location: { search: string; hash: string }): void {
  const all = [...new URLSearchParams(location.search), ...new URLSearchParams(location.hash.slice(1))];
  const known = new Map(fields(state).map((field) => [field.key, field]));
  batch(() => {
    for (const [key, value] of all) known.get(key)?.set(value);
    const anchor = /^#s([1-8])$/.exec(location.hash);
    if (anchor) state.section.value = Number(anchor[1]);
  });
}

/** Keeps the address current, a moment after the last change. */
export function keepAddress(state: State): void {
  let timer = 0;
  effect(() => {
    const fragment = toFragment(state);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const address = fragment ? `#${fragment}` : location.pathname + location.search;
      try {
        history.replaceState(null, "", address);
      } catch {
        // A page opened from disk may only change the part after #.
        location.hash = fragment;
      }
    }, 250);
  });
}

/** A link to exactly this state, for the class. */
export function link(state: State): string {
  const fragment = toFragment(state);
  return location.href.replace(/#.*$/, "") + (fragment ? `#${fragment}` : "");
}
