// Links in a browser: opening, following, going back, copying, in a frame too.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { it } from "node:test";
import { chips, inBothBrowsers, open, paste, press, quiet, settled, text, type, wait } from "./harness.mjs";

const words = (page) => page.$eval("#text", (area) => area.value);
const isOn = (page, selector) => page.$eval(selector, (input) => input.checked);
const goHash = async (page, hash) => {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await quiet(page);
};

inBothBrowsers("links", (context) => {
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
