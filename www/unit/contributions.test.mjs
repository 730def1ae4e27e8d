// What arrives at a cell, and the lines of the shaders that are shown.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./load.mjs";

const { contributionsTo } = await load("models/contributions.ts");
const { exchangeLines, racyLines } = await load("models/lines.ts");
const { bell } = await load("random.ts");

const ids = Uint32Array.from([7, 3, 7]);
const source = (kind, upstream) => ({ ids, upstream: Float32Array.from(upstream), width: 2, kind, seed: 1 });
const values = (...given) => contributionsTo(...given).map((one) => one.value);

test("ones are ones, and one position is one contribution among zeros", () => {
  assert.deepEqual(values(source("ones", [1, 1, 1, 1, 1, 1]), 7, 1, 4), [1, 1, 1, 1]);
  const single = contributionsTo(source("single", [0, 0, 0, 0, 1, 1]), 7, 1, 4);
  assert.deepEqual(
    single.map((one) => [one.s, one.value, one.fate]),
    [
      [0, 0, "zero"],
      [2, 1, "adds"],
      [3, 0, "zero"],
      [5, 0, "zero"],
    ],
  );
});

test("random values are those of the gradient, and then those of a longer text", () => {
  const upstream = Array.from({ length: 6 }, (_, i) => bell(1, i));
  const expected = [0, 2, 3, 5].map((s) => Math.fround(bell(1, s * 2 + 1)));
  assert.deepEqual(values(source("random", upstream), 7, 1, 4), expected);
});

test("a NaN stays where it was put, and a row without a position gets nothing", () => {
  const fates = contributionsTo(source("ones", [1, Number.NaN, 1, 1, 1, 1]), 7, 1, 3).map((one) => one.fate);
  assert.deepEqual(fates, ["non-finite", "adds", "adds"]);
  assert.deepEqual(contributionsTo(source("ones", [1, 1, 1, 1, 1, 1]), 99, 0, 3), []);
});

test("the stepper shows the shaders' own lines", () => {
  const exchange = exchangeLines(readFileSync("shaders/01_embedding.wgsl", "utf8"));
  assert.equal(exchange[0], "var old_bits = atomicLoad(&grad_table[dst_idx]);");
  assert.equal(exchange.at(-1), "}");
  for (const part of ["loop {", "atomicCompareExchangeWeak", "break;", "old_bits = res.old_value;"]) {
    assert.equal(exchange.filter((line) => line.includes(part)).length, 1, part);
  }
  const racy = racyLines(readFileSync("shaders/gradient_racy.wgsl", "utf8"));
  assert.match(racy.at(-1), /^grad_table\[dst_idx\] = grad_table\[dst_idx\] \+ /);
  assert.equal(racy.length, 2);
});
