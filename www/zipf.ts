// Token ids with the word frequencies of a language, the same for the page, the benchmark and its Python twin.

/**
 * 32 pseudo-random bits for position `i` of stream `seed`: h = mix(seed + i · 0x9E3779B9 mod 2^32), where mix is
 *   h ^= h >> 16; h *= 0x21F0AAAD; h ^= h >> 15; h *= 0x735A2D97; h ^= h >> 15
 * A counter, not a state: any position can be computed alone.
 */
export function bits(seed: number, i: number): number {
  let h = (seed + Math.imul(i, 0x9e3779b9)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return (h ^ (h >>> 15)) >>> 0;
}

/**
 * The token id at each position, by Zipf's law in Mandelbrot's form. Rank r of 0..V-1 has weight (r + 2.7)^-skew: all
 * ranks alike at 0, and at 1 the hottest row gets 4.2% of the positions when V = 16,384.
 *
 *   c[r]  = w[0] + w[1] + … + w[r]                  f64, added in this order
 *   u     = (bits(seed, i) + 0.5) / 2^32
 *   rank  = number of r with c[r] <= u · c[V-1]
 *   id    = rank · 40503 mod V                      spreads neighbouring ranks over the table
 *
 * 40503 = 3 · 23 · 587, so ranks keep ids of their own where V has none of these factors, as a power of two. At skew 1
 * only +, ·, / and comparisons of f64 are used, so every language computes the same ids.
 */
export function zipfSampler(vocabulary: number, seed: number, skew: number): (i: number) => number {
  const cumulative = new Float64Array(vocabulary);
  let sum = 0;
  for (let rank = 0; rank < vocabulary; rank++) {
    sum += skew === 1 ? 1 / (rank + 2.7) : (rank + 2.7) ** -skew;
    cumulative[rank] = sum;
  }
  return (i) => {
    const target = ((bits(seed, i) + 0.5) / 2 ** 32) * sum;
    let low = 0;
    let high = vocabulary - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cumulative[middle] as number) <= target) low = middle + 1;
      else high = middle;
    }
    return (low * 40_503) % vocabulary;
  };
}

/** `n` token ids at once. */
export function zipfTokens(n: number, vocabulary = 16_384, seed = 1, skew = 1): Uint32Array {
  const idAt = zipfSampler(vocabulary, seed, skew);
  return Uint32Array.from({ length: n }, (_, i) => idAt(i));
}
