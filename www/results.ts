// The results of the kernels and the engine that views ask for them. Types only.
import type { GradientCall } from "./measure/contention";
import type { TimeCall } from "./measure/speed";
import type { AdapterFacts, EmbeddingGradient, TimedKernel } from "./pkg/gomme.js";

/** Tokens and their pieces, from the start of a text. */
export interface Beginning {
  readonly ids: Uint32Array;
  readonly pieces: readonly string[];
}

export interface Tokens extends Beginning {
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

/** A table that the reader trained: V rows of this width and norm 1, or zeros where nothing was trained. */
export interface OwnTable {
  readonly rows: Float32Array;
  readonly width: number;
  /** Rows that are not zeros. */
  readonly trained: number;
  /** Steps of training. */
  readonly steps: number;
  /** What a step of training would push at each position of a text: `width` values a position. */
  readonly gradient: (ids: Uint32Array) => Float32Array;
}

export interface Device {
  readonly backend: "gpu" | "cpu";
  readonly adapter: AdapterFacts | undefined;
  readonly fallback: { readonly code: string; readonly message: string } | undefined;
  readonly kernels: readonly TimedKernel[];
}

/** What views may ask for; what needs the device waits for it, and resolves with results of the kernels or rejects with a GommeError. */
export interface Engine {
  encode(text: string): { ids: Uint32Array; pieces: string[] };
  /** The piece of an id; "" outside the vocabulary. */
  piece(id: number): string;
  gradient: GradientCall;
  /** The same for a table of one column, whose neighbouring threads want one cell. */
  cell: GradientCall;
  time: TimeCall;
  /** Rounds these values to f16 by the cast of the package, rows of D. */
  roundTrip(values: Float32Array): Promise<Float32Array>;
  /** Of two rows of the bundled table, once its vectors are there. */
  cosine(a: number, b: number): number | undefined;
  loseDevice(): void;
}
