// The benchmark's inputs: token ids, a table, an upstream gradient. `torch_twin.py` has the same token generator, and both
// print the same checksums. Zipf's law itself is the page's (www/zipf.ts).

import { bits, zipfTokens } from "../www/zipf";

export { zipfTokens };

/** Vocabulary size of every row that names no other: the Turkish vocabulary's. */
export const VOCABULARY = 16_384;

/** Model width of every row that names no other. */
export const WIDTH = 384;

/** How the token ids of a figure are spread. */
export type Spread = "zipf" | "equal" | "spread";

/** `n` ids below `vocabulary`: by Zipf's law, the same one each time, or every row equally often in scattered order. */
export function tokensOf(how: Spread, n: number, vocabulary = VOCABULARY): Uint32Array {
  switch (how) {
    case "zipf":
      return zipfTokens(n, vocabulary);
    case "equal":
      return new Uint32Array(n).fill(4_213 % vocabulary);
    case "spread":
      // All different while n <= V.
      return Uint32Array.from({ length: n }, (_, i) => (i * 40503) % vocabulary);
  }
}

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
export function spread(tokens: Uint32Array): { usedRows: number; mostHits: number } {
  const hits = new Map<number, number>();
  for (const token of tokens) hits.set(token, (hits.get(token) ?? 0) + 1);
  let mostHits = 0;
  for (const count of hits.values()) mostHits = Math.max(mostHits, count);
  return { usedRows: hits.size, mostHits };
}
