// Links in a browser: opening, following, going back, copying, in a frame too.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { it } from "node:test";
import {
  assertClean,
  chips,
  inBothBrowsers,
  open,
  paste,
  press,
  quiet,
  setRange,
  settled,
  text,
  type,
  wait,
} from "./harness.mjs";

const words = (page) => page.$eval("#text", (area) => area.value);
const isOn = (page, selector) => page.$eval(selector, (input) => input.checked);
const goHash = async (page, hash) => {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await quiet(page);
};

/** Everything that a link must bring back. */
const look = (page) =>
  page.evaluate(() => {
    const content = (selector) => document.querySelector(selector)?.textContent?.replace(/\s+/g, " ").trim();
    return {
      text: document.querySelector("#text").value,
      chips: content("#chips"),
      cell: content("#cell"),
      sum: content("#cell-sum"),
      skipped: content("#skipped").replace(/\d+ (?=yeniden)/, ""),
      told: content("#told"),
      threads: document.querySelector("#threads").value,
      repeats: document.querySelector("#repeats").value,
      n: document.querySelector("#speed-n").value,
      skew: document.querySelector("#speed-skew").value,
      lang: document.documentElement.lang,
      theme: document.documentElement.dataset.theme ?? "",
    };
  });

inBothBrowsers("links", (context) => {
  it("opens a copied link in the same state, and resets to the first one", async () => {
    const page = await open(context);
    const first = await look(page);
    await type(page, "İstanbul’da kedi, Ankara’da kedi ☕");
    for (const id of ["#lang-en", "#theme-dark", "#put-nan", "#oov"]) await press(page, id);
    await quiet(page);
    await press(page, '#chips [data-pos="3"]');
    await setRange(page, "#threads", 6);
    await setRange(page, "#step-range", 9);
    await setRange(page, "#repeats", 4);
    await setRange(page, "#speed-n", 1);
    await setRange(page, "#speed-skew", 0.4);
    await press(page, "#reseed");
    await quiet(page);
    await wait(400);
    const before = await look(page);
    const address = await page.evaluate(() => location.href);
    assert.notEqual(before.text, first.text);
    assert.ok(address.includes("#") && !address.includes("?"), "the text stands after #, where no server sees it");
    const other = await open(context, { address });
    assert.deepEqual(await look(other), before);
    await other.close();

    await page.evaluate(() => {
      globalThis.copied = undefined;
      Object.defineProperty(navigator, "clipboard", {
        configurable: true,
        value: { writeText: async (words) => (globalThis.copied = words) },
      });
    });
    await press(page, "#copy-link");
    await quiet(page);
    assert.equal(await page.evaluate(() => globalThis.copied), address);
    assert.match(await text(page, "#toast"), /Copied/);

    await press(page, "#lang-tr");
    await press(page, "#theme-system");
    await press(page, "#reset");
    await quiet(page);
    const again = await look(page);
    assert.deepEqual({ ...again, cell: "" }, { ...first, cell: "" });
    assertClean(page, context.url);
    await page.close();
  });
  it("goes to the section of a link and keeps the section in the address", async () => {
    const page = await open(context, { fragment: "sec=5" });
    await page.waitForFunction(
      () => Math.abs(document.querySelector("#s5").getBoundingClientRect().top) < innerHeight / 2,
    );
    await page.evaluate(() => document.querySelector('.flow a[href="#s3"]').click());
    await page.waitForFunction(() => /sec=3/.test(location.hash), { timeout: 10_000 });
    assert.equal(await page.evaluate(() => document.activeElement.id), "h3");
    await page.waitForFunction(() => document.querySelector(".flow [aria-current]")?.getAttribute("href") === "#s3");
    await page.close();
  });

  it("a link followed in the same tab gives exactly its state, and Back the one before", async () => {
    const page = await open(context, { fragment: "oov=1&k=7&theme=dark" });
    await type(page, "köpek kuş");
    await goHash(page, "m=kedi");
    assert.equal(await words(page), "kedi");
    assert.equal(await isOn(page, "#oov"), false);
    assert.equal(await page.$eval("#threads", (e) => e.value), "4");
    assert.equal(await page.$eval("html", (e) => e.dataset.theme ?? ""), "");
    await wait(400);
    assert.equal(await page.evaluate(() => location.hash), "#m=kedi");
    await page.goBack();
    await quiet(page);
    assert.equal(await words(page), "köpek kuş");
    assert.equal(await isOn(page, "#oov"), true);
    assert.equal(await page.$eval("#threads", (e) => e.value), "7");
    await page.goForward();
    await quiet(page);
    assert.equal(await words(page), "kedi");
    assert.equal((await chips(page)).length, 1);
    await page.close();
  });

  it("Back finds a text whole that is too long for the address", async () => {
    const page = await open(context);
    const long = "kedi ve köpek ".repeat(3000);
    await paste(page, long);
    await quiet(page);
    await wait(400);
    await goHash(page, "m=kuş");
    assert.equal(await words(page), "kuş");
    await page.goBack();
    await quiet(page);
    await page.waitForFunction(() => document.querySelector("#counts").textContent.includes("42.000"), {
      timeout: 30_000,
    });
    await page.close();
  });

  it("Back to an entry from before a reload gives what its address holds, not a newer text", async () => {
    const page = await open(context);
    await paste(page, "kedi ".repeat(3000));
    await quiet(page);
    await wait(400);
    await goHash(page, "m=x");
    await page.reload({ waitUntil: "load" });
    await settled(page);
    await paste(page, "ev su ".repeat(2500));
    await quiet(page);
    await wait(400);
    await page.goBack();
    await quiet(page);
    assert.match(await words(page), /^(kedi )+/);
    await page.close();
  });

  it("a link with more code than an address holds keeps the reader's text", async () => {
    for (const code of ["1".repeat(12_000), `1${"A".repeat(9_000)}`]) {
      const page = await open(context, { fragment: `m=merhaba%20d%C3%BCnya&w=${code}` });
      await wait(600);
      assert.equal(await page.evaluate(() => location.hash), "#m=merhaba%20d%C3%BCnya");
      assert.equal(await words(page), "merhaba dünya");
      await page.close();
    }
  });

  it("nothing of an older ? survives a choice or Reset", async () => {
    const page = await open(context, { address: `${context.url}?lang=en&m=abc` });
    assert.equal(await page.$eval("html", (e) => e.lang), "en");
    assert.equal(await words(page), "abc");
    await press(page, "#lang-tr");
    await press(page, "#reset");
    await quiet(page);
    await wait(400);
    const address = await page.evaluate(() => location.href);
    assert.equal(address, context.url);
    await page.reload({ waitUntil: "load" });
    await settled(page);
    assert.equal(await page.$eval("html", (e) => e.lang), "tr");
    assert.equal(await words(page), "kedi ve köpek bahçede, kedi uyuyor");
    await page.close();
  });

  it("keeps spaces as %20 and a long text's link short, and says how much it holds", async () => {
    const page = await open(context);
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", {
        configurable: true,
        value: { writeText: async (link) => (globalThis.copied = link) },
      });
    });
    await type(page, "kedi uyur evde");
    await press(page, "#copy-link");
    await page.waitForFunction(() => globalThis.copied);
    assert.match(await page.evaluate(() => globalThis.copied), /#m=kedi%20uyur%20evde(&|$)/);
    await paste(page, "ş".repeat(6000));
    await quiet(page);
    await press(page, "#copy-link");
    await page.waitForFunction(() => /%C5%9F/.test(globalThis.copied));
    const copied = await page.evaluate(() => globalThis.copied);
    assert.ok(copied.length <= 8_000, `${copied.length} characters`);
    const held = decodeURIComponent(/m=([^&]*)/.exec(copied)[1]).length;
    await page.waitForFunction(() => /karakteri/.test(document.querySelector("#toast").textContent));
    assert.match(
      await text(page, "#toast"),
      new RegExp(`ilk ${String(held).replace(/(\d)(\d{3})$/, "$1.$2")} karakteri`),
    );
    await page.close();
  });

  it("goes to a part of the page that an address names", async () => {
    const page = await open(context, { fragment: "glossary" });
    await page.waitForFunction(
      () => Math.abs(document.querySelector("#glossary").getBoundingClientRect().top) < innerHeight / 2,
    );
    assert.equal(await words(page), "kedi ve köpek bahçede, kedi uyuyor");
    await page.close();
  });

  it("in a frame without the clipboard the link stands in a field, selected", async () => {
    const outer = createServer((_, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end(`<!doctype html><iframe src="${context.url}#m=kedi" width="1200" height="800"></iframe>`);
    });
    await new Promise((done) => outer.listen(0, "localhost", done));
    const page = await context.browser.newPage();
    await page.goto(`http://localhost:${outer.address().port}/`, { waitUntil: "load" });
    const frame = await (await page.waitForSelector("iframe")).contentFrame();
    await frame.waitForFunction(() => document.documentElement.dataset.state === "ready", { timeout: 60_000 });
    await frame.waitForSelector("#copy-link");
    await (await frame.$("#copy-link")).click();
    await frame.waitForSelector("#toast span, #link-field");
    const shown = await frame.waitForFunction(() => {
      const field = document.querySelector("#link-field");
      if (!field) return /Kopyalandı/.test(document.querySelector("#toast").textContent) && "copied";
      return field.selectionEnd > 0 && field.value.slice(field.selectionStart, field.selectionEnd);
    });
    const said = await shown.jsonValue();
    assert.ok(said === "copied" || said === `${context.url}#m=kedi`, said);
    if (context.name === "chromium") assert.notEqual(said, "copied", "this browser gives frames no clipboard");
    await page.close();
    outer.close();
  });
});
