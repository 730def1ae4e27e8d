// The race's own data: what is lost, what differs, and that the order of additions shows in its bits.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./load.mjs";

const { differenceOf, loadOf, lostIn, windowOf } = await load("models/race.ts");
const { bell } = await load("random.ts");
const D = 384;
const text = [6754, 321, 6283, 3784, 265, 16270, 6754, 15546];

test("two orders of the race's own additions give other bits in most cells", () => {
  const { tokens } = loadOf(text, 16_384, 128, 4096);
  const positions = [...tokens.keys()].filter((s) => tokens[s] === 6754);
  assert.equal(positions.length, 256);
  const sum = (order) =>
    Float32Array.from({ length: D }, (_, d) =>
      order.reduce((total, s) => Math.fround(total + Math.fround(bell(1, s * D + d))), 0),
    );
  const { cells, gap } = differenceOf(sum(positions), sum([...positions].reverse()));
  assert.ok(cells > D / 2, `${cells} of ${D} cells differ`);
  assert.ok(gap > 0 && gap < 1e-3, `${gap}`);
});

test("on the recorded graphics card the runs of compare-exchange differ, and those of the sorted sum don't", () => {
  const names = readdirSync("www/recorded").filter((name) => name.endsWith(".json"));
  assert.ok(names.length >= 2);
  for (const name of names) {
    const { race } = JSON.parse(readFileSync(`www/recorded/${name}`, "utf8"));
    for (const { times, results } of race.loads) {
      const cells = (kernel) => results[kernel].slice(1).map((run) => run.cells);
      assert.ok(cells("embed_backward").length >= 9);
      assert.ok(
        cells("embed_backward").every((n) => n > 0),
        `${name}, ${times} times: ${cells("embed_backward")}`,
      );
      assert.deepEqual(new Set(cells("sorted")), new Set([0]), name);
    }
  }
});

test("the text is repeated up to the limit, ids outside the vocabulary left out", () => {
  assert.equal(loadOf(text, 16_384, 128, 4096).tokens.length, 1024);
  assert.equal(loadOf(text, 16_384, 10_000, 4096).times, 512);
  assert.deepEqual([...loadOf([1, 99, 2], 10, 2, 4096).tokens], [1, 2, 1, 2]);
  const none = loadOf([99], 10, 8, 4096);
  assert.equal(none.tokens.length, 0);
  assert.equal(none.busiest.id, -1);
  assert.equal(loadOf(new Uint32Array(9000), 10, 4, 4096).tokens.length, 4096);
});

test("losses are what is missing of the hits, differences are bits", () => {
  const hits = new Map([
    [3, 5],
    [8, 2],
  ]);
  assert.equal(lostIn(new Float32Array([5, 4, 2, 0]), new Uint32Array([3, 8]), hits, 2), 3);
  assert.deepEqual(differenceOf(new Float32Array([1, 2]), new Float32Array([1, 2 + 2 ** -22])), {
    cells: 1,
    gap: 2 ** -22,
  });
  assert.deepEqual(differenceOf(new Float32Array([0]), new Float32Array([-0])), { cells: 1, gap: 0 });
});

test("a window over many runs says where it begins", () => {
  assert.deepEqual(windowOf([1, 2, 3], 5), { from: 0, shown: [1, 2, 3] });
  assert.deepEqual(windowOf([1, 2, 3, 4], 2), { from: 2, shown: [3, 4] });
});
