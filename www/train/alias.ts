// Draws from a fixed distribution in constant time (Walker's alias method, built as Vose does).

export interface AliasTable {
  /** Chance to stay in each column, scaled to 2^32. */
  readonly stay: Float64Array;
  /** Where the rest of the column belongs. */
  readonly other: Uint32Array;
}

/** Weights in any unit, not negative, at least one above 0. The same weights give the same table everywhere. */
export function aliasTable(weights: ArrayLike<number>): AliasTable {
  const n = weights.length;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += weights[i] ?? 0;
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) throw new RangeError("a distribution needs a weight above 0");
  const share = Float64Array.from({ length: n }, (_, i) => ((weights[i] ?? 0) * n) / sum);
  const stay = new Float64Array(n).fill(2 ** 32);
  const other = Uint32Array.from({ length: n }, (_, i) => i);
  const small: number[] = [];
  const large: number[] = [];
  for (const [i, one] of share.entries()) (one < 1 ? small : large).push(i);
  while (small.length > 0 && large.length > 0) {
    const [low, high] = [small.pop() as number, large.pop() as number];
    stay[low] = (share[low] as number) * 2 ** 32;
    other[low] = high;
    share[high] = (share[high] as number) - (1 - (share[low] as number));
    ((share[high] as number) < 1 ? small : large).push(high);
  }
  return { stay, other };
}

/** The index for two random words of 32 bits: one picks a column, one decides between the two that share it. */
export function pick(table: AliasTable, column: number, coin: number): number {
  const i = Math.floor((column / 2 ** 32) * table.stay.length);
  return coin < (table.stay[i] as number) ? i : (table.other[i] as number);
}
