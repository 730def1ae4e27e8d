// What the page shows: the reader's text and settings, what was chosen, and the latest results.
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
import type { Language } from "./format";
import type { ColumnPoint } from "./measure/contention";
import type { SkewSweep, Sweep } from "./measure/speed";
import type { CellPoint } from "./models/lockstep";
import type { Beginning, Device, Engine, Gradient, Halves, Lookup, Neighbours, OwnTable, Tokens } from "./results";
import { stringsOf } from "./strings";
import type { Strings } from "./strings/tr";
import { cutBefore, oneLineEnd } from "./text";

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
/** Characters of the longest link: mail and chat programs cut longer ones, or don't make links of them. */
export const LINK_LIMIT = 8_000;
export const SECTIONS = 8;

/** What the stepper of section 4 shows: the version that loses additions, or the one that does not. */
export type Algorithm = "racy" | "cas";
export type Upstream = "ones" | "random" | "single";
export type Theme = "" | "light" | "dark";
/** What section 8 trains on, and by which rule. */
export type Source = "pairs" | "tale" | "text";
export type Rule = "adagrad" | "sgd";

export interface Place {
  /** Position in the text; −1 for a row without one. */
  readonly s: number;
  readonly id: number;
  readonly d: number;
}

export const DEFAULT_TEXT = "kedi ve köpek bahçede, kedi uyuyor";

export const DEFAULTS = {
  text: DEFAULT_TEXT,
  position: 0,
  column: 301,
  upstream: "random" as Upstream,
  nan: false,
  inf: false,
  outOfVocab: false,
  seed: 1,
  algorithm: "racy" as Algorithm,
  threads: 4,
  step: 0,
  repeats: 128,
  length: 2048,
  skew: 1,
  source: "pairs" as Source,
  trainSeed: 1,
  rule: "adagrad" as Rule,
  rate: 0.3,
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
  readonly algorithm: Signal<Algorithm>;
  readonly threads: Signal<number>;
  readonly step: Signal<number>;
  readonly repeats: Signal<number>;
  readonly length: Signal<number>;
  readonly skew: Signal<number>;
  readonly source: Signal<Source>;
  readonly trainSeed: Signal<number>;
  readonly rule: Signal<Rule>;
  readonly rate: Signal<number>;
  /** Code of the workshop that came with the address, or goes with it; empty for none. */
  readonly code: Signal<string>;

  readonly phase: Signal<"loading" | "ready" | "failed">;
  readonly failure: Signal<string | undefined>;
  readonly vectors: Signal<"loading" | "ready" | "failed">;
  readonly progress: Signal<{ readonly loaded: number; readonly total: number }>;
  /** 0 to 1 while a long text is read, else undefined. */
  readonly reading: Signal<number | undefined>;
  readonly device: Signal<Device | undefined>;
  /** Times the device was lost and made again. */
  readonly losses: Signal<number>;
  /** Stands in place of the bundled table where there is one. */
  readonly ownTable: Signal<OwnTable | undefined>;
  /** The upstream gradient is that of its training, while there is such a table. */
  readonly ownGradient: Signal<boolean>;
  readonly vocabSize: Signal<number>;
  readonly tokens: Signal<Tokens | undefined>;
  /** While a long text is read, what its chips begin with; the rest of the page waits for all tokens. */
  readonly beginning: Signal<Beginning | undefined>;
  readonly lookup: Signal<Lookup | undefined>;
  readonly gradient: Signal<Gradient | undefined>;
  readonly halves: Signal<Halves | undefined>;
  readonly neighbours: Signal<Neighbours | undefined>;
  /** True while what is shown was made of an older text or older settings. */
  readonly pending: { readonly gradient: Signal<boolean>; readonly lookup: Signal<boolean> };
  /** Counts resets: what was measured or answered before one is gone. */
  readonly resets: Signal<number>;
  /** k neighbouring threads on one cell, and k positions on one row, as last measured. */
  readonly cell: Signal<readonly CellPoint[] | undefined>;
  readonly contention: Signal<readonly ColumnPoint[] | undefined>;
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
    algorithm: signal(DEFAULTS.algorithm),
    threads: signal(DEFAULTS.threads),
    step: signal(DEFAULTS.step),
    repeats: signal(DEFAULTS.repeats),
    length: signal(DEFAULTS.length),
    skew: signal(DEFAULTS.skew),
    source: signal(DEFAULTS.source),
    trainSeed: signal(DEFAULTS.trainSeed),
    rule: signal(DEFAULTS.rule),
    rate: signal(DEFAULTS.rate),
    code: signal(""),
    phase: signal("loading"),
    failure: signal(undefined),
    vectors: signal("loading"),
    progress: signal({ loaded: 0, total: 0 }),
    reading: signal(undefined),
    device: signal(undefined),
    losses: signal(0),
    ownTable: signal(undefined),
    ownGradient: signal(false),
    vocabSize: signal(16_384),
    tokens,
    beginning: signal(undefined),
    lookup: signal(undefined),
    gradient: signal(undefined),
    halves: signal(undefined),
    neighbours: signal(undefined),
    pending: { gradient: signal(false), lookup: signal(false) },
    resets: signal(0),
    cell: signal(undefined),
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

export function choose(state: State, place: { readonly [part in keyof Place]?: Place[part] | undefined }): void {
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
  const whole = oneLineEnd(text);
  const cut = cutBefore(whole, BOX_LIMIT);
  batch(() => {
    state.head.value = whole.slice(0, cut);
    state.tail.value = whole.slice(cut);
  });
}

export function isDefaultText(state: State): boolean {
  return state.head.value === DEFAULT_TEXT && state.tail.value === "";
}
