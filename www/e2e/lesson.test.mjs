// What follows the sections: the document's sentences tried, the lesson with its answers, the glossary and its links.

import assert from "node:assert/strict";
import { it } from "node:test";
import { inBothBrowsers, open, press, quiet, text } from "./harness.mjs";

inBothBrowsers("lesson", (context) => {
  it("tries the document's sentences on this browser's compiler", async () => {
    const page = await open(context);
    await press(page, "#probe");
    await page.waitForFunction(() => /derlen/.test(document.querySelector("#claim-loops td:last-child").textContent));
    assert.match(await text(page, "#claim-loops td:last-child"), /^derlendi$/);
    assert.match(await text(page, "#claim-atomic td:last-child"), /^derlenmedi$/);
    assert.match(
      await text(page, "#claim-pointers td:last-child"),
      context.name === "firefox" ? /^derlenmedi$/ : /^derlendi$/,
    );
    assert.match(await text(page, "#claim-rms"), /19,60/);
    await page.close();
  });

  it("leads from a term to its meaning without touching what the reader has set", async () => {
    const page = await open(context, { fragment: "m=kedi&g=ones" });
    await page.$eval('#s4 a[href="#g-wgsl"]', (e) => e.click());
    await quiet(page);
    assert.equal(await page.evaluate(() => document.activeElement.id), "g-wgsl");
    assert.equal(await page.$eval("#text", (e) => e.value), "kedi");
    // The address holds what the reader has set, and the section on the screen.
    assert.match(await page.evaluate(() => location.hash), /^#m=kedi&g=ones(&sec=\d)?$/);
    await page.$eval('#s4 a[href="#corrections"]', (e) => e.click());
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector("#corrections").getBoundingClientRect();
      return top < innerHeight && bottom > 0;
    });
    await page.close();
  });

  it("keeps the answers folded, and prints them only when asked to", async () => {
    const page = await open(context);
    assert.equal(await page.$eval("#answer-key", (e) => e.open), false);
    const [questions, answers] = await page.evaluate(() => [
      document.querySelectorAll("#questions li").length,
      document.querySelectorAll("#answer-key li").length,
    ]);
    assert.equal(answers, questions);
    // Only Chromium can be shown on paper from here; the class that paper leaves out is the same in both.
    const printed = async () => {
      if (context.name !== "chromium") return page.$eval("#answer-key", (e) => !e.matches(".screen-only"));
      await page.emulateMediaType("print");
      const shown = await page.$eval("#answer-key", (e) => getComputedStyle(e).display !== "none");
      await page.emulateMediaType("screen");
      return shown;
    };
    assert.equal(await printed(), false);
    await press(page, "#print-answers");
    await quiet(page);
    assert.equal(await printed(), true);
    await page.close();
  });
});
