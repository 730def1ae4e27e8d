// The test runner's own counting: no failure, crash or hang may get lost in the sum.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { countNode, countRust, failedNames, failures, run } from "../../tools/test.mjs";

mkdirSync("target/test-logs", { recursive: true });
const suite = (script, more = {}) => run("tools-self", { command: [process.execPath, "-e", script], ...more });
const counts = ({ passed, failed }) => [passed, failed];

test("results of several Rust test binaries are summed", () => {
  const text = `
test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s
test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 filtered out; finished in 1.00s
`;
  assert.deepEqual(countRust(text), { passed: 15, failed: 2 });
});

test("node --test: the last totals count, cancelled tests as failed", () => {
  const text = "ℹ pass 1\nℹ fail 0\n# pass 5\n# fail 2\n# cancelled 1\n";
  assert.deepEqual(countNode(text), { passed: 5, failed: 3 });
});

test("what failed is told by name, and without what passed", () => {
  const node = `✔ one (1ms)
✖ two, with (brackets) (2.5ms)
ℹ fail 1

✖ failing tests:

test at www/e2e/stale.test.mjs:30:3
✖ two, with (brackets) (2.5ms)
  Error: waited
`;
  assert.deepEqual(failedNames(node), ["www/e2e/stale.test.mjs: two, with (brackets)"]);
  assert.doesNotMatch(failures(node), /one/);
  assert.match(failures(node), /waited/);
  const rust = "test kernels::a ... ok\ntest kernels::b ... FAILED\ntest kernels::c ... FAIL\n";
  assert.deepEqual(failedNames(rust), ["kernels::b", "kernels::c"]);
  assert.equal(failures(rust), rust.trimEnd());
});

test("a check passes or fails by its status", async () => {
  assert.deepEqual(counts(await suite("")), [1, 0]);
  const failed = await suite("process.exit(3)");
  assert.deepEqual([counts(failed), failed.why], [[0, 1], "ended with status 3"]);
});

test("a crash after passing tests counts as a failure", async () => {
  const crashed = await suite('console.log("test result: ok. 2 passed; 0 failed"); process.abort()', {
    count: countRust,
  });
  assert.deepEqual([counts(crashed), crashed.why], [[2, 1], "ended with SIGABRT"]);
});

test("a suite that ran no test counts as a failure", async () => {
  const none = await suite("", { count: countNode });
  assert.deepEqual([counts(none), none.why], [[0, 1], "ran no test"]);
});

test("a suite that hangs is ended and counts as a failure", async () => {
  const hung = await suite("setInterval(() => {}, 1000)", { minutes: 0.01 });
  assert.deepEqual(counts(hung), [0, 1]);
  assert.match(hung.why, /limit/);
});

test("a command that does not exist counts as a failure", async () => {
  const missing = await run("tools-self", { command: ["no-such-command-of-gomme"] });
  assert.deepEqual(counts(missing), [0, 1]);
  assert.match(missing.why, /could not start/);
});
