// Jobs stand in one line for the device: each waits its turn, a long one lets others go first, and any can be stopped.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { createJob } = await load("job.ts");
const rest = (ms = 5) => new Promise((done) => setTimeout(done, ms));

test("a job that passes lets those that wait go first, and then goes on", async () => {
  const told = [];
  const [long, short] = [createJob(), createJob()];
  let goOn = true;
  const first = long.start(async ({ pass, stopped }) => {
    while (goOn && !stopped()) {
      await pass();
      told.push("long");
      await rest();
    }
  });
  await rest(20);
  assert.ok(told.length > 1, "alone it never waits");
  const second = short.start(async () => {
    const before = told.length;
    told.push("short");
    await rest(30);
    assert.equal(told.length, before + 1, "nobody else runs meanwhile");
    assert.equal(long.waiting.peek(), true);
  });
  await second;
  const so = told.length;
  await rest(20);
  assert.ok(told.length > so, "it goes on");
  assert.equal(long.waiting.peek(), false);
  goOn = false;
  await first;
  assert.ok(told.includes("short"));
  assert.equal(long.running.peek(), false);
});

test("a job that is stopped while others go first ends at once, and nobody goes before them", async () => {
  const [long, short, third] = [createJob(), createJob(), createJob()];
  const first = long.start(async ({ pass, stopped }) => {
    while (!stopped()) {
      await pass();
      await rest();
    }
  });
  await rest();
  let busy = false;
  const second = short.start(async () => {
    busy = true;
    await rest(60);
    busy = false;
  });
  await rest(20);
  long.stop();
  await first;
  assert.equal(long.running.peek(), false);
  assert.equal(busy, true, "it did not wait for the other's end");
  await third.start(async () => assert.equal(busy, false, "the line holds"));
  await second;
  assert.equal(short.error.peek() ?? third.error.peek(), undefined);
});

test("whoever waits for long says so, and can be stopped before its turn", async () => {
  const [long, short] = [createJob(), createJob()];
  let end = () => {};
  const first = long.start(() => new Promise((done) => (end = done)));
  await rest();
  let ran = false;
  const second = short.start(async () => {
    ran = true;
  });
  assert.equal(short.waiting.peek(), false, "a moment needs no word");
  await rest(250);
  assert.equal(short.waiting.peek(), true);
  short.stop();
  assert.deepEqual([short.running.peek(), short.waiting.peek()], [false, false]);
  end();
  await first;
  await second;
  assert.equal(ran, false);
});
