// What cannot be a time is never shown as one: timestamps of zero or out of order, and wall clocks of a hidden tab.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const listeners = new Set();
globalThis.document = {
  hidden: false,
  addEventListener: (_, listener) => listeners.add(listener),
  removeEventListener: (_, listener) => listeners.delete(listener),
};
const { inRounds, lengthsFor, measureSkew, measureSpeed, middleOf, plausible, timed } = await load("measure/speed.ts");
const { skewOutcome } = await load("models/outcomes.ts");

const timing = (microseconds, clock = "timestamp") => ({ microseconds, clock, bytes: 1, usedRows: 1, retries: 0 });
/** A device that answers these times in turn, and what clock it was asked for. */
function device(...answers) {
  const asked = [];
  return {
    asked,
    call: async (_kernel, _tokens, { clock }) => {
      asked.push(clock);
      const next = answers.shift();
      return typeof next === "function" ? next() : next;
    },
  };
}

test("a time is more than nothing, finite, and less than a minute", () => {
  for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 3.6e9]) assert.equal(plausible(bad), false);
  for (const good of [0.2, 120, 5e6]) assert.equal(plausible(good), true);
});

test("timestamps out of order are measured again by the wall clock", async () => {
  for (const bad of [0, Number.POSITIVE_INFINITY, 1.8e13]) {
    const { call, asked } = device(timing(bad), timing(250, "wall"));
    const { measure } = await timed(call, "sorted", new Uint32Array(1));
    assert.deepEqual([measure.microseconds, measure.clock], [250, "wall"]);
    assert.deepEqual(asked, ["auto", "wall"]);
  }
});

test("no believable time is no time", async () => {
  const { call } = device(timing(0), timing(Number.NaN, "wall"));
  assert.deepEqual(await timed(call, "sorted", new Uint32Array(1)), { dropped: "clock" });
});

const setHidden = (hidden) => {
  document.hidden = hidden;
  for (const listener of [...listeners]) listener();
};
/** An answer during which the tab is hidden, for a moment or for good. */
const hide = (answer, forGood) => () => {
  setHidden(true);
  if (!forGood) setHidden(false);
  return answer;
};

test("a wall clock that ran while the tab was hidden runs again; timestamps count", async () => {
  const wall = device(hide(timing(250, "wall")), hide(timing(240, "wall")), timing(50, "wall"));
  assert.equal((await timed(wall.call, "sorted", new Uint32Array(1))).measure.microseconds, 50);
  const never = device(...Array.from({ length: 4 }, () => hide(timing(250, "wall"))));
  assert.deepEqual(await timed(never.call, "sorted", new Uint32Array(1)), { dropped: "hidden" });
  const stamped = device(hide(timing(250), true));
  assert.equal((await timed(stamped.call, "sorted", new Uint32Array(1))).measure.microseconds, 250);
  setHidden(false);
  assert.equal(listeners.size, 0, "nothing goes on listening");
});

test("a tab that is hidden is waited for, but not forever", async () => {
  const back = device(hide(timing(250, "wall"), true), timing(50, "wall"));
  setTimeout(() => setHidden(false), 20);
  assert.equal((await timed(back.call, "sorted", new Uint32Array(1))).measure.microseconds, 50);
  const gone = device(hide(timing(250, "wall"), true));
  assert.deepEqual(await timed(gone.call, "sorted", new Uint32Array(1), { limit: 20 }), { dropped: "hidden" });
  setHidden(false);
  assert.equal(listeners.size, 0, "nothing goes on listening");
});

test("a sweep leaves out what was dropped, and counts it", async () => {
  // Two lengths, three rounds; at the first length no round of the second kernel gives a time.
  const bad = [timing(0), timing(0, "wall")];
  const eight = [timing(10), ...bad, ...bad, timing(12), timing(90), ...bad];
  const sixteen = [20, 30, 31, 22, 21, 32].map((time) => timing(time));
  const { call } = device(...eight, ...sixteen);
  const options = { lengths: [8, 16], kernels: ["sorted", "write_only"], vocabulary: 64, skew: 1, seed: 1 };
  const sweep = await measureSpeed(call, options, { stopped: () => false, tell() {} }, () => {});
  assert.deepEqual(sweep.dropped, { hidden: 0, clock: 3 });
  const times = (kernel) => [...sweep.times.get(kernel)].map(([n, measure]) => [n, measure.microseconds]);
  assert.deepEqual(times("sorted"), [
    [8, 12],
    [16, 21],
  ]);
  assert.deepEqual(times("write_only"), [[16, 31]]);
});

test("each round begins with another, and the middle of rounds leaves a bad one out", () => {
  const order = inRounds(["a", "b", "c"], 3).map(({ thing, round }) => `${thing}${round}`);
  assert.deepEqual(order, ["a0", "b0", "c0", "b1", "c1", "a1", "c2", "a2", "b2"]);
  assert.equal(middleOf([]), undefined);
  assert.equal(middleOf([timing(900), undefined, timing(10), timing(12)]).microseconds, 12);
  const mixed = middleOf([timing(10), timing(500, "wall"), timing(600, "wall")]);
  assert.deepEqual([mixed.microseconds, mixed.clock], [10, "timestamp"]);
});

test("a device that is cold at first, or slows down, changes no order of the skews", async () => {
  const sweepOn = async (factor) => {
    let calls = 0;
    const call = async () => timing(100 * factor(calls++));
    const control = { stopped: () => false, tell() {} };
    return await measureSkew(call, { n: 64, vocabulary: 64, seed: 1 }, control, () => {});
  };
  const cold = await sweepOn((i) => (i < 3 ? 4 : 1));
  assert.deepEqual(
    cold.points.map((point) => [point.skew, point.measure.microseconds]),
    [0, 0.5, 1, 1.5].map((skew) => [skew, 100]),
  );
  // A busy moment after the first round, as four others on the same two cores make it.
  const busy = await sweepOn((i) => (i > 5 && i < 11 ? 3 : 1));
  assert.equal(skewOutcome(busy.points, 64 * 384).time, "alike");
  const drifting = await sweepOn((i) => 1 + i / 20);
  assert.equal(skewOutcome(drifting.points, 64 * 384).time, "alike");
});

test("a sweep is as long as the device can bear", () => {
  assert.equal(lengthsFor("gpu", false).at(-1), 262_144);
  assert.equal(lengthsFor("gpu", true).at(-1), 8192);
  assert.equal(lengthsFor("cpu", undefined).at(-1), 2048);
});
