// What a heat map shows: rows of values, the end of its colour scale, and cells to be framed. No drawing, no page.
import { niceLimit } from "../draw/scale";
import type { Gradient, Lookup } from "../results";

export interface HeatRow {
  /** Position in the text, or −1 for a row of the table. */
  readonly s: number;
  readonly id: number;
  readonly piece: string;
  /** Index of the row's first value in `values`. */
  readonly start: number;
}

export interface HeatModel {
  readonly rows: readonly HeatRow[];
  readonly values: Float32Array;
  /** |value| at both ends of the scale. */
  readonly limit: number;
  /** Cells to frame in amber. */
  readonly marks?: readonly { readonly row: number; readonly d: number }[];
}

/** Looked-up rows of `size` positions from `from` on, `width` values each. */
export function outputHeat(lookup: Lookup, from: number, size: number, width: number, limit: number): HeatModel {
  const { ids, pieces } = lookup.tokens;
  const first = Math.max(0, Math.min(from, ids.length - 1));
  const rows = Array.from(ids.subarray(first, first + size), (id, i) => ({
    s: first + i,
    id,
    piece: pieces[first + i] ?? "",
    start: (first + i) * width,
  }));
  return { values: lookup.out, limit, rows };
}

/**
 * Indices of the gradient's rows in the order they are shown: by first appearance in the text while all fit, else by how
 * many positions write to them.
 */
export function rowOrder(
  result: Gradient["result"],
  positions: ReadonlyMap<number, readonly number[]>,
  size: number,
): number[] {
  const { rows, hits } = result;
  const order = Array.from(rows.keys());
  const first = (u: number) => positions.get(rows[u] ?? 0)?.[0] ?? 0;
  if (rows.length <= size) return order.sort((a, b) => first(a) - first(b));
  return order.sort((a, b) => (hits[b] ?? 0) - (hits[a] ?? 0) || first(a) - first(b));
}

/** Rows of the gradient from place `from` of the order on. */
export function gradientHeat(
  gradient: Gradient,
  order: readonly number[],
  from: number,
  size: number,
  width: number,
  pieceOf: (id: number) => string,
): HeatModel {
  const { result, tokens, planted } = gradient;
  const rows = order.slice(from, from + size).map((u) => {
    const id = result.rows[u] ?? 0;
    return { s: -1, id, piece: pieceOf(id), start: u * width };
  });
  const marks = [planted.nan, planted.inf].flatMap((i) => {
    if (i === undefined) return [];
    const row = rows.findIndex((one) => one.id === tokens.ids[Math.floor(i / width)]);
    return row >= 0 ? [{ row, d: i % width }] : [];
  });
  return { values: result.grad, rows, limit: niceLimit(2 * spread(result.grad, rows, width)), marks };
}

/** Root mean square of what is finite and not zero, from every third value. */
function spread(values: Float32Array, rows: readonly HeatRow[], width: number): number {
  let sum = 0;
  let some = 0;
  for (const { start } of rows) {
    for (let d = 0; d < width; d += 3) {
      const value = values[start + d] ?? 0;
      if (value === 0 || !Number.isFinite(value)) continue;
      sum += value * value;
      some += 1;
    }
  }
  return Math.sqrt(sum / Math.max(1, some));
}
