// Languages, light and dark, and every width.

import assert from "node:assert/strict";
import { it } from "node:test";
import {
  assertClean,
  exported,
  inBothBrowsers,
  keepSaved,
  open,
  press,
  quiet,
  sideways,
  text,
  tour,
} from "./harness.mjs";

inBothBrowsers("looks", (context) => {
  it("fits a narrow screen before its drawings were in sight, and draws any text into a picture", async () => {
    const page = await open(context, { width: 320, prepare: keepSaved });
    assert.ok((await sideways(page)) <= 0, `${await sideways(page)} px too wide`);
    await page.$eval("#text", (area) => {
      area.value = "kedi \uffff \ufffe \u0001 <b>&amp;";
      area.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    await quiet(page);
    const { bytes } = await exported(page, "#tokens [data-export=png]");
    assert.equal(bytes.subarray(1, 4).toString("latin1"), "PNG");
    assertClean(page, context.url);
    await page.close();
  });
  it("speaks Turkish first and English by one click, in every section", async () => {
    const page = await open(context);
    await tour(page);
    const titles = () =>
      page.$$eval("main h1, main h2, main h3, summary, button", (all) =>
        all.map((e) => e.textContent.trim()).filter(Boolean),
      );
    const turkish = await titles();
    assert.equal(await page.$eval("html", (e) => e.lang), "tr");
    await press(page, "#lang-en");
    await page.waitForFunction(() => document.documentElement.lang === "en");
    await quiet(page);
    const english = await titles();
    assert.match(await page.title(), /how does a word/i);
    assert.match(await text(page, "h1"), /How does a word/);
    assert.match(await text(page, "#counts"), /tokens/);
    // Letters that only Turkish words have; the reader's own text and the words that the lesson is about are not the page's.
    const left = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
      const found = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.parentElement.closest(".piece, .mirror, .split b, .presets, .gloss i, .lead, textarea, .word"))
          continue;
        if (/[ğşçöü]|\b(konum|sat[ıi]r|hücre|token’)/i.test(node.data)) found.push(node.data.trim());
      }
      return found;
    });
    const meant = /kedi|köpek|“ve”|İ and i|▁ve|▁bahçe|I and ı|Gömme/;
    assert.deepEqual(
      left.filter((one) => !meant.test(one)),
      [],
    );
    assert.ok(english.filter((one) => turkish.includes(one)).length < english.length / 2);
    await press(page, "#lang-tr");
    await quiet(page);
    assert.deepEqual(await titles(), turkish);
    assertClean(page, context.url);
    await page.close();
  });
  it("has a light and a dark look, and follows the system otherwise", async () => {
    const page = await open(context);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const pixel = () =>
      page.$eval("#path canvas", (canvas) => [...canvas.getContext("2d").getImageData(0, 0, 20, 1).data].join());
    await press(page, "#theme-light");
    await quiet(page);
    const [light, lightPixel] = [await ground(), await pixel()];
    await press(page, "#theme-dark");
    await quiet(page);
    assert.notEqual(await ground(), light);
    assert.notEqual(await pixel(), lightPixel, "canvases are drawn in the colours of the theme");
    await press(page, "#theme-system");
    await quiet(page);
    if (context.name === "chromium") {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
      await quiet(page);
      assert.equal(await ground(), light);
      assert.equal(await pixel(), lightPixel);
    }
    await page.close();
  });
  it("fits from 360 to 2,560 px without sideways scroll, long words included", async () => {
    const page = await open(context, {
      fragment: `m=${encodeURIComponent(`${"Muvaffakiyetsizleştiricileştiriveremeyebileceklerimizdenmişsinizcesine ".repeat(3)}☕👩‍👩‍👧`)}`,
    });
    for (const width of [360, 768, 1024, 1280, 2560]) {
      for (const lang of ["tr", "en"]) {
        await page.setViewport({ width, height: 800 });
        await press(page, `#lang-${lang}`);
        await tour(page);
        assert.ok((await sideways(page)) <= 0, `${width} px, ${lang}: ${await sideways(page)} px too wide`);
      }
    }
    await page.close();
  });
});
