// The built package in both browsers where the browser refuses its work or the device is small. The checks are in
// fixtures/refusals.js.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { browsers } from "../../tools/browsers.mjs";
import { fixturePage } from "./fixture-page.mjs";

for (const name of browsers) {
  describe(name, { timeout: 300_000 }, () => {
    const page = fixturePage(name, "refusals.js");
    before(() =>
      page().evaluate(async () => {
        await globalThis.gomme.default();
      }),
    );
    const found = (check) => page().evaluate((check) => globalThis.checks[check](globalThis.gomme), check);
    test("a refused pipeline, bind group or buffer is that call's gpu-error", async () =>
      assert.deepEqual(await found("refusals"), []));
    test("a table and a gradient larger than the largest buffer", async () =>
      assert.deepEqual(await found("smallBuffers"), []));
    test("a row that passes 65,535 workgroups", async () => assert.deepEqual(await found("widestRow"), []));
  });
}
