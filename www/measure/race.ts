// Runs of the race: one set of tokens through three kernels, with ones to count what is lost and with random values to
// compare bits.
import { type Difference, differenceOf, type Load, lostIn } from "../models/race";
import type { EmbeddingGradient } from "../pkg/gomme.js";
import { bell } from "../random";
import { inSlices, pause } from "../schedule";
import type { GradientCall } from "./contention";

export const KERNELS = ["racy", "embed_backward", "sorted"] as const;
export type RaceKernel = (typeof KERNELS)[number];

/** One run of one kernel: additions lost with ones, and bits against the first run with random values. */
export interface Run extends Difference {
  readonly lost: number;
}

export type Results = { readonly [kernel in RaceKernel]: readonly Run[] };
export const NO_RUNS: Results = { racy: [], embed_backward: [], sorted: [] };

/** The race over one load; runs of one race are compared with its first. */
export class Race {
  readonly #firsts = new Map<RaceKernel, Float32Array>();
  #random: Float32Array | undefined;

  constructor(
    readonly load: Load,
    readonly seed: number,
    readonly width: number,
  ) {}

  /** One run of all three; undefined if stopped. */
  async run(call: GradientCall, stopped: () => boolean): Promise<{ [kernel in RaceKernel]: Run } | undefined> {
    const { tokens } = this.load;
    const random = await this.#values(stopped);
    if (!random) return undefined;
    const ones = new Float32Array(random.length).fill(1);
    // The six calls run together: a browser that answers a wait late then delays them only once.
    const calls: Promise<EmbeddingGradient>[] = [];
    for (const kernel of KERNELS) {
      for (const upstream of [ones, random]) {
        calls.push(call(tokens, upstream, kernel));
        await pause();
      }
    }
    const outcomes = await Promise.all(calls);
    if (stopped()) return undefined;
    const made: Partial<{ [kernel in RaceKernel]: Run }> = {};
    for (const [i, kernel] of KERNELS.entries()) {
      const [counted, summed] = [outcomes[2 * i], outcomes[2 * i + 1]];
      if (counted && summed) made[kernel] = await this.#judge(kernel, counted, summed);
    }
    return made as { [kernel in RaceKernel]: Run };
  }

  async #judge(kernel: RaceKernel, counted: EmbeddingGradient, summed: EmbeddingGradient): Promise<Run> {
    const { hits } = this.load;
    const { width } = this;
    const { rows, grad } = counted;
    const values = summed.grad;
    const first = this.#firsts.get(kernel) ?? values;
    this.#firsts.set(kernel, first);
    let [lost, cells, gap] = [0, 0, 0];
    await inSlices(
      rows.length,
      8,
      (from, to) => {
        const [a, b] = [from * width, to * width];
        lost += lostIn(grad.subarray(a, b), rows.subarray(from, to), hits, width);
        const found = differenceOf(first.subarray(a, b), values.subarray(a, b));
        cells += found.cells;
        gap = Math.max(gap, found.gap);
      },
      () => false,
    );
    return { lost, cells, gap };
  }

  async #values(stopped: () => boolean): Promise<Float32Array | undefined> {
    if (this.#random) return this.#random;
    const random = new Float32Array(this.load.tokens.length * this.width);
    const fill = (from: number, to: number) => {
      for (let i = from; i < to; i++) random[i] = bell(this.seed, i);
    };
    if (!(await inSlices(random.length, 8192, fill, stopped))) return undefined;
    this.#random = random;
    return random;
  }
}
