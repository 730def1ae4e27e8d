// Seeded numbers that depend on their place alone: the same seed gives the same gradient at any length, in any order.
import { inSlices } from "./schedule";
import { bits, zipfSampler } from "./zipf";

/**
 * Number `i` of a stream, normally distributed with variance 1, to seven digits. Rounded to f32 it fills all 24 bits of
 * the mantissa over many binades, as a gradient in training does: its sums are not exact, and so depend on their order.
 * By Wichura's algorithm AS 241 (PPND7), which needs +, ·, / and, in the tails, a logarithm and a square root.
 */
export function bell(seed: number, i: number): number {
  const p = (bits(Math.imul(seed, 0x85ebca6b) ^ 0x5bd1e995, i) + 0.5) / 2 ** 32;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (
      (q * (((59.10937472 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179)) /
      (((67.1875636 * r + 78.757757664) * r + 17.895169469) * r + 1)
    );
  }
  const tail = tailOf(Math.sqrt(-Math.log(q < 0 ? p : 1 - p)));
  return q < 0 ? -tail : tail;
}

function tailOf(r: number): number {
  if (r <= 5) {
    const x = r - 1.6;
    return (
      (((0.17023821103 * x + 1.3067284816) * x + 2.75681539) * x + 1.4234372777) /
      ((0.12021132975 * x + 0.7370016425) * x + 1)
    );
  }
  const x = r - 5;
  return (
    (((0.017337203997 * x + 0.42868294337) * x + 3.081226386) * x + 6.657905115) /
    ((0.012258202635 * x + 0.24197894225) * x + 1)
  );
}

/** `n` token ids of a vocabulary of `size` with the word frequencies of this skew, without blocking the page. */
export async function zipf(n: number, size: number, skew: number, seed: number): Promise<Uint32Array> {
  const idAt = zipfSampler(size, seed, skew);
  const ids = new Uint32Array(n);
  const step = (from: number, to: number) => {
    for (let i = from; i < to; i++) ids[i] = idAt(i);
  };
  await inSlices(n, 4096, step, () => false);
  return ids;
}
