// Endings of numbers, as they are spoken.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { some, inSome, from } = await load("strings/turkish.ts");

test("an ending follows the last word of the number", () => {
  const spoken = [
    ["0", "0’ı", "0’ında", "0’dan"],
    ["1", "1’i", "1’inde", "1’den"],
    ["4", "4’ü", "4’ünde", "4’ten"],
    ["6", "6’sı", "6’sında", "6’dan"],
    ["9", "9’u", "9’unda", "9’dan"],
    ["10", "10’u", "10’unda", "10’dan"],
    ["101", "101’i", "101’inde", "101’den"],
    ["60", "60’ı", "60’ında", "60’tan"],
    ["250", "250’si", "250’sinde", "250’den"],
    ["300", "300’ü", "300’ünde", "300’den"],
    ["2.048", "2.048’i", "2.048’inde", "2.048’den"],
    ["8.192", "8.192’si", "8.192’sinde", "8.192’den"],
    ["30.000", "30.000’i", "30.000’inde", "30.000’den"],
    ["5.000.000", "5.000.000’u", "5.000.000’unda", "5.000.000’dan"],
    ["2.000.000.000", "2.000.000.000’ı", "2.000.000.000’ında", "2.000.000.000’dan"],
  ];
  for (const [number, ...endings] of spoken) assert.deepEqual([some(number), inSome(number), from(number)], endings);
});
