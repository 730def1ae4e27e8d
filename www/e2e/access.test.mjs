// By keyboard alone, and by the rules of axe-core.

import assert from "node:assert/strict";
import { it } from "node:test";
import { chips, inBothBrowsers, open, press, quiet, text, tour, violations } from "./harness.mjs";

const SECTIONS = ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "corrections", "lesson", "glossary"];

inBothBrowsers("access", (context) => {
  it("can be used by keyboard alone", async () => {
    const page = await open(context);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "skip");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "h1");
    const until = async (match, most = 60) => {
      for (let i = 0; i < most; i++) {
        await page.keyboard.press("Tab");
        const at = await page.evaluate(() => {
          const e = document.activeElement;
          return `${e.localName}#${e.id}.${e.className} ${e.closest(".fig")?.id ?? ""}`;
        });
        if (match.test(at)) return at;
      }
      assert.fail(`Tab never came to ${match}`);
    };
    await until(/textarea#text/);
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.type("kuş köpek");
    await quiet(page);
    assert.equal((await chips(page)).length, 2);
    await until(/button#\.chip/);
    await page.keyboard.press("ArrowRight");
    await quiet(page);
    assert.match(await text(page, "#held"), /▁köpek/);
    await until(/canvas#\. output/);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await quiet(page);
    assert.match(await text(page, "#cell"), /i1eleman/);
    await until(/input#upstream/);
    await page.keyboard.press("ArrowRight");
    await quiet(page);
    await until(/button#step-play/);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await quiet(page);
    assert.match(await text(page, "#told"), /okudu/);
    const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(ring, "solid", "focus is visible");
    await until(/button#race-go/);
    await until(/input#speed-n/);
    await page.close();
  });
  it("is clean for axe-core in every section, open and closed, in both looks and languages", async () => {
    const page = await open(context, { fragment: "nan=1&oov=1&theme=light" });
    await tour(page);
    assert.deepEqual(await violations(page), [], "first look");
    await page.evaluate(() => {
      for (const one of document.querySelectorAll("[data-export=table]")) one.click();
      for (const one of document.querySelectorAll("details")) one.open = true;
    });
    await press(page, "#race-go");
    await press(page, "#measure-contention");
    await press(page, "#measure-cell");
    await page.waitForFunction(() => document.querySelector("#race-note").textContent !== "", { timeout: 120_000 });
    await quiet(page);
    for (const section of SECTIONS) assert.deepEqual(await violations(page, `#${section}`), [], section);
    await press(page, "#theme-dark");
    await press(page, "#lang-en");
    await page.setViewport({ width: 360, height: 800 });
    await tour(page);
    assert.deepEqual(await violations(page), [], "dark, English, 360 px");
    await page.close();
  });
});
