// The benchmark's inputs: token ids by Zipf's law, a table, an upstream gradient. `torch_twin.py` has the same
// token generator, and both print the same checksums.

/** Vocabulary size of every row of the benchmark: the Turkish vocabulary's. */
export const VOCABULARY = 16_384;

/**
 * 32 pseudo-random bits for position `i` of stream `seed`: h = mix(seed + i · 0x9E3779B9 mod 2^32), where mix is
 *   h ^= h >> 16; h *= 0x21F0AAAD; h ^= h >> 15; h *= 0x735A2D97; h ^= h >> 15
 * A counter, not a state: the twin computes all positions at once.
 */
export function bits(seed: number, i: number): number {
  let h = (seed + Math.imul(i, 0x9e3779b9)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return (h ^ (h >>> 15)) >>> 0;
}

/**
 * `n` token ids by Zipf's law in Mandelbrot's form. Rank r of 0..V-1 has weight 1 / (r + 2.7), which gives the hottest
 * row 4.2% of the positions at V = 16,384.
 *
 *   c[r]  = 1/2.7 + 1/3.7 + … + 1/(r + 2.7)       f64, added in this order
 *   u     = (bits(seed, i) + 0.5) / 2^32
 *   rank  = number of r with c[r] <= u · c[V-1]
 *   id    = rank · 40503 mod V                     spreads neighbouring ranks over the table; V a power of two
 *
 * Only +, ·, / and comparisons of f64, so every language computes the same ids.
 */
export function zipfTokens(n: number, vocabulary = VOCABULARY, seed = 1): Uint32Array {
  const cumulative = new Float64Array(vocabulary);
  let sum = 0;
  for (let rank = 0; rank < vocabulary; rank++) {
    sum += 1 / (rank + 2.7);
    cumulative[rank] = sum;
  }
  const tokens = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const target = ((bits(seed, i) + 0.5) / 2 ** 32) * sum;
    let low = 0;
    let high = vocabulary - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cumulative[middle] as number) <= target) low = middle + 1;
      else high = middle;
    }
    tokens[i] = (low * 40503) % vocabulary;
  }
  return tokens;
}

/** `n` times the same token: the worst skew. */
export const equalTokens = (n: number): Uint32Array => new Uint32Array(n).fill(4_213);

/** Every row equally often, in scattered order; all different while n <= V. */
export const spreadTokens = (n: number, vocabulary = VOCABULARY): Uint32Array =>
  Uint32Array.from({ length: n }, (_, i) => (i * 40503) % vocabulary);

/** `length` values, uniform in [-scale, scale), never zero, exact multiples of scale · 2^-23. */
export function noise(length: number, seed: number, scale = 1): Float32Array {
  const values = new Float32Array(length);
  for (let i = 0; i < length; i++) values[i] = (((bits(seed, i) >>> 8) - 2 ** 23 + 0.5) / 2 ** 23) * scale;
  return values;
}

/** FNV-1a over the ids as little-endian u32, in hex: the same in the twin if the ids are the same. */
export function checksum(tokens: Uint32Array): string {
  let hash = 0x811c9dc5;
  for (const byte of new Uint8Array(tokens.buffer, tokens.byteOffset, tokens.byteLength)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Rows that these ids use, and how often the most frequent one occurs. */
export function spread(tokens: Uint32Array, vocabulary = VOCABULARY): { usedRows: number; mostHits: number } {
  const hits = new Uint32Array(vocabulary);
  for (const token of tokens) if (token < vocabulary) hits[token] = (hits[token] as number) + 1;
  let usedRows = 0;
  let mostHits = 0;
  for (const count of hits) {
    if (count > 0) usedRows++;
    if (count > mostHits) mostHits = count;
  }
  return { usedRows, mostHits };
}
