// Section 8 where not all is well: a device lost while it trains, no GPU, no network, no pairs, a hidden tab, narrow screens.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, inBothBrowsers, open, press, quiet, sideways, singleFile, text, violations } from "./harness.mjs";
import { board, idle, openTraining, outcome, runFor, steps, untilStep } from "./training.mjs";

inBothBrowsers("training, states", (context) => {
  test("a device lost while it trains: what was lost is said, and a new run begins with the same numbers", async () => {
    const page = await openTraining(context);
    await runFor(page, 8);
    const first = await board(page);
    const again = await steps(page);
    await press(page, "#train-go");
    await untilStep(page, again + 4);
    await page.evaluate(() => document.dispatchEvent(new CustomEvent("gomme:lose-device")));
    await page.waitForFunction(() => !document.querySelector("#train-lost").hidden, { timeout: 60_000 });
    assert.match(await text(page, "#train-lost"), /Cihaz kayboldu: \d+ adımda öğrenilen de gitti/);
    await idle(page);
    assert.equal(await page.$eval("#train-error", (one) => one.hidden), true);
    assert.deepEqual(await violations(page, "#s8"), []);
    // The charts stay; the next start is a new run.
    assert.equal((await board(page)).names.length, 6);
    assert.equal(await text(page, "#train-go"), "Eğit");
    await press(page, "#train-go");
    await page.waitForFunction(() => document.querySelector("#train-lost").hidden, { timeout: 60_000 });
    await untilStep(page, again);
    await press(page, "#train-go");
    await idle(page);
    assert.ok((await steps(page)) >= again);
    assert.deepEqual((await board(page)).names, first.names);
    // The other sections go on, too.
    await page.waitForFunction(() => document.documentElement.dataset.state === "ready");
    await page.close();
  });

  test("without a GPU it trains on the CPU, and says so", async () => {
    const page = await openTraining(context, {
      prepare: () => Object.defineProperty(Navigator.prototype, "gpu", { value: undefined }),
    });
    assert.match(await text(page, "#train-state"), /Bu tarayıcıda GPU yok/);
    await runFor(page, 24);
    const { loss, cosines } = await board(page);
    assert.ok(loss < 3, `${loss}`);
    assert.ok(cosines[2] > 0.3, `${cosines}`);
    await press(page, "#train-collapse");
    await idle(page);
    assert.equal(await outcome(page), "collapsed");
    assertClean(page, context.url);
    await page.close();
  });

  test("the one-file page trains without a network", async () => {
    const page = await openTraining(context, { address: singleFile });
    assert.match(await text(page, "#train-about"), /107\.620/);
    await runFor(page, 16);
    assert.ok((await board(page)).loss < 4);
    assert.deepEqual(
      page.requests.filter((one) => !/^(data|blob|file):/.test(one)),
      [],
    );
    assert.deepEqual(page.errors, []);
    await page.close();
  });

  test("without the pairs, the tale is there to train on", async () => {
    const page = await open(context, {
      fragment: "sec=8",
      prepare: () => {
        const fetched = globalThis.fetch;
        globalThis.fetch = (address, ...more) =>
          String(address).includes("turkish-pairs")
            ? Promise.resolve(new Response("not here", { status: 404, statusText: "Not Found" }))
            : fetched(address, ...more);
      },
    });
    await page.$eval("#s8", (section) => section.scrollIntoView({ behavior: "instant" }));
    await page.waitForFunction(() => document.querySelector("#train-missing")?.hidden === false, { timeout: 60_000 });
    assert.match(await text(page, "#train-missing"), /turkish-pairs\.bin: 404 Not Found/);
    assert.equal(await page.$eval("#train-go", (one) => one.disabled), true);
    await press(page, "#train-source-tale");
    await quiet(page);
    assert.equal(await page.$eval("#train-missing", (one) => one.hidden), true);
    await runFor(page, 8);
    assert.deepEqual(await violations(page, "#s8"), []);
    await page.close();
  });

  test("a hidden tab waits", async () => {
    const page = await openTraining(context);
    await press(page, "#train-go");
    await untilStep(page, 4);
    const hide = (hidden) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await hide(true);
    await page.waitForFunction(() => document.querySelector("#train-state").textContent.includes("gizliyken"));
    const asleep = await steps(page);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal(await steps(page), asleep);
    await hide(false);
    await untilStep(page, asleep + 4);
    await press(page, "#train-go");
    await idle(page);
    assertClean(page, context.url);
    await page.close();
  });

  test("a link is the setting; a reset is the first visit again", async () => {
    const page = await openTraining(context, { fragment: "src=tale&tseed=7&rule=sgd&lr=0.05&sec=8" });
    assert.equal(await page.$eval("#train-source-tale", (one) => one.checked), true);
    assert.equal(await page.$eval("#train-rule-sgd", (one) => one.checked), true);
    assert.match(await text(page, "#train-seed"), /Tohum 7/);
    assert.equal(await page.$eval("#train-rate", (one) => one.getAttribute("aria-valuetext")), "0,05");
    await runFor(page, 4);
    await press(page, "#reset");
    await quiet(page);
    assert.equal(await page.$eval("#train-source-pairs", (one) => one.checked), true);
    assert.equal(await steps(page), 0);
    assert.equal(await outcome(page), "none");
    assertClean(page, context.url);
    await page.close();
  });

  test("fits from 360 to 2,560 pixels", async () => {
    const page = await openTraining(context);
    await runFor(page, 4);
    for (const width of [360, 390, 768, 1280, 2560]) {
      await page.setViewport({ width, height: 900 });
      await quiet(page);
      assert.equal(await sideways(page), 0, `${width} px`);
    }
    await page.close();
  });
});
