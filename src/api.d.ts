/// <reference lib="esnext.disposable" />

// For compilers that do not know WebGPU: enough to tell these from numbers, strings and arrays. For others, and with
// @webgpu/types, this adds nothing: the members are theirs, of the same types.
declare global {
  interface GPUQueue {}
  interface GPUDevice {
    readonly queue: GPUQueue;
  }
  interface GPUBuffer {
    readonly size: number;
    readonly usage: number;
  }
}

// V is the number of rows of a table (`vocabSize`), D their length (`dModel`), N the number of tokens in a call, U the number
// of rows that they use. Every failure is a `GommeError`; the codes beside a member are those that are its own.

/**
 * Starts the package; nothing else works before this promise is fulfilled. Without options the wasm is fetched from beside the
 * script. Later calls give the same promise. `not-initialized` if the wasm can't be loaded, or is from another build than the script.
 */
export default function init(options?: InitOptions | InitInput | Promise<InitInput>): Promise<InitOutput>;

export interface InitOptions {
  /** The wasm, or where it is. In Node the bytes of `gomme/gomme_bg.wasm`, since fetch reads no files there. */
  module_or_path?: InitInput | Promise<InitInput> | undefined;
  /** Where the bundled files are, which are otherwise fetched from `data/` beside the script: bytes or an address for each name. */
  data?: ((name: DataName) => DataInput | Promise<DataInput>) | undefined;
}
export type InitInput = string | URL | Request | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module;
export type DataInput = string | URL | Response | ArrayBuffer | ArrayBufferView;
export type DataName = "turkish-16k.pack" | "turkish-16k-384.i8" | "turkish-16k-384.scale.f32";
export interface InitOutput {
  readonly memory: WebAssembly.Memory;
}

/** Rows of the bundled Turkish table for these token ids: N·D values, row-major; zeros where an id is `>= V`. */
export function embed(tokens: Tokens): Promise<Float32Array>;

/** Gradient of the bundled table for these tokens, given dL/d(out) of N·D values. */
export function embedGrad(tokens: Tokens, gradOut: Float32Array, options?: GradOptions): Promise<EmbeddingGradient>;

/** Token ids: whole numbers from 0 to 2^32-1. */
export type Tokens = Uint32Array | Int32Array | readonly number[];

/** `sorted` (default): same bits on every run. `cas`: the document's compare-exchange loop, with its counters. */
export interface GradOptions {
  method?: "sorted" | "cas" | undefined;
}

/** Every failure of this package. `code` is stable; `message` says what was asked, what is possible and what to do. */
export interface GommeError extends Error {
  readonly name: "GommeError";
  readonly code: ErrorCode;
}
export type ErrorCode =
  | "no-webgpu"
  | "no-adapter"
  | "device-lost"
  | "limit-exceeded"
  | "shape-mismatch"
  | "vocab-mismatch"
  | "invalid-argument"
  | "invalid-model"
  | "gpu-error"
  | "not-initialized";

/** A SentencePiece vocabulary (BPE or unigram): text to token ids and back. */
export class Tokenizer {
  private constructor();
  /** The bundled 16,384-piece Turkish model, fetched once from beside the module; `invalid-model` if that fails. */
  static turkish(): Promise<Tokenizer>;
  /** Any SentencePiece BPE or unigram `.model`; throws `invalid-model`. */
  static fromModel(bytes: Uint8Array): Tokenizer;
  encode(text: string): Encoding;
  /** The text of these ids; throws `invalid-argument` for an id `>= vocabSize`. */
  decode(ids: Tokens): string;
  /** One piece as the model spells it, `▁` for a space; throws `invalid-argument` for an id `>= vocabSize`. */
  piece(id: number): string;
  readonly vocabSize: number;
  /** SHA-256, hex, over the pieces in order, each as its UTF-8 bytes with their number (u32, little endian) before them. */
  readonly fingerprint: string;
  free(): void;
}

export interface Encoding {
  readonly ids: Uint32Array;
  readonly pieces: string[];
  /** Two per token: start and end in UTF-16 units of the text as it was given. */
  readonly spans: Uint32Array;
}

export interface Options {
  /** `auto` (default) takes the GPU, or else the CPU twin, and `backend` says which. */
  backend?: "auto" | "gpu" | "cpu" | undefined;
  /** How the table is stored; results are f32 either way. Default `f32`. */
  precision?: "f32" | "f16" | undefined;
  /**
   * Another library's device, of this window: used as it is, never destroyed, and not replaced when it is lost
   * (`device-lost`). Its limits are what `limit-exceeded` states.
   */
  device?: GPUDevice | undefined;
  /** Stops fetching, and long work between its pieces; rejects with `signal.reason`. What was submitted runs out. */
  signal?: AbortSignal | undefined;
}

export interface TurkishOptions extends Options {
  /** Called while the vectors arrive, in bytes. */
  onProgress?: ((loaded: number, total: number) => void) | undefined;
  /** The bundled files' bytes, for a page that has them already; otherwise they are fetched from beside the module. */
  data?: { vectors: Uint8Array; scales: Uint8Array } | undefined;
}

export interface CreateOptions extends Options {
  vocabSize: number;
  dModel: number;
  /** V·D values, row-major. Without it: normal(0, 0.02) from `seed` by SplitMix64 and Wichura's AS 241. */
  table?: Float32Array | undefined;
  /** A whole number from 0 to 2^53-1; default 0. */
  seed?: number | undefined;
  /** Of the vocabulary that the rows are for (`Tokenizer.fingerprint`); `checkVocabulary` compares it. */
  fingerprint?: string | undefined;
}

/**
 * One table on one device. Calls may overlap, and run in the order in which they are made; arguments are copied before a call returns.
 * Calls whose results stay on the GPU share a submission when they are begun together, with no `await` between them.
 */
export class Embedding {
  private constructor();
  /** The bundled table, 16,384 × 384; `shape-mismatch` if its files do not arrive whole. */
  static turkish(options?: TurkishOptions): Promise<Embedding>;
  /** A table of V·D values: yours (`shape-mismatch` for another number of them), or drawn from a seed. */
  static create(options: CreateOptions): Promise<Embedding>;
  /** N·D values, row-major; zeros where an id is `>= V`. `limit-exceeded`, `device-lost`, `gpu-error`. */
  embed(tokens: Tokens | GpuTokens, options?: { output?: "array" | undefined }): Promise<Float32Array>;
  /** The same, left on the GPU; resolves when the work is submitted. On the CPU `no-webgpu` or `no-adapter`. */
  embed(tokens: Tokens | GpuTokens, options: { output: "gpu" }): Promise<GpuArray>;
  embed(tokens: Tokens | GpuTokens, options: { output: "array" | "gpu" | undefined }): Promise<Float32Array | GpuArray>;
  /** `gradOut` is dL/d(out), N·D values (`shape-mismatch` for another number). `limit-exceeded`, `device-lost`, `gpu-error`. */
  embedGrad(
    tokens: Tokens | GpuTokens,
    gradOut: Float32Array | GpuArray | GPUBuffer,
    options?: GradOptions & { output?: "array" | undefined },
  ): Promise<EmbeddingGradient>;
  /** The same, left on the GPU and grouped there; resolves when the work is submitted. */
  embedGrad(
    tokens: Tokens | GpuTokens,
    gradOut: Float32Array | GpuArray | GPUBuffer,
    options: { output: "gpu"; method?: "sorted" | undefined },
  ): Promise<GpuGradient>;
  embedGrad(
    tokens: Tokens | GpuTokens,
    gradOut: Float32Array | GpuArray | GPUBuffer,
    options: { output: "array" | "gpu" | undefined; method?: "sorted" | undefined },
  ): Promise<EmbeddingGradient | GpuGradient>;
  /**
   * Changes the rows of the gradient in place by one step of a rule, the same bits on every adapter that rounds to nearest
   * even. One rule for the life of a table; another one is `invalid-argument`. If the device is lost, what was changed is
   * lost with it: the next call rejects once with `device-lost`, and the table starts again from its original values. So it is, with
   * `gpu-error`, if the browser refuses work after this was resolved and before `rows` or `embed` have read the table.
   */
  step(gradient: GpuGradient | EmbeddingGradient, rule: StepRule): Promise<void>;
  /** The table as it is now, V·D values, or the rows of these ids (zeros where an id is `>= V`). */
  rows(ids?: Tokens): Promise<Float32Array>;
  /** Ids that are uploaded once and used often. */
  tokens(ids: Tokens): GpuTokens;
  /** Ids that are on this device already: u32 each, STORAGE among the buffer's usages; all of it, or the first `length`. */
  tokens(ids: GPUBuffer, length?: number): GpuTokens;
  /**
   * For each bag the mean of its rows (or their sum): B·D values. Bag b has the tokens from `offsets[b]` up to the next
   * offset; offsets ascend from 0. An empty bag is zeros; the mean counts the ids outside the vocabulary too.
   */
  embedBag(
    tokens: Tokens | GpuTokens,
    offsets: Tokens,
    options?: { mode?: "mean" | "sum" | undefined; output?: "array" | undefined },
  ): Promise<Float32Array>;
  embedBag(
    tokens: Tokens | GpuTokens,
    offsets: Tokens,
    options: { mode?: "mean" | "sum" | undefined; output: "gpu" },
  ): Promise<GpuArray>;
  embedBag(
    tokens: Tokens | GpuTokens,
    offsets: Tokens,
    options: { mode?: "mean" | "sum" | undefined; output: "array" | "gpu" | undefined },
  ): Promise<Float32Array | GpuArray>;
  /** The device, for other libraries; undefined on the CPU. */
  readonly device: GPUDevice | undefined;
  /** Throws `vocab-mismatch` unless the tokenizer is the one this table was made for; without a fingerprint, by size. */
  checkVocabulary(tokenizer: Tokenizer): void;
  readonly vocabSize: number;
  readonly dModel: number;
  readonly backend: "gpu" | "cpu";
  readonly adapter: AdapterFacts | undefined;
  /** Why the CPU twin runs, for `backend: "auto"`; undefined on the GPU or when the CPU was asked for. */
  readonly fallbackReason: GommeError | undefined;
  /** During a call: takes effect after it. Later calls get `invalid-argument`. */
  free(): void;
}

export interface AdapterFacts {
  /** As the browser reports them; empty strings where it hides them. */
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  /** A name to show: the description, or else vendor, architecture and device. Empty where the browser hides all of them. */
  readonly name: string;
  /** The adapter computes on the CPU (SwiftShader, lavapipe, WARP). */
  readonly software: boolean;
  readonly shaderF16: boolean;
  readonly timestamps: boolean;
  readonly maxBufferBytes: number;
  readonly maxBindingBytes: number;
  /** Probed once: f32 addition rounds to nearest even, so sorted gradients have the same bits as elsewhere. */
  readonly roundsToNearestEven: boolean;
  /** Probed once: subnormal sums become zero. */
  readonly flushesSubnormals: boolean;
}

/** One step, for each row of the gradient g; k counts all steps of the table. */
export type StepRule =
  /** `w -= lr·g` */
  | { rule: "sgd"; lr: number }
  /** One accumulator a row: `A += mean(g²)`, `w -= lr·g / (√A + eps)`; eps 1e-8. */
  | { rule: "adagrad"; lr: number; eps?: number | undefined }
  /**
   * `m = β1·m + (1-β1)·g`, `v = β2·v + (1-β2)·g²`, `w -= lr · (m/(1-β1^k)) / (√(v/(1-β2^k)) + eps)`; β 0.9 and 0.999, eps
   * 1e-8. Lazy: m and v of rows that are not in the gradient stay as they are.
   */
  | {
      rule: "adam";
      lr: number;
      beta1?: number | undefined;
      beta2?: number | undefined;
      eps?: number | undefined;
    };

/** N·D values on the GPU. The caller's until `dispose`: the buffer is not reused meanwhile. */
export class GpuArray {
  private constructor();
  /** STORAGE | COPY_SRC | COPY_DST; may be larger than `byteLength`. */
  readonly buffer: GPUBuffer;
  readonly byteLength: number;
  readonly shape: readonly [number, number];
  readonly dtype: "float32";
  /** Reads the values back. `device-lost`, `gpu-error`; after `dispose` `invalid-argument`. */
  read(): Promise<Float32Array>;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** A gradient on the GPU. The caller's until `dispose`. */
export class GpuGradient {
  private constructor();
  /** U ids, ascending. */
  readonly rows: GPUBuffer;
  /** U·D values. */
  readonly grad: GPUBuffer;
  /** U, its first word. */
  readonly count: GPUBuffer;
  /** The most rows that there can be: the smaller of N and V. */
  readonly capacity: number;
  readonly dModel: number;
  read(): Promise<EmbeddingGradient>;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Token ids that are uploaded once and used often. */
export class GpuTokens {
  private constructor();
  readonly length: number;
  dispose(): void;
  [Symbol.dispose](): void;
}

/**
 * A plain object: spreading, `structuredClone` and `postMessage` give an equal one. JSON keeps the values, but as plain objects
 * in place of the arrays: before `toDense` or `step` make them again, `Uint32Array.from(Object.values(copy.rows))` and so on.
 */
export interface EmbeddingGradient {
  readonly vocabSize: number;
  readonly dModel: number;
  /** U ids with at least one position, ascending. */
  readonly rows: Uint32Array;
  /** U·D */
  readonly grad: Float32Array;
  /** Positions per row. */
  readonly hits: Uint32Array;
  /** Additions done per row, at most hits·D. */
  readonly adds: Uint32Array;
  /** Failed exchanges per row, spurious ones too, saturating; "cas" and the lab's `counted` only. */
  readonly retries: Uint32Array | undefined;
  /** outOfVocab counts positions; zero (±0) and nonFinite (NaN, ±Inf) count elements. */
  readonly skipped: { outOfVocab: number; zero: number; nonFinite: number };
  /** Time of this one call on the GPU; coarse where the browser rounds timestamps. */
  readonly gpuMicroseconds: number | undefined;
  /** `toDense` of this gradient. Not enumerable, so copies lack it; the function takes those too. */
  toDense(): Float32Array;
}

/** The V·D values of a gradient, zeros in rows without a position; `limit-exceeded` above 2^29 values. */
export function toDense(gradient: Omit<EmbeddingGradient, "toDense">): Float32Array;

/**
 * Kernels of the lesson. `sorted` groups the tokens where that is fastest for their number, in every call alike;
 * `sorted_on_gpu` always on the GPU. `sorted_parts` leaves grouping out: the passes over already grouped tokens.
 */
export type LookupKernel = "embed_lookup" | "fast" | "w16_packed" | "w16_native" | "w16_fast";
export type GradientKernel = "embed_backward" | "counted" | "sorted" | "sorted_on_gpu" | "racy";
export type TimedKernel = LookupKernel | GradientKernel | "sorted_parts" | "write_only";

/**
 * For the lesson rather than for use: the document's kernels one by one, the racy one included, with per-pass times and
 * results left on the GPU. The page, the tests and the benchmark use it. Gradients need no table.
 */
export class Lab {
  private constructor();
  static create(options: LabOptions): Promise<Lab>;
  /** A lab on this embedding's device and table: lookups and neighbours work too. */
  static of(embedding: Embedding): Lab;
  readonly vocabSize: number;
  readonly dModel: number;
  readonly backend: "gpu" | "cpu";
  readonly adapter: AdapterFacts | undefined;
  readonly fallbackReason: GommeError | undefined;
  /** Kernels that run here: lookups need a table (`Lab.of`), `w16_native` needs `shader-f16`; on the CPU all as twins. */
  readonly kernels: TimedKernel[];
  /** N·D values by this kernel. Needs a table (`Lab.of`), else `invalid-argument`. */
  lookup(tokens: Tokens, kernel: LookupKernel): Promise<LabLookup>;
  /** Gradient by this kernel. `counted` has hits, adds, retries counted by the GPU's own atomics; `racy` loses updates. */
  gradient(tokens: Tokens, gradOut: Float32Array, kernel: GradientKernel): Promise<EmbeddingGradient>;
  /** The `count` rows nearest to row `id` by cosine, itself first; `among` limits the rows looked at. */
  nearest(id: number, count: number, among?: Tokens): { ids: Uint32Array; cosines: Float32Array };
  /**
   * Repeats a kernel on a noise gradient until each sample passes `minMilliseconds`; results stay on the GPU.
   * `invalid-argument` for no tokens, or a kernel that is not in `kernels`.
   */
  time(kernel: TimedKernel, tokens: Tokens, options?: TimeOptions): Promise<Timing>;
  /** Test hook: destroys the device as a driver reset would; the next call makes a new one. */
  loseDevice(): void;
  free(): void;
}

export interface LabOptions {
  vocabSize: number;
  dModel: number;
  backend?: "auto" | "gpu" | "cpu" | undefined;
}

export interface LabLookup {
  readonly out: Float32Array;
  readonly gpuMicroseconds: number | undefined;
}

export interface TimeOptions {
  /** Minimum length of one sample, up to 10,000; default 10. */
  minMilliseconds?: number | undefined;
  /** Number of samples, 1 to 1,000; default 5. */
  samples?: number | undefined;
  /** Milliseconds of the same work in the same submission before each sample, to bring the clocks up; default 0. */
  warmMilliseconds?: number | undefined;
  /** `wall`: without timestamp queries, by the wall clock around one wait. Default `auto`. */
  clock?: "auto" | "wall" | undefined;
}

export interface Timing {
  readonly kernel: TimedKernel;
  /** Median over the samples, for one run of the kernel (all its passes). */
  readonly microseconds: number;
  /** Microseconds of one run in each sample; by the `wall` clock one mean over all of them. */
  readonly samples: Float64Array;
  /** Runs of the kernel in each sample. */
  readonly repeats: number;
  /** `timestamp` queries, the `wall` clock around a wait, or `cpu` for the twins. */
  readonly clock: "timestamp" | "wall" | "cpu";
  /** Microseconds of grouping on the CPU contained in `microseconds`; 0 when grouped on the GPU or not at all. */
  readonly cpuMicroseconds: number;
  /** The least bytes that the kernel must move: 4·N·D + 4·U·D (2·U·D for f16, nothing for `write_only`). */
  readonly bytes: number;
  /** Used rows. */
  readonly usedRows: number;
  /** Failed exchanges of one run; `embed_backward` and `counted` only, counted in a separate run. */
  readonly retries: number | undefined;
  /** The page was hidden while the `wall` clock ran: browsers slow hidden pages down, so the time is unreliable. */
  readonly hidden: boolean;
}
