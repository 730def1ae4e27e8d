// Medians and ranges of samples.

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/** Smallest and largest; `undefined` for no samples. */
export function range(samples: readonly number[]): readonly [number, number] | undefined {
  if (samples.length === 0) return undefined;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const sample of samples) {
    low = Math.min(low, sample);
    high = Math.max(high, sample);
  }
  return [low, high];
}
