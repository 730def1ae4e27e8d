// Bits of many numbers at once, and of f16.

export const bitsOfAll = (values: ArrayLike<number>): Uint32Array => new Uint32Array(Float32Array.from(values).buffer);
export const floatsOf = (bits: Uint32Array): Float32Array => new Float32Array(bits.slice().buffer);

/** The number of f16 bits; finite ones. */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  return sign * (exponent === 0 ? mantissa * 2 ** -24 : (1024 + mantissa) * 2 ** (exponent - 25));
}
