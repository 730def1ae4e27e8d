// The page's random numbers: a distribution, full mantissas, and sums that depend on their order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { bell, zipf } = await load("random.ts");
const { bits, zipfTokens } = await load("zipf.ts");

const values = Float32Array.from({ length: 100_000 }, (_, i) => bell(1, i));
const word = new DataView(new ArrayBuffer(4));
const bitsOf = (value) => {
  word.setFloat32(0, value);
  return word.getUint32(0);
};

test("gradient values are normally distributed", () => {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  const variance = values.reduce((sum, v) => sum + v * v, 0) / values.length;
  const within = (most) => values.filter((v) => Math.abs(v) < most).length / values.length;
  assert.ok(Math.abs(mean) < 0.015, `mean ${mean}`);
  assert.ok(Math.abs(variance - 1) < 0.02, `variance ${variance}`);
  assert.ok(Math.abs(within(1) - 0.6827) < 0.005);
  assert.ok(Math.abs(within(2) - 0.9545) < 0.003);
  assert.ok(Math.abs(within(3) - 0.9973) < 0.001);
  assert.equal(
    values.findIndex((v) => v === 0 || !Number.isFinite(v)),
    -1,
  );
});

test("gradient values fill the mantissa, over many binades", () => {
  // A multiple of 2^-15 within ±2 has at most 17 significant bits: the lowest six bits of its mantissa would be 0.
  const lowest = values.filter((v) => (bitsOf(v) & 1) === 1).length / values.length;
  assert.ok(Math.abs(lowest - 0.5) < 0.01, `last bit set in ${lowest}`);
  const binades = new Set(Array.from(values, (v) => (bitsOf(v) >>> 23) & 0xff));
  assert.ok(binades.size >= 14, `${binades.size} binades`);
});

test("a seed is a stream of its own", () => {
  assert.notEqual(bell(1, 0), bell(2, 0));
  assert.equal(bell(7, 1234), bell(7, 1234));
  assert.equal(new Set(Array.from({ length: 1000 }, (_, seed) => bell(seed, 0))).size, 1000);
});

test("the page's ids of skew 1 are the benchmark's", async () => {
  for (const [n, V, seed] of [
    [9_000, 16_384, 1],
    [2_048, 1_000, 1],
    [5_000, 16_384, 7],
  ]) {
    assert.deepEqual(await zipf(n, V, 1, seed), zipfTokens(n, V, seed), `n = ${n}, V = ${V}, seed ${seed}`);
  }
});

test("Zipf: skew 1 is the benchmark's law, 0 is flat, and a larger skew is more skewed", () => {
  // By the formula in words, without the code's search: rank = number of r with c[r] <= u · c[V-1].
  const [V, seed] = [512, 3];
  let sum = 0;
  const c = Array.from({ length: V }, (_, r) => (sum += 1 / (r + 2.7)));
  const expected = Array.from({ length: 50 }, (_, i) => {
    const target = ((bits(seed, i) + 0.5) / 2 ** 32) * sum;
    return (c.filter((one) => one <= target).length * 40_503) % V;
  });
  assert.deepEqual([...zipfTokens(50, V, seed)], expected);

  const most = (skew) => {
    const hits = new Map();
    for (const id of zipfTokens(20_000, 16_384, 1, skew)) hits.set(id, (hits.get(id) ?? 0) + 1);
    return Math.max(...hits.values());
  };
  assert.ok(most(0) < 12, `flat: ${most(0)}`);
  assert.ok(Math.abs(most(1) / 20_000 - 0.042) < 0.006, `natural: ${most(1)}`);
  assert.ok(most(1.5) > 3 * most(1));
});
