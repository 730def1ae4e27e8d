// What every part of the benchmark works with: tables on the GPU, steps whose failures are written down, kernels that are
// compared with the oracle before they are timed.

import type { Embedding, GradientKernel, Lab, LookupKernel, TimedKernel, TimeOptions, Timing } from "../src/api";
import { contains, newestDevice, oneRun, poke, recordPasses, sleep } from "./devices";
import { seen } from "./meter";
import { checkLookup, GradientOracle, halfTable, type Verdict } from "./oracle";
import type { Figure, Part, Recorder, TableOperation } from "./report";
import type { Settings } from "./settings";
import { range } from "./statistics";
import { noise, type Spread, tokensOf, VOCABULARY, WIDTH } from "./workload";

export type Package = typeof import("../src/api");

/** A table of V rows on the GPU, known to the page too. */
export interface Stand {
  readonly embedding: Embedding;
  readonly lab: Lab;
  readonly table: Float32Array;
  readonly device: GPUDevice;
}

/** What is timed: a kernel at a shape. */
export interface Shape {
  readonly n: number;
  readonly d: number;
  readonly v: number;
  readonly tokens: Spread;
}

export const shapeOf = (n: number, given: Partial<Shape> = {}): Shape => ({
  n,
  d: WIDTH,
  v: VOCABULARY,
  tokens: "zipf",
  ...given,
});

const lookups: readonly TimedKernel[] = ["embed_lookup", "fast", "w16_packed", "w16_native", "w16_fast"];
const scatters: readonly TimedKernel[] = ["embed_backward", "counted", "racy"];

export const isLookup = (kernel: TimedKernel): kernel is LookupKernel => lookups.includes(kernel);

export const operationOf = (kernel: TimedKernel): TableOperation | undefined =>
  kernel === "write_only" ? undefined : isLookup(kernel) ? "lookup" : "gradient";

/** The time ran out: not a failure of what did not run. */
export class Cut extends Error {}

export function message(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return `${error.name}${typeof code === "string" ? ` ${code}` : ""}: ${error.message}`.slice(0, 600);
}

export class Bench {
  readonly #stands = new Map<number, Promise<Stand>>();
  /** Labs without a table, for other vocabularies. */
  readonly #labs = new Map<string, Promise<Lab>>();
  /** By kernel and shape: what a run that agreed with the oracle dispatched. */
  readonly #checked = new Map<string, Promise<readonly string[] | undefined>>();
  #oracle: { key: string; oracle: GradientOracle; gradOut: Float32Array } | undefined;
  #half: { table: Float32Array; rounded: Float32Array } | undefined;

  constructor(
    readonly pkg: Package,
    readonly settings: Settings,
    readonly recorder: Recorder,
    /** Address of a file beside the page. */
    readonly beside: (path: string) => string,
    readonly wasmMemory: WebAssembly.Memory,
  ) {}

  async free(): Promise<void> {
    for (const stand of this.#stands.values()) {
      await stand.then(
        ({ lab, embedding }) => {
          lab.free();
          embedding.free();
        },
        () => undefined,
      );
    }
    for (const lab of this.#labs.values()) {
      await lab.then(
        (lab) => lab.free(),
        () => undefined,
      );
    }
  }

  /** Runs one step; what it throws, and a step that never ends, become a failure in the report. */
  async guard<T>(part: Part, by: string, what: string, step: () => Promise<T>, seconds = 0): Promise<T | undefined> {
    if (this.recorder.elapsedSeconds > this.settings.limitSeconds) throw new Cut();
    try {
      if (seconds === 0) return await step();
      const late = sleep(seconds * 1_000).then(() => {
        throw new Error(`no answer within ${seconds} s`);
      });
      return await Promise.race([step(), late]);
    } catch (error) {
      if (error instanceof Cut) throw error;
      this.recorder.failure({ part, by, what, message: message(error) });
      return undefined;
    }
  }

  /** The table of `VOCABULARY` rows of this width. */
  stand(d = WIDTH): Promise<Stand> {
    const made = this.#stands.get(d);
    if (made) return made;
    const stand = (async () => {
      const table = noise(VOCABULARY * d, 7 + d, 0.04);
      const embedding = await this.pkg.Embedding.create({ vocabSize: VOCABULARY, dModel: d, table, backend: "gpu" });
      const lab = this.pkg.Lab.of(embedding);
      if (embedding.adapter) this.recorder.report.adapter = { ...embedding.adapter };
      return { embedding, lab, table, device: newestDevice() };
    })();
    this.#stands.set(d, stand);
    return stand;
  }

  /** A lab for this shape: on the table, or without one for another vocabulary, where only gradients can be had. */
  async lab({ v, d }: Pick<Shape, "v" | "d">): Promise<Lab> {
    if (v === VOCABULARY) return (await this.stand(d)).lab;
    const key = `${v} ${d}`;
    const made = this.#labs.get(key) ?? this.pkg.Lab.create({ vocabSize: v, dModel: d, backend: "gpu" });
    this.#labs.set(key, made);
    return made;
  }

  /** The ids of a shape; Zipf's are noted in the report. */
  tokens({ n, v, tokens }: Pick<Shape, "n" | "v" | "tokens">): Uint32Array {
    const ids = tokensOf(tokens, n, v);
    if (tokens === "zipf") this.recorder.input(ids, v);
    return ids;
  }

  /** The upstream gradient of a shape and what must come out; the last one is kept, since kernels share it. */
  gradient(shape: Shape, tokens: Uint32Array): { gradOut: Float32Array; oracle: GradientOracle } {
    const key = JSON.stringify(shape);
    if (this.#oracle?.key !== key) {
      // The old one goes first: at a million tokens each has 1.6 GB.
      this.#oracle = undefined;
      const gradOut = noise(shape.n * shape.d, 11);
      this.#oracle = { key, gradOut, oracle: new GradientOracle(tokens, gradOut, shape.d, shape.v) };
    }
    return this.#oracle;
  }

  /** Compares a lookup kernel's result with the definition. */
  async checkLookup(kernel: LookupKernel, shape: Shape, tokens: Uint32Array): Promise<Verdict> {
    const { lab, table } = await this.stand(shape.d);
    const half = kernel.startsWith("w16");
    const { out } = await lab.lookup(tokens, kernel);
    if (half && this.#half?.table !== table) this.#half = { table, rounded: halfTable(table) };
    return checkLookup(out, half ? (this.#half?.rounded ?? table) : table, tokens, shape.d, half);
  }

  async checkGradient(kernel: GradientKernel, shape: Shape, tokens: Uint32Array): Promise<Verdict> {
    const lab = await this.lab(shape);
    const { gradOut, oracle } = this.gradient(shape, tokens);
    return oracle.check(await lab.gradient(tokens, gradOut, kernel));
  }

  /** What a run of this kernel at this shape dispatches, if its result was compared and is right. */
  #check(kernel: TimedKernel, shape: Shape, tokens: Uint32Array): Promise<readonly string[] | undefined> {
    const key = `${kernel} ${JSON.stringify(shape)}`;
    const known = this.#checked.get(key);
    if (known) return known;
    const checking = (async () => {
      const step = isLookup(kernel)
        ? () => this.checkLookup(kernel, shape, tokens)
        : () => this.checkGradient(kernel as GradientKernel, shape, tokens);
      const { result, passes } = await recordPasses(step);
      this.recorder.check({ by: "gomme", what: kernel, ...shape, ok: result.ok, text: result.text });
      return result.ok ? passes.flatMap(({ kernels }) => kernels) : undefined;
    })();
    this.#checked.set(key, checking);
    return checking;
  }

  /**
   * Times one kernel, after its result at the same shape was compared with the oracle. A run of it must dispatch the
   * kernels that the compared run dispatched, or its figure says that it was not checked.
   */
  async time(
    part: Part,
    kernel: TimedKernel,
    shape: Shape,
    tokens = this.tokens(shape),
    options: Partial<Settings & { clock: "wall" }> = {},
  ): Promise<Timing | undefined> {
    const what = `${kernel} N=${shape.n} D=${shape.d}${shape.v === VOCABULARY ? "" : ` V=${shape.v}`}`;
    // The bare write has no result, nothing is expected of `racy`, and `sorted_parts` is a part of what gives one.
    const comparable = !["write_only", "racy", "sorted_parts"].includes(kernel);
    const path =
      comparable && shape.n <= this.settings.longestChecked
        ? await this.guard(part, "gomme", `${what}, compared`, () => this.#check(kernel, shape, tokens), 120)
        : undefined;
    return this.guard(
      part,
      "gomme",
      what,
      async () => {
        const lab = await this.lab(shape);
        const { samples, minMilliseconds, warmMilliseconds, clock } = {
          ...this.settings,
          clock: undefined,
          ...options,
        };
        const wanted: TimeOptions = { samples, minMilliseconds, warmMilliseconds, ...(clock ? { clock } : {}) };
        let spent = 0;
        const call = async (): Promise<Timing> => {
          const start = performance.now();
          const timing = await lab.time(kernel, tokens, wanted);
          spent = (performance.now() - start) * 1_000;
          return timing;
        };
        // By the wall clock the wrapped methods would count, and a late wait: leave them alone, and wait for ours as for the rivals.
        const { result: timing, passes } = clock
          ? { result: await seen(() => poke(newestDevice(), call())), passes: [] }
          : await recordPasses(call);
        if (timing.hidden) throw new Error("the page was hidden while the wall clock ran");
        if ((timing.microseconds - timing.cpuMicroseconds) * timing.repeats * timing.samples.length > spent) {
          throw new Error(`${timing.microseconds} µs a run is more than the whole measurement took`);
        }
        const dispatched = oneRun(passes);
        const samePath = clock !== undefined || (dispatched !== undefined && path && contains(path, dispatched));
        const checked = comparable ? path !== undefined && samePath === true : undefined;
        this.recorder.figure(figureOf(part, timing, shape, dispatched, checked));
        return timing;
      },
      120,
    );
  }

  /** Kernels of these that run on this device. */
  async available<K extends TimedKernel>(kernels: readonly K[], d = WIDTH): Promise<K[]> {
    const { lab } = await this.stand(d);
    return kernels.filter((kernel) => lab.kernels.includes(kernel));
  }

  /** Whether the compare-exchange loop is left out at this length. */
  tooLongToScatter = (kernel: TimedKernel, n: number): boolean =>
    scatters.includes(kernel) && n > this.settings.longestCas;

  /** Those of these lengths that the address asks for. */
  lengths(lengths: readonly number[]): number[] {
    return lengths.filter((n) => n <= this.settings.longest && n >= this.settings.shortest);
  }

  /** A module of `bench/`, such as a rival: an error where it was left out of this build. */
  async load<T>(name: string): Promise<T> {
    const address = this.beside(`bench/${name}.js`);
    const there = await fetch(address, { method: "HEAD" });
    if (!there.ok) throw new Error("left out of this build");
    return ((await import(address)) as { default: T }).default;
  }
}

function figureOf(
  part: Part,
  timing: Timing,
  shape: Shape,
  dispatched: string[] | undefined,
  checked: boolean | undefined,
): Figure {
  const samples = [...timing.samples];
  const operation = operationOf(timing.kernel);
  const spread = range(samples);
  return {
    part,
    by: "gomme",
    what: timing.kernel,
    ...(operation ? { operation } : {}),
    ...(shape.v === VOCABULARY ? {} : { v: shape.v }),
    n: shape.n,
    d: shape.d,
    tokens: shape.tokens,
    value: timing.microseconds,
    unit: "µs",
    clock: timing.clock,
    samples: samples.length,
    repeats: timing.repeats,
    ...(spread ? { range: spread } : {}),
    ...(timing.cpuMicroseconds > 0 ? { cpuMicroseconds: timing.cpuMicroseconds } : {}),
    ...(dispatched ? { dispatched } : {}),
    ...(checked === undefined ? {} : { checked }),
    bytes: timing.bytes,
    usedRows: timing.usedRows,
    ...(timing.retries === undefined ? {} : { retries: timing.retries }),
  };
}
