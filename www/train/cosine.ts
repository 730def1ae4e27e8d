// How alike two rows are, and which rows are most alike.

/** NaN where a row is zeros, or holds what is no number. */
export function cosine(rows: Float32Array, width: number, i: number, j: number): number {
  let [dot, first, second] = [0, 0, 0];
  for (let d = 0; d < width; d++) {
    const a = rows[i * width + d] as number;
    const b = rows[j * width + d] as number;
    dot += a * b;
    first += a * a;
    second += b * b;
  }
  const found = dot / Math.sqrt(first * second);
  return Number.isFinite(found) ? Math.max(-1, Math.min(1, found)) : Number.NaN;
}

export interface Near {
  readonly index: number;
  readonly cosine: number;
}

/** The `most` rows nearest to row `i`, without itself and those that have no cosine with it; the first wins a tie. */
export function nearest(rows: Float32Array, width: number, i: number, most: number): Near[] {
  const found: Near[] = [];
  for (let index = 0; index < rows.length / width; index++) {
    if (index === i) continue;
    const one = { index, cosine: cosine(rows, width, i, index) };
    if (Number.isNaN(one.cosine)) continue;
    if (found.length === most && one.cosine <= (found.at(-1) as Near).cosine) continue;
    found.push(one);
    found.sort((a, b) => b.cosine - a.cosine || a.index - b.index);
    found.length = Math.min(found.length, most);
  }
  return found;
}
