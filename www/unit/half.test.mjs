// f16 rounding against the format's own definition, and sums that lose and overflow.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { sums, toHalf } = await load("models/half.ts");

/** The value of a half's bits, by the definition of the format. */
function halfOf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

test("every half is itself, and what lies between two goes to the nearer, or to the even one", () => {
  for (let bits = 0; bits < 0x7c00; bits++) {
    const [low, high] = [halfOf(bits), bits + 1 === 0x7c00 ? 65_536 : halfOf(bits + 1)];
    const middle = (low + high) / 2;
    const above = bits + 1 === 0x7c00 ? Number.POSITIVE_INFINITY : high;
    const tie = bits % 2 === 0 ? low : above;
    const beside = (high - low) * 1e-6;
    for (const sign of [1, -1]) {
      assert.ok(Object.is(toHalf(sign * low), sign * low), `${low}`);
      assert.equal(toHalf(sign * middle), sign * tie, `the middle above ${low}`);
      assert.equal(toHalf(sign * (middle - beside)), sign * low, `below the middle above ${low}`);
      assert.equal(toHalf(sign * (middle + beside)), sign * above, `above the middle above ${low}`);
    }
  }
  assert.equal(toHalf(1e300), Number.POSITIVE_INFINITY);
  assert.equal(toHalf(Number.NEGATIVE_INFINITY), Number.NEGATIVE_INFINITY);
  assert.ok(Number.isNaN(toHalf(Number.NaN)));
  assert.ok(Object.is(toHalf(-1e-300), -0));
});

test("ones stop at 2,048 in f16 and go on in f32", () => {
  const sum = sums(new Float32Array(4096).fill(1));
  assert.deepEqual(sum, {
    additions: 4096,
    f32: 4096,
    f16: 2048,
    lost: { f32: 0, f16: 2048 },
    rounded: 0,
    overflow: undefined,
  });
});

test("a sum beyond 65,504 overflows in f16 alone, at the addition that does it", () => {
  const sum = sums(new Float32Array(2000).fill(64));
  assert.equal(sum.f32, 128_000);
  assert.equal(sum.f16, Number.POSITIVE_INFINITY);
  assert.equal(sum.overflow, 1024);
});

test("few numbers of one size lose nothing, and what a kernel skips is not added", () => {
  assert.deepEqual(sums([0.5, 0, Number.NaN, 0.25, Number.POSITIVE_INFINITY, -0]), {
    additions: 2,
    f32: 0.75,
    f16: 0.75,
    lost: { f32: 0, f16: 0 },
    rounded: 0,
    overflow: undefined,
  });
  assert.deepEqual(sums([1e-9, 1e-9]).lost, { f32: 0, f16: 2 });
  // 0.1 is no half, and 2,048 + 3 is none either: both change the sum, to something near.
  assert.equal(sums([0.1, 2048, 3]).rounded, 3);
});
