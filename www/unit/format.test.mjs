// Numbers as each language writes them, and the bits of floats.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { count, exact, fixed, short } = await load("format.ts");

test("groups digits by the language and keeps a true minus", () => {
  assert.equal(count("tr", 16384), "16.384");
  assert.equal(count("en", 1234567), "1,234,567");
  assert.equal(fixed("tr", -0.5, 2), "−0,50");
  assert.equal(fixed("en", -0.0001, 2), "0.00");
  assert.equal(fixed("en", 0.0001, 2), "<0.01");
});

test("names what is no number, and writes small ones as powers of ten", () => {
  assert.equal(fixed("en", Number.NaN, 3), "NaN");
  assert.equal(short("tr", Number.NEGATIVE_INFINITY), "−Inf");
  assert.equal(short("tr", 2.2e-4), "2,2 · 10⁻⁴");
  assert.equal(exact("en", Math.fround(0.1)), "0.1");
  assert.deepEqual(
    [10, 1000, 65536, -250000].map((one) => exact("tr", one)),
    ["10", "1000", "65536", "−250000"],
  );
  assert.equal(exact("tr", Math.fround(6.92904e-7)), "6,92904 · 10⁻⁷");
  assert.equal(exact("en", 2 ** 80), "1.2089258 · 10²⁴");
});
