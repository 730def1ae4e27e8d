// The race: which tokens run, what an outcome lost, and how far two outcomes are apart in bits.

export interface Load {
  /** The text's ids inside the vocabulary, `times` times. */
  readonly tokens: Uint32Array;
  readonly times: number;
  readonly hits: ReadonlyMap<number, number>;
  readonly busiest: { readonly id: number; readonly hits: number };
}

/** The text repeated as often as asked for, but never beyond `limit` positions. */
export function loadOf(text: Iterable<number>, vocabulary: number, wished: number, limit: number): Load {
  const ids = [...text].filter((id) => id < vocabulary).slice(0, limit);
  const times = Math.max(1, Math.min(wished, Math.floor(limit / Math.max(1, ids.length))));
  const tokens = Uint32Array.from({ length: ids.length * times }, (_, i) => ids[i % ids.length] ?? 0);
  const hits = new Map<number, number>();
  for (const id of tokens) hits.set(id, (hits.get(id) ?? 0) + 1);
  let busiest = { id: -1, hits: 0 };
  for (const [id, many] of hits) if (many > busiest.hits) busiest = { id, hits: many };
  return { tokens, times, hits, busiest };
}

/** Additions missing from a sum of ones: what each cell should hold, less what it holds. */
export function lostIn(
  grad: Float32Array,
  rows: Uint32Array,
  hits: ReadonlyMap<number, number>,
  width: number,
): number {
  let lost = 0;
  for (let u = 0; u < rows.length; u++) {
    const expected = hits.get(rows[u] ?? 0) ?? 0;
    for (let i = u * width; i < (u + 1) * width; i++) lost += expected - (grad[i] ?? 0);
  }
  return lost;
}

export interface Difference {
  /** Cells whose bits differ, and the largest difference of two values. */
  readonly cells: number;
  readonly gap: number;
}

export function differenceOf(a: Float32Array, b: Float32Array): Difference {
  let cells = 0;
  let gap = 0;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    if (Object.is(x, y)) continue;
    cells += 1;
    gap = Math.max(gap, Math.abs(x - y));
  }
  return { cells, gap };
}

/** What is drawn of many runs: the last `room` of them, and which they are. */
export function windowOf<T>(runs: readonly T[], room: number): { readonly from: number; readonly shown: readonly T[] } {
  const from = Math.max(0, runs.length - room);
  return { from, shown: runs.slice(from) };
}
