// Megabytes pasted in, thousands of tokens, and texts that are none.

import assert from "node:assert/strict";
import { it } from "node:test";
import { chips, inBothBrowsers, open, paste, press, quiet, show, text } from "./harness.mjs";

inBothBrowsers("long text", (context) => {
  it("reads 5 MB of pasted text without blocking, and says what part it shows", async () => {
    const page = await open(context);
    const words = ["kedi", "köpek", "ve", "bahçede", "İstanbul’da", "uyuyor", "2024", "güneş", "fındık", ","];
    let long = "";
    for (let i = 0; long.length < 5_000_000; i++) long += `${words[(i * 7 + ((i * i) % 5)) % words.length]} `;
    await page.evaluate(() => {
      globalThis.gaps = [];
      let last = performance.now();
      globalThis.beat = setInterval(() => {
        globalThis.gaps.push(performance.now() - last);
        last = performance.now();
      }, 10);
    });
    await paste(page, long);
    await page.waitForFunction(() => !document.querySelector("#note-tail").hidden, { timeout: 60_000 });
    await page.waitForFunction(
      () => document.querySelector("#note-reading").hidden && !document.querySelector("#note-limited").hidden,
      { timeout: 120_000 },
    );
    const longest = await page.evaluate(() => {
      clearInterval(globalThis.beat);
      return Math.max(...globalThis.gaps);
    });
    console.log(`5 MB in ${context.name}: the longest pause of the page was ${longest.toFixed(0)} ms`);
    assert.ok(longest < 2_000, `the page stood still for ${longest} ms`);
    assert.match(await text(page, "#note-limited"), /kernellere ilk 8\.192/);
    assert.match(await text(page, "#note-tail"), /ilk 16\.384 karakteri/);
    assert.match(await text(page, "#counts"), /^5\.\d{3}\.\d{3} karakter N = 1\.\d{3}\.\d{3} token/);
    await page.waitForFunction(() => document.querySelector("#total-hits").textContent === "8.192", {
      timeout: 60_000,
    });
    await press(page, "#drop-tail");
    await page.waitForFunction(() => document.querySelector("#note-tail").hidden);
    await press(page, '[data-preset="0"]');
    await page.waitForFunction(() => document.querySelectorAll("#chips .chip").length === 8, { timeout: 30_000 });
    assert.deepEqual(page.errors, []);
    await page.close();
  });
  it("stays smooth with 20,000 tokens: windows, an aggregate, and both say so", async () => {
    const page = await open(context);
    await paste(page, "kedi ve köpek bahçede, kedi uyuyor ".repeat(2500));
    await page.waitForFunction(() => document.querySelector("#counts").textContent.includes("N = 20.000"), {
      timeout: 60_000,
    });
    await page.waitForFunction(() => document.querySelector("#total-hits").textContent === "8.192", {
      timeout: 60_000,
    });
    assert.equal((await chips(page)).length, 96);
    await show(page, "#output");
    assert.equal(await page.$$eval("#output .labels ol:first-child li", (all) => all.length), 24);
    await page.$eval("#tokens .pager button:last-child", (e) => e.click());
    await quiet(page);
    assert.match(await text(page, "#tokens .pager"), /96–191 \/ 8\.192/);
    await show(page, "#output");
    assert.match(await text(page, "#output .labels"), /^96/);
    const start = Date.now();
    await page.$eval("#text", (e) => {
      e.focus();
      e.setSelectionRange(0, 0);
    });
    await page.keyboard.type("abc ");
    await page.waitForFunction(() => document.querySelector("#text").value.startsWith("abc "));
    assert.ok(Date.now() - start < 5_000, "typing goes on");
    assert.deepEqual(page.errors, []);
    await page.close();
  });
  it("keeps lone surrogates, empty text and texts without a space", async () => {
    const page = await open(context);
    await page.$eval("#text", (e) => {
      e.value = "a\ud800b \udfff";
      e.dispatchEvent(new InputEvent("input"));
    });
    await quiet(page);
    assert.match((await chips(page)).map(([piece]) => piece).join(" "), /EF BF BD/);
    await page.$eval("#text", (e) => {
      e.value = "";
      e.dispatchEvent(new InputEvent("input"));
    });
    await page.waitForFunction(() => !document.querySelector("#note-empty").hidden);
    assert.equal(await text(page, "#total-hits"), "0");
    assert.equal((await chips(page)).length, 0);
    await paste(page, "a".repeat(200_000));
    await page.waitForFunction(() => !document.querySelector("#note-cuts").hidden, { timeout: 60_000 });
    assert.deepEqual(page.errors, []);
    await page.close();
  });
});
