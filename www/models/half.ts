// Sums in f16 beside f32: each partial sum rounded as the format would round it.

const word = new DataView(new ArrayBuffer(8));

/** Largest finite f16. */
export const HALF_MAX = 65_504;

/**
 * `value` rounded to the nearest f16, ties to even, as an f64. 11 significant bits down to 2^-14, steps of 2^-24 below;
 * from 65,520 up infinite. The same as `Math.f16round`, which not every browser has.
 */
export function toHalf(value: number): number {
  const size = Math.abs(value);
  if (!(size < 65_520)) return Number.isNaN(value) ? Number.NaN : Math.sign(value) * Number.POSITIVE_INFINITY;
  word.setFloat64(0, size);
  const exponent = Math.max(-14, ((word.getUint32(0) >>> 20) & 0x7ff) - 1023);
  const step = 2 ** (exponent - 10);
  // The quotient has at most 53 bits and is below 2^12: adding and taking away 2^52 rounds it to an integer, ties to even.
  const rounded = size / step + 2 ** 52 - 2 ** 52;
  return value < 0 || Object.is(value, -0) ? -rounded * step : rounded * step;
}

/** One sum in both formats, and what became of its additions. */
export interface HalfSum {
  /** Contributions that a kernel adds; zeros and what is not finite are skipped. */
  readonly additions: number;
  readonly f32: number;
  readonly f16: number;
  /** Additions of something other than 0 that left the sum as it was. */
  readonly lost: { readonly f32: number; readonly f16: number };
  /** Additions that changed the f16 sum, but not by what they should have. */
  readonly rounded: number;
  /** Which addition, counted from 1, made the f16 sum infinite, if one did. */
  readonly overflow: number | undefined;
}

/** Adds `values` one after the other, as one row of the sorted sum is added. */
export function sums(values: Iterable<number>): HalfSum {
  let [additions, f32, f16, lost32, lost16, rounded] = [0, 0, 0, 0, 0, 0];
  let overflow: number | undefined;
  for (const value of values) {
    const single = Math.fround(value);
    if (single === 0 || !Number.isFinite(single)) continue;
    additions += 1;
    const next32 = Math.fround(f32 + single);
    if (next32 === f32) lost32 += 1;
    f32 = next32;
    if (overflow !== undefined) continue;
    const next16 = toHalf(f16 + toHalf(single));
    if (next16 === f16) lost16 += 1;
    else if (next16 !== f16 + single) rounded += 1;
    f16 = next16;
    if (!Number.isFinite(f16)) overflow = additions;
  }
  return { additions, f32, f16, lost: { f32: lost32, f16: lost16 }, rounded, overflow };
}
