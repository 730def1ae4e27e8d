// Seeded numbers that depend on their place alone: the same seed gives the same gradient at any length, in any order.
import { inSlices } from "./schedule";

/** A well mixed 32-bit word of (seed, i), by the finaliser of MurmurHash3. */
export function word(seed: number, i: number): number {
  let x = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Bell-shaped around 0, within ±2: the sum of two uniform halves of one word. */
export function bell(seed: number, i: number): number {
  const w = word(seed, i);
  return ((w & 0xffff) + (w >>> 16)) / 32_768 - 2;
}

/** Uniform in 0 ≤ u < 1. */
export function uniform(seed: number, i: number): number {
  return word(seed, i) / 4_294_967_296;
}

/** `n` token ids of a vocabulary of `size` by Zipf's law with this exponent (0: all alike), ranks shuffled by the seed. */
export async function zipf(n: number, size: number, skew: number, seed: number): Promise<Uint32Array> {
  const upTo = new Float64Array(size);
  let sum = 0;
  for (let r = 0; r < size; r++) {
    sum += (r + 1) ** -skew;
    upTo[r] = sum;
  }
  const ids = new Uint32Array(n);
  const step = (from: number, to: number) => {
    for (let i = from; i < to; i++) ids[i] = pick(uniform(seed, i) * sum);
  };
  await inSlices(n, 4096, step, () => false);
  return ids;

  function pick(u: number): number {
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) < u) low = middle + 1;
      else high = middle;
    }
    // An odd factor permutes the ranks when the size is a power of two; otherwise the remainder keeps it in range.
    return (Math.imul(low, 2_654_435_761) >>> 0) % size;
  }
}
