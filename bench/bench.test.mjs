// What the benchmark rests on: the same ids as the twin's, an oracle that can say no, a model that is a model.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

async function load(name) {
  const { outputFiles } = await build({ entryPoints: [join(here, name)], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
const { checksum, noise, spread, spreadTokens, VOCABULARY, zipfTokens } = await load("workload.ts");
const { checkLookup, GradientOracle, toHalf } = await load("oracle.ts");

test("the ids are those of the figures in the README and of torch_twin.py", (t) => {
  const known = { 512: "ff39492f", 8192: "4515c398", 65536: "6441b109" };
  for (const [n, sum] of Object.entries(known)) assert.equal(checksum(zipfTokens(Number(n))), sum);
  const { usedRows, mostHits } = spread(zipfTokens(65_536));
  assert.deepEqual({ usedRows, mostHits }, { usedRows: 10_541, mostHits: 2_763 });
  let twin;
  try {
    twin = execFileSync("python3", [join(here, "torch_twin.py"), "--tokens-only"], { encoding: "utf8", stdio: "pipe" });
  } catch {
    t.diagnostic("python3 with numpy is not here: the twin's own ids were not computed");
    return;
  }
  for (const line of twin.trim().split("\n")) {
    const { n, checksum: sum } = JSON.parse(line);
    assert.equal(checksum(zipfTokens(n)), sum, `N = ${n}`);
  }
});

test("spread tokens are all different while there are rows for them", () => {
  assert.equal(new Set(spreadTokens(VOCABULARY)).size, VOCABULARY);
});

test("toHalf rounds to nearest even, subnormals too", () => {
  for (const [value, want] of [
    [1, 1],
    [-0.1, -0.0999755859375],
    [1 + 2 ** -11, 1],
    [1 + 3 * 2 ** -11, 1 + 2 ** -9],
    [2 ** -24, 2 ** -24],
    [2 ** -25, 0],
    [3 * 2 ** -25, 2 ** -23],
    [0, 0],
  ]) {
    assert.equal(toHalf(value), want, String(value));
  }
});

test("the lookup's oracle finds one wrong element, and rows outside the vocabulary", () => {
  const table = noise(6, 1);
  const tokens = Uint32Array.of(2, 7, 0);
  const right = Float32Array.of(table[4], table[5], 0, 0, table[0], table[1]);
  assert.equal(checkLookup(right, table, tokens, 2).ok, true);
  for (const wrong of [0, 3, 5]) {
    const changed = right.slice();
    changed[wrong] += 1e-3;
    assert.equal(checkLookup(changed, table, tokens, 2).ok, false);
  }
  assert.equal(checkLookup(right.subarray(1), table, tokens, 2).ok, false);
});

test("the gradient's oracle takes any order of addition, and neither a lost update nor a NaN", () => {
  const [n, width, vocabulary] = [500, 4, 8];
  const tokens = zipfTokens(n, vocabulary);
  const gradOut = noise(n * width, 2);
  const oracle = new GradientOracle(tokens, gradOut, width, vocabulary);
  const sum = (from, to) => {
    const dense = new Float32Array(vocabulary * width);
    for (let s = from; s < to; s++) {
      for (let d = 0; d < width; d++) dense[tokens[s] * width + d] += gradOut[s * width + d];
    }
    return dense;
  };
  const forward = sum(0, n);
  assert.equal(oracle.check(forward).ok, true);
  const [front, back] = [sum(0, n / 2), sum(n / 2, n)];
  assert.equal(oracle.check(front.map((value, cell) => value + back[cell])).ok, true);
  assert.equal(oracle.check(sum(1, n)).ok, false);
  const holed = forward.slice();
  holed[3] = Number.NaN;
  assert.equal(oracle.check(holed).ok, false);
});

test("a model by hand: protobuf fields where onnx.proto has them", async () => {
  const { oneNodeModel } = await load("rivals/onnx.ts");
  const input = { name: "a", type: "float32", dims: [300] };
  const model = Buffer.from(oneNodeModel("Identity", [input], { ...input, name: "b" }, { axis: 0 }));
  // ir_version = 8, then a graph whose dimension 300 is the varint AC 02.
  assert.equal(model.subarray(0, 3).toString("hex"), "08083a");
  assert.ok(model.includes(Buffer.from("08ac02", "hex")));
  assert.ok(model.includes("Identity"));
});
