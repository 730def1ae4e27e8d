// The page in the world: translated by the browser, in colours that the system chose.

import assert from "node:assert/strict";
import { it } from "node:test";
import { chips, inBothBrowsers, open, press, quiet, text, type } from "./harness.mjs";

/** What a browser's translation does to a page: each text outside of what is marked goes into elements of its own. */
const translate = (page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const texts = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node);
    let left = 0;
    for (const node of texts) {
      if (node.parentElement.closest('[translate="no"], textarea') || node.data.trim() === "") {
        left += 1;
        continue;
      }
      const outer = document.createElement("font");
      const inner = outer.appendChild(document.createElement("font"));
      inner.textContent = node.data.replace(/kedi/gi, "cat");
      node.replaceWith(outer);
    }
    return { wrapped: texts.length - left, left };
  });

inBothBrowsers("world", (context) => {
  it("goes on when the browser has translated it, and keeps tokens, code and numbers as they are", async () => {
    const page = await open(context, { fragment: "m=kedi%20kedi%20kuş" });
    const { wrapped } = await translate(page);
    assert.ok(wrapped > 100);
    for (const selector of ["#chips", "#wires-board", "#output .labels", "#hits-rows", "#near", "#held .chip"]) {
      assert.doesNotMatch(await text(page, selector), /cat/, selector);
    }
    assert.deepEqual(
      await page.$$eval("code, pre", (all) => all.filter((one) => one.querySelector("font")).length),
      0,
      "code stays as it is",
    );
    await type(page, "kedi ve köpek bahçede, kedi uyuyor kuş at fare");
    await quiet(page);
    assert.equal((await chips(page)).length, 11);
    assert.match(await text(page, "#counts"), /N = 11/);
    assert.match(await text(page, "#output h3"), /11 × 384/);
    assert.equal(await text(page, "#total-hits"), "11");
    await press(page, "#upstream-ones");
    await quiet(page);
    assert.match(await text(page, "#cell-sum"), /^2,00000/);
    await press(page, "#lang-en");
    await page.waitForFunction(() => document.documentElement.lang === "en");
    await quiet(page);
    assert.match(await text(page, "h1"), /^How does a word become numbers\?$/);
    assert.deepEqual(page.errors, []);
    await page.close();
  });

  it("shows on and off, won and failed, chosen and not in two colours as well", async () => {
    const page = await open(context, { fragment: "step=6" });
    if (context.name !== "chromium") {
      // No driver switches Firefox to forced colours; the rules for them are there all the same.
      const rules = await page.evaluate(
        () =>
          [...document.styleSheets]
            .flatMap((sheet) => [...sheet.cssRules])
            .filter((one) => /forced-colors/.test(one.conditionText ?? "")).length,
      );
      assert.ok(rules > 0);
      await page.close();
      return;
    }
    const client = await page.createCDPSession();
    await client.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
    const picture = async (selector) => {
      const element = await page.$(selector);
      await element.scrollIntoView();
      // The first picture may catch the page as it scrolls.
      await element.screenshot({ encoding: "base64" });
      return element.screenshot({ encoding: "base64" });
    };
    for (const id of ["#oov", "#put-nan"]) {
      const off = await picture(id);
      await press(page, id);
      await quiet(page);
      await page.mouse.move(2, 2);
      assert.notEqual(await picture(id), off, `${id} on and off are different pictures`);
      await press(page, id);
      await quiet(page);
      await page.mouse.move(2, 2);
      assert.equal(await picture(id), off, `${id} is off again, and looks as before`);
    }
    const chosen = await picture('#chips [data-pos="1"]');
    await press(page, '#chips [data-pos="1"]');
    await page.evaluate(() => document.activeElement.blur());
    await quiet(page);
    assert.notEqual(await picture('#chips [data-pos="1"]'), chosen);
    // One dot and one bar with each mark in turn: where they stand can't tell them apart, only how they look.
    const allDiffer = async (selector, marks) => {
      const pictures = [];
      for (const mark of marks) {
        await page.$eval(selector, (one, name) => one.setAttribute("class", name), mark);
        pictures.push(await picture(selector));
      }
      for (const [i, mark] of marks.entries()) {
        for (const earlier of marks.slice(0, i)) {
          assert.notEqual(pictures[i], pictures[marks.indexOf(earlier)], `${selector}: "${mark}" and "${earlier}"`);
        }
      }
    };
    await allDiffer("#s4 .keys .dot", ["dot wrote", "dot failed", "dot read", "dot ahead"]);
    await press(page, "#race-go");
    await page.waitForSelector("#race-go:not(.go)", { timeout: 10_000 });
    await page.waitForSelector("#race-go.go", { timeout: 120_000 });
    await quiet(page);
    const bars = "#race-sorted .runs";
    await page.$eval(`${bars} i`, (bar) => bar.style.setProperty("--p", 100));
    const box = [];
    for (const mark of ["none", ""]) {
      await page.$eval(`${bars} i`, (bar, name) => bar.setAttribute("class", name), mark);
      box.push(await picture(bars));
    }
    assert.notEqual(box[0], box[1], "a run that lost something and one that did not");
    const theme = await picture(".seg.theme");
    await press(page, "#theme-dark");
    await page.evaluate(() => document.activeElement.blur());
    await quiet(page);
    assert.notEqual(await picture(".seg.theme"), theme);
    await page.close();
  });
});
