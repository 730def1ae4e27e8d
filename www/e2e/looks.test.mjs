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
  setRange,
  show,
  sideways,
  text,
  tour,
  type,
} from "./harness.mjs";
import { coloursOf, overlaps } from "./paper.mjs";

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
  it("draws no text over text at any width", async () => {
    const page = await open(context);
    for (const width of [320, 390, 1280]) {
      await page.setViewport({ width, height: 900 });
      await tour(page);
      assert.deepEqual(await overlaps(page), [], `${width} px`);
      assert.ok((await sideways(page)) <= 0, `${width} px: ${await sideways(page)} px too wide`);
    }
    await page.close();
  });
  it("fits the sums of small numbers on a narrow screen", async () => {
    const page = await open(context, { width: 320 });
    await setRange(page, "#half-scale", -16);
    await show(page, "#half-sum-table");
    assert.ok((await sideways(page)) <= 0, `${await sideways(page)} px too wide`);
    await page.close();
  });
  it("has titles side by side on one line, whole labels in buttons, and marks under the text's own lines", async () => {
    const page = await open(context);
    await tour(page);
    const titles = await page.$$eval(".two", (all) =>
      all.map((two) =>
        [...two.querySelectorAll(":scope > .fig > header > h3")].map((one) => {
          const range = document.createRange();
          range.selectNodeContents(one);
          return Math.round(range.getClientRects()[0]?.top ?? 0);
        }),
      ),
    );
    for (const [left, right] of titles) assert.ok(right === undefined || Math.abs(left - right) <= 1, `${titles}`);
    for (const width of [320, 390, 1280]) {
      await page.setViewport({ width, height: 900 });
      await quiet(page);
      const tight = await page.$$eval("main .btn, main .seg label", (all) =>
        all
          .filter((one) => one.checkVisibility())
          .filter((one) => {
            const box = one.getBoundingClientRect();
            const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
            const words = [];
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              if (!node.data.trim() || node.parentElement.closest(".sr")) continue;
              const range = document.createRange();
              range.selectNodeContents(node);
              words.push(...range.getClientRects());
            }
            return words.some(
              ({ left, right, top }) => left < box.left + 3 || right > box.right - 3 || top < box.top + 2,
            );
          })
          .map((one) => one.textContent),
      );
      assert.deepEqual(tight, [], `${width} px`);
    }
    await page.setViewport({ width: 390, height: 900 });
    await type(page, "Uzun bir metin kutusuna sığmaz ve kayar. ".repeat(15));
    const apart = await page.$eval("#text", (area) => area.scrollTop - document.querySelector(".mirror").scrollTop);
    assert.equal(apart, 0, "the marks scroll as far as the text");
    await page.close();
  });
  it("paints the empty part of a slider dark in the dark", async () => {
    const page = await open(context, { fragment: "theme=dark" });
    await setRange(page, "#threads", 2);
    const colours = await coloursOf(page, "#threads");
    const all = colours.reduce((sum, one) => sum + one[3], 0);
    const bright = colours.filter(([r, g, b]) => Math.min(r, g, b) > 200).reduce((sum, one) => sum + one[3], 0);
    assert.ok(bright < 0.01 * all, `${bright} of ${all} pixels are bright`);
    await page.close();
  });
  if (context.name === "chromium") {
    it("keeps the colours of the data where the system chooses the others, and tells states by shape", async () => {
      const page = await open(context);
      const client = await page.createCDPSession();
      await client.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
      await quiet(page);
      for (const one of ["#path canvas", "#output canvas", "#gradient canvas", "#cell .swatch", ".held canvas"]) {
        const colours = await coloursOf(page, one);
        const coloured = colours.filter(([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b) > 20);
        assert.ok(coloured.length > 0, `${one} has colours: ${colours.slice(0, 5).join(" | ")}`);
      }
      const digit = await coloursOf(page, ".flow [aria-current] b");
      const light = digit.filter(([r, g, b]) => r + g + b > 600).reduce((sum, one) => sum + one[3], 0);
      const dark = digit.filter(([r, g, b]) => r + g + b < 500).reduce((sum, one) => sum + one[3], 0);
      assert.ok(light > 5 && dark > light, `a digit on its ground: ${light} light, ${dark} dark`);
      // The marks under the words: lines that the same text without them does not have.
      const marks = () => coloursOf(page, ".entry");
      const withMarks = JSON.stringify(await marks());
      await page.evaluate(() => CSS.highlights.clear());
      assert.notEqual(JSON.stringify(await marks()), withMarks, "pieces are marked");
      const outlined = await page.$$eval(".wire", (all) =>
        all.filter((one) => getComputedStyle(one).outlineStyle !== "none"),
      );
      assert.equal(outlined.length, 0, "wires have no boxes");
      assert.notEqual(await page.$eval("#stepper-code .at", (one) => getComputedStyle(one).outlineStyle), "none");
      await page.close();
    });
  }
});
