// Threads in lock step, and the width read off three real devices' figures.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { exchange, failuresInStep, fateOf, keptInStep, racy, widthOf } = await load("models/lockstep.ts");
const { bitsOf, floatOf } = await load("format.ts");

test("compare-exchange keeps every contribution and fails k(k-1)/2 times", () => {
  for (const k of [2, 3, 4, 10]) {
    const values = Array.from({ length: k }, (_, i) => Math.fround(0.1 * (i + 1)));
    const attempts = exchange(values);
    assert.equal(attempts.filter((one) => !one.won).length, (k * (k - 1)) / 2);
    assert.equal(attempts.filter((one) => one.won).length, k);
    const total = values.reduce((sum, value) => Math.fround(sum + value), 0);
    assert.equal(attempts.at(-1).after, bitsOf(total));
  }
});

test("an attempt fails exactly where the cell is no longer what the thread believed", () => {
  for (const one of exchange([1, 2, 4, 8])) assert.equal(one.won, one.found === one.old);
});

test("the racy kernel keeps one of the contributions that were read in step", () => {
  const steps = racy([1, 2, 4]);
  assert.deepEqual(
    steps.map(({ act, thread, erased }) => [act, thread, erased]),
    [
      ["read", 0, undefined],
      ["read", 1, undefined],
      ["read", 2, undefined],
      ["write", 0, undefined],
      ["write", 1, 0],
      ["write", 2, 1],
    ],
  );
  assert.equal(floatOf(steps.at(-1).after), 4);
});

test("zero, NaN and Inf are skipped by both, and a cell that nobody writes has no steps", () => {
  assert.deepEqual([0, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e-40].map(fateOf), [
    "zero",
    "zero",
    "non-finite",
    "non-finite",
    "adds",
  ]);
  assert.deepEqual([...new Set(exchange([0, 1, Number.NaN, 2]).map((one) => one.thread))], [1, 3]);
  assert.deepEqual([...new Set(racy([0, 1, Number.NaN, 2]).map((one) => one.thread))], [1, 3]);
  assert.deepEqual(exchange([0, Number.NaN]), []);
  assert.deepEqual(racy([0, Number.NaN]), []);
});

const point = (k, failures, kept = 1) => ({ k, failures: [failures, failures, failures], kept: [kept] });

test("groups: the figures of SwiftShader (4 in step) and of lavapipe (8)", () => {
  const four = { 2: 1, 3: 3, 4: 6, 5: 6, 8: 12, 10: 13, 64: 96, 256: 384 };
  const eight = { 2: 1, 3: 3, 4: 6, 5: 10, 8: 28, 10: 29, 64: 224, 256: 896 };
  for (const [width, seen] of [
    [4, four],
    [8, eight],
  ]) {
    for (const [k, failures] of Object.entries(seen)) assert.equal(failuresInStep(Number(k), width), failures);
    const points = Object.entries(seen).map(([k, failures]) => point(Number(k), failures));
    assert.deepEqual(widthOf(points), { width, atLeast: false, inGroups: true, overlap: false });
  }
  assert.deepEqual(
    [5, 8, 10, 64].map((k) => keptInStep(k, 4)),
    [2, 2, 3, 16],
  );
  assert.deepEqual(
    [5, 8, 10, 64].map((k) => keptInStep(k, 8)),
    [1, 1, 2, 8],
  );
});

test("a card that fails k(k-1)/2 as far as measured has at least that width", () => {
  const points = [2, 4, 10, 32, 64].map((k) => point(k, (k * (k - 1)) / 2));
  assert.deepEqual(widthOf(points), { width: 64, atLeast: true, inGroups: false, overlap: false });
  const more = [...points, { k: 256, failures: [32_608, 32_608, 32_640], kept: [1] }, point(4096, 3_400_000)];
  assert.deepEqual(widthOf(more), { width: 64, atLeast: false, inGroups: false, overlap: true });
  // Measured on a busy computer whose software adapter walks 8 at a time on two cores: of 512 groups some met.
  const busy = [...[2, 4, 8, 9, 16, 64, 256].map((k) => point(k, failuresInStep(k, 8))), point(4096, 18_070)];
  assert.deepEqual(widthOf(busy), { width: 8, atLeast: false, inGroups: true, overlap: true });
  // Fewer than groups in turn would fail: no sign of groups that overlap.
  const fewer = [...points, point(4096, 1000)];
  assert.deepEqual(widthOf(fewer), { width: 64, atLeast: false, inGroups: false, overlap: false });
});

test("where nobody ever fails there is no width, and nothing measured is no width either", () => {
  assert.deepEqual(widthOf([point(2, 0), point(4, 0)]), { width: 1, atLeast: false, inGroups: true, overlap: false });
  assert.equal(widthOf([]), undefined);
});
