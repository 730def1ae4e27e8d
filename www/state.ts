// What the page shows: the reader's text and settings, what was chosen, and the latest results.
// Settings travel in the part of the address after #, which browsers never send to a server.
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
import type { Language } from "./format";
import type { AdapterFacts, EmbeddingGradient, TimedKernel } from "./pkg/gomme.js";
import { type Strings, stringsOf } from "./strings";

/** Width of the bundled table. */
export const D = 384;
/** Threads of a workgroup in the document's kernels. */
export const GROUP = 256;
/** f32 numbers in one 128-byte line of GPU memory. */
export const LINE = 32;
/** Tokens that go through the kernels; of a longer text the rest is counted, and the page says so. */
export const KERNEL_LIMIT = 8_192;
/** UTF-16 units the text box holds; a longer text keeps its rest behind the box. */
export const BOX_LIMIT = 16_384;
/** Longest text that a link carries. */
export const LINK_LIMIT = 6_000;
export const SECTIONS = 8;

export type Upstream = "ones" | "random" | "single";
export type Theme = "" | "light" | "dark";

export interface Tokens {
  readonly ids: Uint32Array;
  readonly pieces: readonly string[];
  /** Two per token, in UTF-16 units of the whole text; an added id has none (both at the end). */
  readonly spans: Uint32Array;
  /** Tokens of the whole text, of which `ids` may be the beginning. */
  readonly total: number;
  /** Tokens by id over the whole text. */
  readonly counts: Uint32Array;
  /** Different ids in the whole text. */
  readonly different: number;
  /** UTF-16 units. */
  readonly length: number;
  /** Cuts inside a run without any space, where the pieces may differ from those of the uncut text. */
  readonly hardCuts: number;
}

export interface Gradient {
  readonly result: EmbeddingGradient;
  readonly upstream: Float32Array;
  readonly tokens: Tokens;
  /** Where NaN and Inf were put in, as indices into `upstream`. */
  readonly planted: { readonly nan: number | undefined; readonly inf: number | undefined };
  /** Hits and adds that the GPU counted agree with the ids. */
  readonly agrees: boolean;
}

export interface Lookup {
  readonly out: Float32Array;
  readonly tokens: Tokens;
}

export interface Halves {
  readonly tokens: Tokens;
  /** |f32 − f16| per element, N·D. */
  readonly error: Float32Array;
  readonly largest: { readonly value: number; readonly s: number; readonly d: number; readonly read: number };
  readonly kernel: "w16_native" | "w16_packed";
}

export interface Neighbour {
  readonly id: number;
  readonly piece: string;
  readonly cosine: number;
}

export interface Neighbours {
  readonly id: number;
  readonly byMeaning: readonly Neighbour[];
  readonly byNumber: readonly Neighbour[];
  readonly far: readonly Neighbour[];
}

/** What one kernel took at one length. */
export interface Measure {
  readonly microseconds: number;
  readonly clock: "timestamp" | "wall" | "cpu";
  readonly bytes: number;
  readonly usedRows: number;
  readonly retries: number | undefined;
  readonly cpuMicroseconds: number;
}

export interface Sweep {
  readonly skew: number;
  readonly lengths: readonly number[];
  readonly times: ReadonlyMap<TimedKernel, ReadonlyMap<number, Measure>>;
}

export interface SkewSweep {
  readonly n: number;
  readonly points: readonly { readonly skew: number; readonly most: number; readonly measure: Measure }[];
}

export interface Device {
  readonly backend: "gpu" | "cpu";
  readonly adapter: AdapterFacts | undefined;
  readonly fallback: { readonly code: string; readonly message: string } | undefined;
  readonly kernels: readonly TimedKernel[];
}

export interface Place {
  /** Position in the text; −1 for a row without one. */
  readonly s: number;
  readonly id: number;
  readonly d: number;
}

export const DEFAULT_TEXT = "kedi ve köpek bahçede, kedi uyuyor";

const DEFAULTS = {
  text: DEFAULT_TEXT,
  position: 0,
  column: 301,
  upstream: "random" as Upstream,
  nan: false,
  inf: false,
  outOfVocab: false,
  seed: 1,
  threads: 4,
  step: 0,
  repeats: 128,
  length: 2048,
  skew: 1,
};

export interface State {
  /** The language asked for, and the one that is spoken while its words are on their way. */
  readonly wanted: Signal<Language>;
  readonly lang: Signal<Language>;
  readonly theme: Signal<Theme>;
  /** Counts changes of the colours, for drawings that hold none of their own. */
  readonly look: Signal<number>;
  readonly section: Signal<number>;
  /** Text in the box, and the rest of a long text behind it. */
  readonly head: Signal<string>;
  readonly tail: Signal<string>;
  readonly position: Signal<number>;
  readonly column: Signal<number>;
  /** What the pointer or the focus is on just now. */
  readonly hover: Signal<Place | undefined>;
  readonly upstream: Signal<Upstream>;
  readonly nan: Signal<boolean>;
  readonly inf: Signal<boolean>;
  readonly outOfVocab: Signal<boolean>;
  readonly seed: Signal<number>;
  readonly threads: Signal<number>;
  readonly step: Signal<number>;
  readonly repeats: Signal<number>;
  readonly length: Signal<number>;
  readonly skew: Signal<number>;

  readonly phase: Signal<"loading" | "ready" | "failed">;
  readonly failure: Signal<string | undefined>;
  readonly vectors: Signal<"loading" | "ready" | "failed">;
  readonly progress: Signal<{ readonly loaded: number; readonly total: number }>;
  /** 0 to 1 while a long text is read, else undefined. */
  readonly reading: Signal<number | undefined>;
  readonly device: Signal<Device | undefined>;
  /** Times the device was lost and made again. */
  readonly losses: Signal<number>;
  readonly vocabSize: Signal<number>;
  readonly tokens: Signal<Tokens | undefined>;
  readonly lookup: Signal<Lookup | undefined>;
  readonly gradient: Signal<Gradient | undefined>;
  readonly halves: Signal<Halves | undefined>;
  readonly neighbours: Signal<Neighbours | undefined>;
  /** Failed exchanges per cell for k threads, as last measured. */
  readonly contention: Signal<readonly { readonly k: number; readonly perCell: number }[] | undefined>;
  /** The last sweep over N, and the last over skew. */
  readonly sweep: Signal<Sweep | undefined>;
  readonly skewSweep: Signal<SkewSweep | undefined>;
  /** What runs on the tokenizer and the device; there as soon as texts can be cut into tokens. */
  readonly engine: Signal<Engine | undefined>;

  readonly t: ReadonlySignal<Strings>;
  /** The chosen place, inside the tokens that are there. */
  readonly chosen: ReadonlySignal<Place | undefined>;
  /** What is pointed at, or else chosen. */
  readonly shown: ReadonlySignal<Place | undefined>;
  /** Positions of each id among the tokens in the kernels. */
  readonly positions: ReadonlySignal<ReadonlyMap<number, readonly number[]>>;
}

/** What views may ask for; what needs the device waits for it, and resolves with results of the kernels or rejects with a GommeError. */
export interface Engine {
  encode(text: string): { ids: Uint32Array; pieces: string[] };
  /** The piece of an id; "" outside the vocabulary. */
  piece(id: number): string;
  gradient(
    tokens: Uint32Array,
    upstream: Float32Array,
    kernel: "counted" | "embed_backward" | "sorted" | "racy",
  ): Promise<EmbeddingGradient>;
  time(kernel: TimedKernel, tokens: Uint32Array): Promise<Measure>;
  /** Rounds these values to f16 by the cast of the package, rows of D. */
  roundTrip(values: Float32Array): Promise<Float32Array>;
  loseDevice(): void;
}

export function createState(): State {
  const wanted = signal<Language>("tr");
  const tokens = signal<Tokens | undefined>(undefined);
  const position = signal(DEFAULTS.position);
  const column = signal(DEFAULTS.column);
  const hover = signal<Place | undefined>(undefined);
  const chosen = computed(() => {
    const now = tokens.value;
    if (!now || now.ids.length === 0) return undefined;
    const s = Math.min(position.value, now.ids.length - 1);
    return { s, id: now.ids[s] ?? 0, d: column.value };
  });
  const spoken = signal<Language>("tr");
  return {
    theme: signal<Theme>(""),
    look: signal(0),
    section: signal(0),
    head: signal(DEFAULTS.text),
    tail: signal(""),
    position,
    column,
    hover,
    upstream: signal(DEFAULTS.upstream),
    nan: signal(DEFAULTS.nan),
    inf: signal(DEFAULTS.inf),
    outOfVocab: signal(DEFAULTS.outOfVocab),
    seed: signal(DEFAULTS.seed),
    threads: signal(DEFAULTS.threads),
    step: signal(DEFAULTS.step),
    repeats: signal(DEFAULTS.repeats),
    length: signal(DEFAULTS.length),
    skew: signal(DEFAULTS.skew),
    phase: signal("loading"),
    failure: signal(undefined),
    vectors: signal("loading"),
    progress: signal({ loaded: 0, total: 0 }),
    reading: signal(undefined),
    device: signal(undefined),
    losses: signal(0),
    vocabSize: signal(16_384),
    tokens,
    lookup: signal(undefined),
    gradient: signal(undefined),
    halves: signal(undefined),
    neighbours: signal(undefined),
    contention: signal(undefined),
    sweep: signal(undefined),
    skewSweep: signal(undefined),
    engine: signal(undefined),
    wanted,
    lang: spoken,
    t: computed(() => stringsOf(spoken.value)),
    chosen,
    shown: computed(() => hover.value ?? chosen.value),
    positions: computed(() => {
      const map = new Map<number, number[]>();
      tokens.value?.ids.forEach((id, s) => {
        const list = map.get(id);
        if (list) list.push(s);
        else map.set(id, [s]);
      });
      return map;
    }),
  };
}

export function choose(state: State, place: Partial<Place>): void {
  batch(() => {
    if (place.s !== undefined && place.s >= 0) state.position.value = place.s;
    else if (place.id !== undefined) {
      const first = state.positions.value.get(place.id)?.[0];
      if (first !== undefined) state.position.value = first;
    }
    if (place.d !== undefined && place.d >= 0) state.column.value = place.d;
  });
}

/** Puts a whole text in place: the box holds its beginning, cut between characters. */
export function setText(state: State, text: string): void {
  let cut = Math.min(text.length, BOX_LIMIT);
  const unit = text.charCodeAt(cut - 1);
  if (cut < text.length && unit >= 0xd800 && unit < 0xdc00) cut -= 1;
  batch(() => {
    state.head.value = text.slice(0, cut);
    state.tail.value = text.slice(cut);
  });
}

export function isDefaultText(state: State): boolean {
  return state.head.value === DEFAULT_TEXT && state.tail.value === "";
}

/** Everything as on the first visit, language and appearance apart; the same seeds give the same numbers. */
export function reset(state: State): void {
  batch(() => {
    setText(state, DEFAULTS.text);
    state.position.value = DEFAULTS.position;
    state.column.value = DEFAULTS.column;
    state.upstream.value = DEFAULTS.upstream;
    state.nan.value = DEFAULTS.nan;
    state.inf.value = DEFAULTS.inf;
    state.outOfVocab.value = DEFAULTS.outOfVocab;
    state.seed.value = DEFAULTS.seed;
    state.threads.value = DEFAULTS.threads;
    state.step.value = DEFAULTS.step;
    state.repeats.value = DEFAULTS.repeats;
    state.length.value = DEFAULTS.length;
    state.skew.value = DEFAULTS.skew;
  });
}

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
