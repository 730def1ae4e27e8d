// The recording page: measures what the lesson measures, and gives a recording that the page can draw.

import assert from "node:assert/strict";
import { it } from "node:test";
import { assertClean, inBothBrowsers, open } from "./harness.mjs";

inBothBrowsers("record", (context) => {
  it("records every part once, with where and when", async () => {
    const page = await open(context, {
      address: `${context.url}record.html?adapter=Test%20card&commit=abc1234`,
      ready: false,
    });
    await page.click("#start");
    await page.waitForFunction(() => document.documentElement.dataset.state === "ready", { timeout: 180_000 });
    const made = await page.evaluate(() => globalThis.gommeRecording);
    assert.equal(made.format, 1);
    assert.deepEqual(made.failures, []);
    assert.ok(made.adapter.name.length > 0, "a name from the browser or from the address");
    assert.equal(made.commit, "abc1234");
    assert.ok(Math.abs(Date.parse(made.date) - Date.now()) < 300_000);
    const two = made.cell.find((point) => point.k === 2);
    assert.deepEqual(two.failures, [1, 1, 1], "two neighbours: one of them fails");
    assert.deepEqual(two.kept, [1, 1, 1], "and without the exchange one is lost");
    assert.equal(made.columns.length, 13);
    for (const load of made.race.loads) {
      assert.equal(load.results.sorted.length, 10);
      assert.ok(load.results.sorted.every((run) => run.lost === 0 && run.cells === 0));
      assert.ok(load.results.embed_backward.every((run) => run.lost === 0));
    }
    const moved = made.race.loads.some((load) => load.results.embed_backward.some((run) => run.cells > 0));
    assert.ok(moved, "runs of the compare-exchange kernel differ in bits");
    assert.equal(made.speed.times.length, 20);
    assert.ok(made.speed.times.every((one) => one.microseconds > 0 && one.microseconds < 60e6));
    assert.equal(made.skew[0].points.length, 4);
    assertClean(page, context.url);
    await page.close();
  });

  it("begins by itself and posts progress and result when asked to", async () => {
    const page = await open(context, {
      address: `${context.url}record.html?collect&limit=0`,
      ready: false,
      prepare: `globalThis.posted = []; const real = fetch; globalThis.fetch = async (to, options) => {
        if (options?.method !== "POST") return real(to, options);
        globalThis.posted.push([String(to), options.body]); return new Response(""); };`,
    });
    await page.waitForFunction(() => document.documentElement.dataset.state === "ready", { timeout: 60_000 });
    const posted = await page.evaluate(() => globalThis.posted);
    assert.ok(posted.some(([to]) => to === "/log"));
    const result = JSON.parse(posted.at(-1)[1]);
    assert.equal(posted.at(-1)[0], "/result");
    assert.ok(result.failures.length > 0, "with no time there is nothing, and it says so");
    await page.close();
  });
});
