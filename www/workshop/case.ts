// What a case is made of: named groups of small jobs, chosen for the fault that they show.
import { bitsOfAll, floatsOf, halfToFloat } from "./bits";
import { MARGIN, SENTINEL } from "./gpu";
import { gradientOf, lookupOf } from "./twins";

/** What the output must hold. */
export interface Expected {
  readonly bits: Uint32Array;
  /** |difference| allowed for each number; without it every bit counts (any NaN equals any NaN). */
  readonly slack?: Float64Array;
}

export interface Job {
  readonly n: number;
  readonly d: number;
  readonly v: number;
  readonly tokens: Uint32Array;
  /** Bits of the table, of the packed table, or of the gradient. */
  readonly values: Uint32Array;
  /** Bits of the output before the run, without its margin. */
  readonly start: Uint32Array;
  readonly expect: () => Promise<Expected>;
  /** The grid is folded into x and y, as the long ones are. */
  readonly folded?: boolean;
  /** Times that it runs; their bits must agree where the exercise says so. */
  readonly runs?: number;
  /** Only asked whether its loops end: threads that meet, but few of them. */
  readonly probe?: boolean;
  /** Every addition is of 1, so what is missing are lost additions. */
  readonly ones?: boolean;
}

export interface Case {
  /** Key of its name. */
  readonly id: string;
  readonly jobs: readonly Job[];
}

/** Behind the end of a buffer stands what a kernel must not read or write. */
export function withMargin(bits: Uint32Array, margin: number): Uint32Array {
  const all = new Uint32Array(bits.length + MARGIN).fill(margin);
  all.set(bits);
  return all;
}

export interface Sizes {
  readonly tokens: readonly number[] | Uint32Array;
  readonly d: number;
  readonly v: number;
  readonly folded?: boolean;
  readonly runs?: number;
  readonly probe?: boolean;
  readonly ones?: boolean;
}

/** A lookup from this table (V·D values); what is in the output before must be overwritten. */
export function lookupJob(sizes: Sizes, table: ArrayLike<number>): Job {
  const tokens = Uint32Array.from(sizes.tokens);
  const values = Float32Array.from(table);
  return {
    ...sizes,
    n: tokens.length,
    tokens,
    values: new Uint32Array(values.buffer),
    start: new Uint32Array(tokens.length * sizes.d).fill(SENTINEL),
    expect: async () => ({ bits: await lookupOf(values, sizes.v, sizes.d, tokens, "f32") }),
  };
}

/** A lookup from a table of f16 bits, two in a word. */
export function packedJob(sizes: Sizes, halves: readonly number[]): Job {
  const tokens = Uint32Array.from(sizes.tokens);
  const packed = new Uint32Array(Math.ceil(halves.length / 2));
  halves.forEach((half, k) => {
    packed[k >> 1] = (packed[k >> 1] ?? 0) | (half << (k % 2 === 0 ? 0 : 16));
  });
  const table = Float32Array.from(halves, halfToFloat);
  return {
    ...sizes,
    n: tokens.length,
    tokens,
    values: packed,
    start: new Uint32Array(tokens.length * sizes.d).fill(SENTINEL),
    expect: async () => ({ bits: await lookupOf(table, sizes.v, sizes.d, tokens, "f16") }),
  };
}

export interface GradientOptions {
  /** Gradient bits, where the values alone don't say it: NaN of several kinds. */
  readonly bits?: Uint32Array;
  /** What the cells hold before; zeros if not given. */
  readonly cells?: readonly number[];
  /** Slack for each cell, from its additions; without it every bit counts. */
  readonly slack?: (sum: Sum) => number;
}

export interface Sum {
  readonly hits: number;
  readonly magnitude: number;
  readonly exact: number;
}

/** A gradient of N·D values, summed into V·D cells. */
export function gradientJob(sizes: Sizes, gradient: ArrayLike<number>, options: GradientOptions = {}): Job {
  const tokens = Uint32Array.from(sizes.tokens);
  const { d, v } = sizes;
  const values = options.bits ?? bitsOfAll(gradient);
  const start = bitsOfAll(options.cells ?? new Float32Array(v * d));
  const { slack } = options;
  return {
    ...sizes,
    n: tokens.length,
    tokens,
    values,
    start,
    expect: async () => {
      const bits = await gradientOf(start, v, d, tokens, values);
      if (!slack) return { bits };
      const sums = Array.from({ length: v * d }, () => ({ hits: 0, magnitude: 0, exact: 0 }));
      floatsOf(values).forEach((value, i) => {
        const sum = sums[(tokens[Math.floor(i / d)] ?? v) * d + (i % d)];
        if (!sum || !Number.isFinite(value) || value === 0) return;
        sum.hits += 1;
        sum.magnitude += Math.abs(value);
        sum.exact += value;
      });
      return {
        // The middle of what is allowed is the exact sum.
        bits: bitsOfAll(sums.map(({ exact }) => exact)),
        slack: Float64Array.from(sums, slack),
      };
    },
  };
}

/** The contract's bound for a sum of f32 in any order. */
export const anyOrder = ({ hits, magnitude }: Sum) => hits * (2 ** -24 * magnitude + 2 ** -126);
