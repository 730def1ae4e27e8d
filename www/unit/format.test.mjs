// Numbers as each language writes them, and the bits of floats.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { bitsOf, count, duration, exact, fixed, floatOf, hex, megabytes, percent, short } = await load("format.ts");

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
    ["10", "1.000", "65.536", "−250.000"],
  );
  assert.equal(exact("tr", Math.fround(6.92904e-7)), "6,92904 · 10⁻⁷");
  assert.equal(exact("en", 1234.5), "1,234.5");
  assert.deepEqual([percent("tr", 0.0008), percent("en", 0.13)], ["%0,08", "13%"]);
  assert.equal(exact("en", 2 ** 80), "1.2089258 · 10²⁴");
});

test("gives durations the unit that suits them, and bytes in megabytes", () => {
  assert.deepEqual(
    [3.04, 99.96, 340, 1234, 25_000, 1_500_000, 61e6].map((us) => duration("en", us)),
    ["3.0 µs", "100.0 µs", "340 µs", "1.23 ms", "25.0 ms", "1.50 s", "61.0 s"],
  );
  assert.equal(megabytes("tr", 25_165_824), "25,2 MB");
});

test("takes a float apart into its bits and puts it together again", () => {
  assert.equal(hex(bitsOf(1)), "0x3f800000");
  assert.equal(hex(bitsOf(-2.5)), "0xc0200000");
  assert.equal(hex(bitsOf(2 ** -149)), "0x00000001");
  assert.equal(bitsOf(0.1), bitsOf(Math.fround(0.1)), "rounded to f32 first");
  assert.ok(Object.is(floatOf(0x80000000), -0));
  assert.ok(Number.isNaN(floatOf(0x7fc00000)));
  for (const value of [0, 1, -3.5, Math.fround(0.1), Number.POSITIVE_INFINITY])
    assert.equal(floatOf(bitsOf(value)), value);
});
