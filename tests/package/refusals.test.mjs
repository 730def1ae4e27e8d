// The built package in both browsers where the browser refuses its work or the device is small. The checks are in
// fixtures/refusals.js.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { browsers, launch } from "../../tools/browsers.mjs";
import { serve } from "../../tools/serve.mjs";

for (const name of browsers) {
  describe(name, { timeout: 300_000 }, () => {
    let site;
    let browser;
    let page;
    before(async () => {
      site = await serve(".");
      browser = await launch(name);
      page = await browser.newPage();
      await page.goto(`${site.url}tests/package/fixtures/plain/`);
      await page.evaluate(async () => {
        globalThis.gomme = await import("/pkg/gomme.js");
        globalThis.refusals = await import("/tests/package/fixtures/refusals.js");
        await globalThis.gomme.default();
      });
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });
    const found = (check) =>
      page.evaluate((check) => {
        const { gomme, refusals } = globalThis;
        return refusals[check](gomme);
      }, check);
    test("a refused pipeline, bind group or buffer is that call's gpu-error", async () =>
      assert.deepEqual(await found("refusals"), []));
    test("a table and a gradient larger than the largest buffer", async () =>
      assert.deepEqual(await found("smallBuffers"), []));
    test("a row that passes 65,535 workgroups", async () => assert.deepEqual(await found("widestRow"), []));
  });
}
