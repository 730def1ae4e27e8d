// Each outcome that a sentence may state is forced once, by data that show it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const o = await load("models/outcomes.ts");

test("neighbours on one cell", () => {
  const width = (width, atLeast, inGroups, overlap = false) => ({ width, atLeast, inGroups, overlap });
  assert.equal(o.cellOutcome("cpu", width(1, false, true)), "cpu");
  assert.equal(o.cellOutcome("gpu", width(1, false, true)), "apart");
  assert.equal(o.cellOutcome("gpu", width(64, true, false)), "all");
  assert.equal(o.cellOutcome("gpu", width(4, false, true)), "groups");
  assert.equal(o.cellOutcome("gpu", width(256, false, false, true)), "overlap");
  assert.equal(o.cellOutcome("gpu", width(64, false, false)), "mixed");
});

test("what the racy kernel keeps of neighbours", () => {
  const pairs = (k, w) => Math.floor(k / w) * ((w * (w - 1)) / 2) + ((k % w) * ((k % w) - 1)) / 2;
  const points = (kept, width) =>
    [2, 4, 8, 64, 256, 4096].map((k) => ({ k, failures: [pairs(k, Math.min(k, width))], kept: [kept(k)] }));
  assert.equal(
    o.keptOutcome(
      "cpu",
      points((k) => k, 1),
    ),
    "cpu",
  );
  assert.equal(
    o.keptOutcome(
      "gpu",
      points((k) => k, 1),
    ),
    "none",
  );
  assert.equal(
    o.keptOutcome(
      "gpu",
      points((k) => Math.ceil(k / 4), 4),
    ),
    "groups",
  );
  // An H200: equality up to 256 threads, yet one contribution of 4,096 is kept.
  assert.equal(
    o.keptOutcome(
      "gpu",
      points(() => 1, 256),
    ),
    "one",
  );
  assert.equal(
    o.keptOutcome(
      "gpu",
      points(() => 1, 4096),
    ),
    "one",
  );
  assert.equal(
    o.keptOutcome(
      "gpu",
      points((k) => Math.ceil(k / 2), 4),
    ),
    "some",
  );
});

test("rivals 384 threads apart", () => {
  const outcome = (backend, perCell, elsewhere = 0) => {
    const ten = { k: 10, perCell };
    return o.columnsOutcome(backend, ten, [ten, { k: 32, perCell: elsewhere }]);
  };
  assert.equal(outcome("cpu", 0), "cpu");
  assert.equal(outcome("gpu", 0), "none");
  assert.equal(outcome("gpu", 0, 0.0226), "hardly");
  assert.equal(outcome("gpu", 0.003), "hardly");
  assert.equal(outcome("gpu", 3), "few");
  assert.equal(outcome("gpu", 41.7), "near");
});

test("what runs lost, and whether their bits moved", () => {
  const lost = (...all) => all.map((one) => ({ lost: one }));
  assert.equal(o.lossOutcome(lost(0, 0)), "none");
  assert.equal(o.lossOutcome(lost(0, 7)), "some");
  assert.equal(o.lossOutcome(lost(3, 7)), "all");
  const cells = (...all) => all.map((one) => ({ cells: one }));
  assert.equal(o.bitsOutcome(cells(0)), "alone");
  assert.equal(o.bitsOutcome(cells(0, 0)), "same");
  assert.equal(o.bitsOutcome(cells(0, 1)), "moved");
});

test("times beside each other and beside the floor", () => {
  assert.equal(o.paceOutcome(1.2), "slower");
  assert.equal(o.paceOutcome(1.05), "alike");
  assert.equal(o.paceOutcome(0.96), "alike");
  assert.equal(o.paceOutcome(0.8), "faster");
  assert.equal(o.floorOutcome(1.5), "near");
  assert.equal(o.floorOutcome(7.2), "far");
});

test("failed attempts as N grows", () => {
  const points = (...all) => all.map(([n, retries]) => ({ n, additions: n * 384, retries }));
  assert.deepEqual(o.growthOutcome(points([128, 0], [512, 0])), { kind: "none" });
  assert.deepEqual(o.growthOutcome(points([128, 0], [512, 11])), { kind: "below" });
  assert.deepEqual(o.growthOutcome(points([8192, 60e6], [512, 240_304], [128, 10])), { kind: "overtaken", n: 512 });
});

test("the skew of word frequencies", () => {
  const points = (...all) =>
    all.map(([skew, microseconds, retries]) => ({ skew, most: 1, measure: { microseconds, retries } }));
  const outcome = (...all) => o.skewOutcome(points(...all), 1000);
  assert.deepEqual(outcome([1.5, 300, 90], [0, 100, 0]), { time: "slower", retries: "grew" });
  assert.deepEqual(outcome([1.5, 300, 9], [0, 100, 0]), { time: "slower", retries: "few" });
  assert.deepEqual(outcome([0, 100, 0], [1.5, 80, 9]), { time: "faster", retries: "few" });
  assert.deepEqual(outcome([0, 100, 5], [1.5, 105, 5]), { time: "alike", retries: "level" });
  // Measured on a software adapter: 25 failed attempts explain nothing, and the times go down and up.
  assert.deepEqual(outcome([0, 23.2, 0], [0.5, 11.5, 0], [1, 11.6, 3], [1.5, 25.5, 5]), {
    time: "unsteady",
    retries: "few",
  });
  // With many failed attempts a time that falls first and rises then is what fewer rows and more rivals do.
  assert.deepEqual(outcome([0, 23.2, 0], [0.5, 11.5, 0], [1.5, 90, 500]), { time: "slower", retries: "grew" });
  // Measured on a software adapter: a hill in the middle is no "about the same", however many attempts failed.
  assert.deepEqual(outcome([0, 21.7, 0], [0.5, 19.6, 0], [1, 49.8, 50], [1.5, 22, 90]), {
    time: "unsteady",
    retries: "grew",
  });
  assert.equal(outcome([0, 100, 5]), undefined);
});

test("rounds that disagree settle nothing", () => {
  const point = (skew, rounds, retries = 0) => {
    const microseconds = [...rounds].sort((a, b) => a - b)[rounds.length >> 1];
    return { skew, most: 1, measure: { microseconds, retries }, rounds };
  };
  const time = (...points) => o.skewOutcome(points, 1000).time;
  // One cold round changes no verdict, whichever way the rest went.
  assert.equal(time(point(0, [40, 10, 10, 10, 10]), point(1.5, [20, 20, 20, 20, 20])), "slower");
  assert.equal(time(point(0, [99, 20, 20, 20, 20]), point(1.5, [10, 10, 10, 10, 10])), "faster");
  assert.equal(time(point(0, [30, 10, 10, 10, 10]), point(1.5, [10, 10, 11, 10, 10])), "alike");
  // A device that slows down meanwhile slows both down.
  assert.equal(time(point(0, [10, 10, 20, 30, 30]), point(1.5, [10, 11, 21, 31, 30])), "alike");
  assert.equal(time(point(0, [10, 30, 10, 30, 14]), point(1.5, [30, 10, 30, 10, 20])), "unsteady");
  assert.equal(time(point(0, [10, 30, 10, 30, 14]), point(1.5, [30, 12, 10, 10, 11])), "unsteady");
  // Measured by three presses on a busy computer, where nothing had changed.
  assert.equal(time(point(0, [8.4, 8.8, 9.1, 8.7, 9.4]), point(1.5, [7.5, 7.4, 7.9, 7.3, 7.6])), "alike");
  assert.equal(time(point(0, [9, 9, 9, 22, 9]), point(1.5, [21, 8, 22, 23, 9])), "unsteady");
  const high = point(1, [35, 36, 20, 34, 21]);
  assert.equal(time(point(0, [20, 20, 20, 20, 21]), high, point(1.5, [19, 19, 19, 19, 19])), "unsteady");
  // Dropped rounds are left out; fewer than three leave the two times to decide.
  assert.equal(time(point(0, [10, 30, null, 10, 10]), point(1.5, [null, 50, 20, 20, 20])), "slower");
});

test("a sum in f16", () => {
  const sum = (more) => ({ additions: 2, f32: 1, f16: 1, lost: { f32: 0, f16: 0 }, overflow: undefined, ...more });
  assert.equal(o.halfOutcome(sum({ additions: 0 })), "nothing");
  assert.equal(o.halfOutcome(sum({ additions: 1, f16: 1.001 })), "single");
  assert.equal(o.halfOutcome(sum({ overflow: 2 })), "overflow");
  assert.equal(o.halfOutcome(sum({ lost: { f32: 0, f16: 1 } })), "lost");
  assert.equal(o.halfOutcome(sum({ f16: 1.001 })), "inexact");
  assert.equal(o.halfOutcome(sum({})), "exact");
});

test("a guess and what came", () => {
  assert.equal(o.truth(13, 12), "more");
  assert.equal(o.truth(12, 12), "same");
  assert.equal(o.truth(9, 12), "less");
  assert.equal(o.truth(12.5, 12, 1.1), "same");
  assert.equal(o.truth(10, 12, 1.1), "less");
});
