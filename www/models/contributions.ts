// What arrives at one cell of the gradient: the reader's own upstream gradient at the positions that use the row.
import { bell } from "../random";
import { type Fate, fateOf } from "./lockstep";

export interface Contribution {
  /** Position in the text; beyond its end where the text was repeated. */
  readonly s: number;
  readonly value: number;
  readonly fate: Fate;
}

export interface Source {
  readonly ids: Uint32Array;
  /** N·D values. */
  readonly upstream: Float32Array;
  readonly width: number;
  readonly kind: "ones" | "random" | "single";
  readonly seed: number;
}

/**
 * The first k contributions to cell (id, d). Where the text has fewer positions of the row it is repeated, and goes on as
 * a longer text would: ones stay ones, random values are the next ones, and the one position stays the only one.
 */
export function contributionsTo(source: Source, id: number, d: number, k: number): Contribution[] {
  const { ids, upstream, width, kind, seed } = source;
  const spots: number[] = [];
  ids.forEach((one, s) => {
    if (one === id) spots.push(s);
  });
  if (spots.length === 0) return [];
  if (kind === "single") {
    // The one position that sends something is among the first k, however late it comes.
    const sends = spots.findIndex((s) => (upstream[s * width + d] ?? 0) !== 0);
    if (sends >= k) spots.splice(k - 1, 0, ...spots.splice(sends, 1));
  }
  const repeated = (s: number) =>
    kind === "random" ? Math.fround(bell(seed, s * width + d)) : kind === "ones" ? 1 : 0;
  return Array.from({ length: k }, (_, i) => {
    const s = (spots[i % spots.length] ?? 0) + ids.length * Math.floor(i / spots.length);
    const value = s < ids.length ? (upstream[s * width + d] ?? 0) : repeated(s);
    return { s, value, fate: fateOf(value) };
  });
}
