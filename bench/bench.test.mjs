// What the benchmark rests on: the same ids as the twin's, an oracle that can say no, a model that is a model.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { bundled, here } from "./bundled.mjs";

// Node 20 has none, and a report names its browser.
globalThis.navigator ??= { userAgent: "Node" };
const { checksum, noise, spread, tokensOf, VOCABULARY, zipfTokens } = await bundled("workload.ts");
const { checkLookup, GradientOracle, toHalf } = await bundled("oracle.ts");
const { contains, oneRun } = await bundled("devices.ts");
const { seen, stampedMicroseconds } = await bundled("meter.ts");
const { baselineFigures, figureMet, judge, rivalRows } = await bundled("judge.ts");
const { Recorder } = await bundled("report.ts");
const { settings } = await bundled("settings.ts");
const { readStored } = await bundled("stored.ts");
const { RULES, stepsInF64, worstOf } = await bundled("steps.ts");

test("the ids are those of the figures in the README and of torch_twin.py", (t) => {
  const known = { 512: "ff39492f", 8192: "4515c398", 65536: "6441b109" };
  for (const [n, sum] of Object.entries(known)) assert.equal(checksum(zipfTokens(Number(n))), sum);
  assert.equal(checksum(zipfTokens(2_048, 1_000)), "fcce5302");
  assert.equal(checksum(zipfTokens(2_048, 1_048_576)), "7957c7dc");
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
    const { v, n, checksum: sum } = JSON.parse(line);
    assert.equal(checksum(zipfTokens(n, v)), sum, `N = ${n}, V = ${v}`);
  }
});

test("spread tokens are all different while there are rows for them", () => {
  assert.equal(new Set(tokensOf("spread", VOCABULARY)).size, VOCABULARY);
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
  assert.equal(oracle.checkDense(forward).ok, true);
  const [front, back] = [sum(0, n / 2), sum(n / 2, n)];
  assert.equal(oracle.checkDense(front.map((value, cell) => value + back[cell])).ok, true);
  assert.equal(oracle.checkDense(sum(1, n)).ok, false);
  const holed = forward.slice();
  holed[3] = Number.NaN;
  assert.equal(oracle.checkDense(holed).ok, false);
});

test("a model by hand: protobuf fields where onnx.proto has them", async () => {
  const { oneNodeModel } = await bundled("rivals/onnx.ts");
  const input = { name: "a", type: "float32", dims: [300] };
  const model = Buffer.from(oneNodeModel("Identity", [input], { ...input, name: "b" }, { axis: 0 }));
  // ir_version = 8, then a graph whose dimension 300 is the varint AC 02.
  assert.equal(model.subarray(0, 3).toString("hex"), "08083a");
  assert.ok(model.includes(Buffer.from("08ac02", "hex")));
  assert.ok(model.includes("Identity"));
});

test("a run of a timed kernel is the shortest timed pass, and every other repeats it", () => {
  const pass = (kernels, timed = true) => ({ kernels, timed, count: kernels.length });
  const run = ["sort", "rows", "sum"];
  assert.deepEqual(oneRun([pass(["noise"], false), pass(run), pass([...run, ...run])]), run);
  assert.equal(oneRun([pass(run), pass([...run, "sum"])]), undefined);
  assert.equal(oneRun([pass(["noise"], false)]), undefined);
});

test("a path is contained only as it is, without a gap", () => {
  const whole = ["fill_zero", "sort", "rows", "sum"];
  assert.equal(contains(whole, ["sort", "rows", "sum"]), true);
  assert.equal(contains(whole, ["rows", "sum"]), true);
  assert.equal(contains(whole, ["sort", "sum"]), false);
  assert.equal(contains(whole, ["sum", "sum"]), false);
});

test("timestamps that can't be give no time: zero, out of order, hours apart", () => {
  assert.equal(stampedMicroseconds(1_000n, 6_000n, 10), 5);
  assert.equal(stampedMicroseconds(0n, 0n, 10), undefined);
  assert.equal(stampedMicroseconds(0n, 6_000n, 10), undefined);
  assert.equal(stampedMicroseconds(6_000n, 6_000n, 10), undefined);
  assert.equal(stampedMicroseconds(6_000n, 1_000n, 10), undefined);
  assert.equal(stampedMicroseconds(1_000n, 2n ** 63n, 1_000_000), undefined);
});

test("no report holds a time of zero, a negative one or no number", () => {
  const recorder = new Recorder(false, "", () => {});
  const figure = { part: "call", by: "gomme", what: "embed()", unit: "µs" };
  for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => recorder.figure({ ...figure, value }), /measured/);
  }
  recorder.figure({ ...figure, value: 1 });
  // Memory may fall, a ratio may be nothing.
  recorder.figure({ ...figure, value: -4, unit: "bytes" });
  recorder.figure({ ...figure, value: 0, unit: "1" });
  assert.equal(recorder.report.figures.length, 3);
});

test("a sample by the wall clock waits until the page can be seen, and is taken again where it was hidden meanwhile", async () => {
  const page = Object.assign(new EventTarget(), { hidden: true });
  globalThis.document = page;
  const setHidden = (hidden) => {
    page.hidden = hidden;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  try {
    // As headless Chromium begins: hidden for a moment.
    setTimeout(() => setHidden(false), 20);
    const taken = [];
    const value = await seen(async () => {
      taken.push(page.hidden);
      if (taken.length === 1) {
        setHidden(true);
        setTimeout(() => setHidden(false), 20);
      }
      return taken.length;
    });
    assert.deepEqual({ taken, value }, { taken: [false, false], value: 2 });
    const fickle = async () => {
      setHidden(true);
      setHidden(false);
    };
    await assert.rejects(seen(fickle), /hidden/);
  } finally {
    delete globalThis.document;
  }
});

const gpu = { software: false, name: "a GPU", shaderF16: false };
const reportOf = (figures, more = {}) => ({
  date: "2026-01-01T00:00:00Z",
  browser: "Chromium 1",
  adapter: gpu,
  inputs: [],
  checks: [],
  failures: [],
  cut: false,
  seconds: 1,
  figures: figures.map((figure) => ({ by: "gomme", part: "targets", unit: "µs", d: 384, ...figure })),
  ...more,
});

test("the same targets hold in both browsers, and none on a software adapter", () => {
  const figures = [{ what: "sorted", n: 8_192, value: 28.5 }];
  const verdicts = ["Chromium 1", "Firefox 1"].map((browser) => judge(reportOf(figures, { browser }))[0].met);
  assert.deepEqual(verdicts, [false, false]);
  assert.equal(judge(reportOf([{ ...figures[0], value: 28 }]))[0].met, true);
  assert.equal(judge(reportOf(figures, { adapter: { ...gpu, software: true } }))[0].met, undefined);
});

test("another vocabulary is another row", () => {
  const [row, ...more] = judge(reportOf([{ what: "sorted", n: 2_048, v: 1_000, value: 5 }]));
  assert.equal(row.target.v, 1_000);
  assert.deepEqual(more, []);
});

test("the document's f16 kernels are baselines: no target judges them", () => {
  const n = 262_144;
  const report = reportOf([
    { what: "fast", n, value: 120 },
    { what: "w16_fast", n, value: 115 },
    { what: "w16_packed", n, value: 400 },
    { what: "w16_native", n, value: 400 },
  ]);
  assert.deepEqual(
    judge(report).map(({ target, met }) => [target.kernel, met]),
    [
      ["fast", true],
      ["w16_fast", true],
    ],
  );
  assert.deepEqual(
    baselineFigures(report).map(({ what }) => what),
    ["w16_packed", "w16_native"],
  );
});

test("a figure with a target of its own is judged by it", () => {
  const report = reportOf([]);
  assert.equal(figureMet(report, { value: 1.2, target: 1.3 }), true);
  assert.equal(figureMet(report, { value: 1.4, target: 1.3 }), false);
  assert.equal(figureMet(report, { value: 1.4 }), undefined);
});

test("a rival stands beside ours by what it does, whatever it is called", () => {
  const part = "rivals";
  const report = reportOf([
    { part, what: "fast", operation: "lookup", n: 512, value: 2, clock: "wall" },
    { part, what: "sorted", operation: "gradient", n: 512, value: 10, clock: "wall" },
    { part, by: "other", what: "grad of take", operation: "gradient", n: 512, value: 50, clock: "wall" },
    { part, by: "other", what: "grad of take", operation: "gradient", n: 512, value: 40, clock: "gpu markers" },
  ]);
  const row = rivalRows(report).find(({ by }) => by === "other");
  assert.deepEqual([row.operation, row.wall, row.markers, row.times], ["gradient", 50, 40, 5]);
});

test("stored reports of one browser on one adapter are one; others stay apart", async () => {
  const figure = (value) => ({ what: "sorted", n: 512, value });
  const files = {
    "a.json": reportOf([figure(1)]),
    "b.json": reportOf([figure(2)], { browser: "Firefox 1" }),
    "c.json": reportOf([figure(3)], { date: "2025-01-01T00:00:00Z" }),
  };
  const shown = await readStored(Object.keys(files), async (path) => files[path]);
  assert.deepEqual(
    shown.map(({ report, files }) => [report.browser, report.date.slice(0, 4), report.figures.length, files]),
    [
      ["Chromium 1", "2025", 2, ["a.json", "c.json"]],
      ["Firefox 1", "2026", 1, ["b.json"]],
    ],
  );
  await assert.rejects(
    readStored([], () => {}),
    /no report named/,
  );
  await assert.rejects(
    readStored(["x.json"], async () => ({})),
    /not a report/,
  );
});

test("a switch of the address that can't be read is an error in words", () => {
  const of = (query) => settings(new URLSearchParams(query));
  assert.equal(of("n=8192").longest, 8_192);
  assert.equal(of("n=").longest, 1_048_576);
  assert.throws(() => of("parts=chek"), /no part "chek"/);
  assert.throws(() => of("rivals=tf"), /no library "tf"/);
  assert.throws(() => of("samples=many"), /samples: a number/);
});

test("the optimisers' oracle takes rounding, and neither a step too few nor a NaN", () => {
  for (const rule of RULES) {
    const { values, magnitudes } = stepsInF64(rule);
    assert.ok(worstOf(Float32Array.from(values), values, magnitudes) < 1, rule);
    const used = values.findIndex((value, i) => magnitudes[i] > Math.abs(value));
    const changed = values.slice();
    changed[used] += 1e-3;
    assert.ok(worstOf(changed, values, magnitudes) > 1, rule);
    changed[used] = Number.NaN;
    assert.ok(!(worstOf(changed, values, magnitudes) <= 1), rule);
  }
});
