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
const { lengthsFor, measureSpeed, plausible, timed } = await load("measure/speed.ts");

const timing = (microseconds, clock = "timestamp") => ({ microseconds, clock, bytes: 1, usedRows: 1, retries: 0 });
/** A device that answers these times in turn, and what clock it was asked for. */
function device(...answers) {
  const asked = [];
  return {
    asked,
    call: async (_kernel, _tokens, clock) => {
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
  assert.deepEqual(await timed(gone.call, "sorted", new Uint32Array(1), 20), { dropped: "hidden" });
  setHidden(false);
  assert.equal(listeners.size, 0, "nothing goes on listening");
});

test("a sweep leaves out what was dropped, and counts it", async () => {
  const { call } = device(timing(10), timing(0), timing(0, "wall"), timing(20), timing(30));
  const options = { lengths: [8, 16], kernels: ["sorted", "write_only"], vocabulary: 64, skew: 1, seed: 1 };
  const sweep = await measureSpeed(call, options, { stopped: () => false, tell() {} }, () => {});
  assert.deepEqual(sweep.dropped, { hidden: 0, clock: 1 });
  assert.deepEqual([...sweep.times.get("sorted").keys()], [8, 16]);
  assert.deepEqual([...sweep.times.get("write_only").keys()], [16]);
});

test("a sweep is as long as the device can bear", () => {
  assert.equal(lengthsFor("gpu", false).at(-1), 262_144);
  assert.equal(lengthsFor("gpu", true).at(-1), 8192);
  assert.equal(lengthsFor("cpu", undefined).at(-1), 2048);
});
