// What a run produces, and how it leaves the page: every figure at once to /log, all of it at the end to /result,
// and only when the address asks for it (`?collect`).

import type { AdapterFacts } from "../src/api";
import { browserName } from "../www/browser-name";
import { checksum, type Spread, spread, VOCABULARY } from "./workload";

/** The parts of the benchmark, in the order in which they run. */
export const parts = [
  "check",
  "targets",
  "growth",
  "skew",
  "memory",
  "ratio",
  "call",
  "resident",
  "tokenizer",
  "train",
  "rivals",
  "startup",
] as const;
export type Part = (typeof parts)[number];

/** What a figure does with the table, so that figures by different names can stand beside each other. */
export type TableOperation = "lookup" | "gradient" | "step";

/** One measured number. */
export interface Figure {
  readonly part: Part;
  /** Whose: `gomme`, or a rival's name and version. */
  readonly by: string;
  /** What was run: a kernel of `Lab.time`, a call of the package, a rival's function. */
  readonly what: string;
  readonly operation?: TableOperation;
  /** Vocabulary size, where it is not the report's. */
  readonly v?: number;
  readonly n?: number;
  readonly d?: number;
  /** How the token ids are spread: Zipf's law, all equal, all rows equally often. */
  readonly tokens?: Spread;
  readonly value: number;
  readonly unit: "µs" | "ms" | "MB/s" | "bytes" | "1";
  readonly clock?: "timestamp" | "wall" | "cpu" | "gpu markers";
  /** Kernels that one run dispatched while it was timed, in order. */
  readonly dispatched?: readonly string[];
  /** Its result at this shape, by the same kernels, was compared with the oracle. */
  readonly checked?: boolean;
  /** The twin's name for the same work. */
  readonly torch?: string;
  /** At most this many `unit`s, where the part has a target of its own. */
  readonly target?: number;
  readonly samples?: number;
  readonly repeats?: number;
  /** Smallest and largest sample. */
  readonly range?: readonly [number, number];
  /** Contained in `value`. */
  readonly cpuMicroseconds?: number;
  /** What must be moved at least, and what that makes per second. */
  readonly bytes?: number;
  readonly usedRows?: number;
  readonly retries?: number;
  readonly remark?: string;
}

/** One comparison with the oracle. */
export interface Check {
  readonly by: string;
  readonly what: string;
  readonly n: number;
  readonly d: number;
  readonly ok: boolean;
  readonly text: string;
  /** Vocabulary size, where it is not the report's. */
  readonly v?: number;
  readonly tokens?: Spread;
}

/** Something that could not be measured, and why. */
export interface Failure {
  readonly part: Part;
  readonly by: string;
  readonly what: string;
  readonly message: string;
}

export interface Inputs {
  readonly v: number;
  readonly n: number;
  readonly checksum: string;
  readonly usedRows: number;
  readonly mostHits: number;
}

export interface Report {
  readonly format: 2;
  readonly date: string;
  readonly browser: string;
  readonly userAgent: string;
  adapter: AdapterFacts | undefined;
  readonly query: string;
  readonly vocabulary: number;
  readonly inputs: Inputs[];
  readonly checks: Check[];
  readonly figures: Figure[];
  readonly failures: Failure[];
  /** What `torch_twin.py` wrote, when its file lay beside the page. */
  torch: TorchReport | undefined;
  /** The time limit ended the run before its last part. */
  cut: boolean;
  seconds: number;
}

export interface TorchReport {
  readonly device: string;
  readonly torch: string;
  readonly date: string;
  readonly figures: readonly { what: string; v?: number; n: number; d: number; microseconds: number }[];
  /** A small table after some optimiser steps, for ours to be compared with. */
  readonly steps?: readonly TorchSteps[];
}

export interface TorchSteps {
  readonly rule: "sgd" | "adagrad" | "adam";
  readonly dtype: "float64" | "float32";
  readonly v: number;
  readonly d: number;
  readonly n: number;
  readonly steps: number;
  readonly lr: number;
  readonly values: readonly number[];
}

/** What the browser tells about the adapter, in words; some tell nothing. */
export function adapterName(
  adapter: AdapterFacts | undefined,
  words = { nameless: "no name given", software: "software" },
): string {
  if (!adapter) return "–";
  const facts = [adapter.software && words.software, adapter.shaderF16 && "shader-f16"];
  return [adapter.name || words.nameless, ...facts].filter(Boolean).join(", ");
}

/** Collects, tells the page, and POSTs when asked to. */
export class Recorder {
  readonly report: Report;
  readonly #start = performance.now();

  constructor(
    readonly collect: boolean,
    query: string,
    readonly changed: (report: Report) => void,
  ) {
    this.report = {
      format: 2,
      date: new Date().toISOString(),
      browser: browserName(navigator.userAgent),
      userAgent: navigator.userAgent,
      adapter: undefined,
      query,
      vocabulary: VOCABULARY,
      inputs: [],
      checks: [],
      figures: [],
      failures: [],
      torch: undefined,
      cut: false,
      seconds: 0,
    };
  }

  get elapsedSeconds(): number {
    return (performance.now() - this.#start) / 1_000;
  }

  /** Keeps a figure; throws for one that can't be: a time or a rate that is zero, negative or no number. */
  figure(figure: Figure): Figure {
    const { value, unit, by, what } = figure;
    const least = unit === "1" || unit === "bytes" ? Number.NEGATIVE_INFINITY : 0;
    if (!Number.isFinite(value) || value <= least) throw new Error(`${by}, ${what}: measured ${value} ${unit}`);
    this.report.figures.push(figure);
    this.#publish({ figure });
    return figure;
  }

  check(check: Check): boolean {
    this.report.checks.push(check);
    this.#publish({ check });
    return check.ok;
  }

  failure(failure: Failure): void {
    this.report.failures.push(failure);
    this.#publish({ failure });
  }

  /** Notes Zipf tokens, so that the twin's can be compared. */
  input(tokens: Uint32Array, v: number): void {
    const n = tokens.length;
    if (this.report.inputs.some((known) => known.n === n && known.v === v)) return;
    this.report.inputs.push({ v, n, checksum: checksum(tokens), ...spread(tokens) });
  }

  progress(text: string): void {
    this.#publish({ progress: text });
  }

  async finish(): Promise<void> {
    this.report.seconds = Math.round(this.elapsedSeconds);
    this.changed(this.report);
    if (this.collect) await this.#post("result", JSON.stringify(this.report));
  }

  #publish(line: object): void {
    this.report.seconds = Math.round(this.elapsedSeconds);
    this.changed(this.report);
    if (this.collect) void this.#post("log", JSON.stringify({ s: this.report.seconds, ...line }));
  }

  async #post(path: "log" | "result", body: string): Promise<void> {
    try {
      await fetch(`/${path}`, { method: "POST", body });
    } catch {
      // Nobody listens: the page still shows everything.
    }
  }
}
