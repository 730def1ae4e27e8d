// Which rows a heat map shows, in which order, on which scale.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { gradientHeat, outputHeat, rowOrder } = await load("models/heat.ts");
const { cellAt, fit, placeOf } = await load("draw/heat.ts");

const lookup = {
  tokens: { ids: Uint32Array.of(5, 6, 5, 7), pieces: ["a", "b", "a", "c"] },
  out: new Float32Array(16),
};

test("shows the positions of a page", () => {
  assert.deepEqual(
    outputHeat(lookup, 2, 2, 4, 0.15).rows.map((row) => [row.s, row.id, row.piece, row.start]),
    [
      [2, 5, "a", 8],
      [3, 7, "c", 12],
    ],
  );
  assert.equal(outputHeat(lookup, 99, 2, 4, 1).rows[0].s, 3, "a page past the end shows the end");
  const nothing = { tokens: { ids: new Uint32Array(0), pieces: [] }, out: new Float32Array(0) };
  assert.deepEqual(outputHeat(nothing, 0, 24, 4, 1).rows, []);
});

const result = { rows: Uint32Array.of(3, 8, 9), hits: Uint32Array.of(1, 4, 2), grad: new Float32Array(12) };
const positions = new Map([
  [9, [0]],
  [3, [1]],
  [8, [2]],
]);

test("orders rows by first appearance while they fit, else by hits", () => {
  assert.deepEqual(rowOrder(result, positions, 3), [2, 0, 1]);
  assert.deepEqual(rowOrder(result, positions, 2), [1, 2, 0]);
});

test("frames the cell that a planted value was bound for, and keeps it out of the scale", () => {
  const grad = Float32Array.of(1, 0, 0, 1, 1, 0, 0, Number.NaN, 0, 0, 0, 0);
  const gradient = {
    result: { ...result, grad },
    tokens: { ids: Uint32Array.of(9, 3, 8) },
    planted: { nan: 1 * 4 + 2, inf: undefined },
  };
  const heat = gradientHeat(gradient, [0, 1, 2], 0, 24, 4, (id) => `piece ${id}`);
  assert.deepEqual(heat.marks, [{ row: 0, d: 2 }]);
  assert.equal(heat.rows[1].piece, "piece 8");
  assert.equal(heat.limit, 2);
});

test("finds the cell under a point again where the map put it, in every fold", () => {
  for (const width of [64, 262, 300, 606, 900, 1400]) {
    const g = fit(width, 384, 7, 15, 10);
    assert.ok(g.width <= Math.max(width, 64) + 384, `${g.width}`);
    for (const [row, column] of [
      [0, 0],
      [3, 95],
      [6, 383],
      [2, 200],
    ]) {
      const { x, y } = placeOf(g, row, column);
      assert.deepEqual(cellAt(g, x + g.cell / 2, y + g.row / 2), { row, column });
    }
  }
});
