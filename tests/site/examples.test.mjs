// Every page of examples/ opens from the built site, in both browsers, and shows what it should.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { browsers, launch } from "../../tools/browsers.mjs";
import { serve } from "../../tools/serve.mjs";

const cosines =
  /^▁kedi +1\.00[\s\S]*\n▁köpek +0\.[3-9]\d[\s\S]*\nlength of a row before and after a step: 1\.00, 0\.50$/;
/** What each page must show. */
const pages = {
  "five-lines.html": /^▁kedi {2}6754 {2}.+\n▁ve {2}321 {2}.+\n▁köpek {2}6283 /,
  "worker.html": /^gpu: .*▁kedi.*\nrows [\d, ]+ were hit [\d, ]*2[\d, ]* times$/,
  "search.html": /^(Teknede|Balıkçılar)[\s\S]*(Teknede|Balıkçılar)/,
  "train.html": /^gpu, \d+ steps: no distance is wrong by more than [0-5] km$/,
  "tensorflow.html": cosines,
  "onnxruntime.html": cosines,
};

test("each page is listed, and tried here", async () => {
  const there = readdirSync("dist/examples").filter((name) => name.endsWith(".html") && name !== "index.html");
  assert.deepEqual(there.sort(), Object.keys(pages).sort());
});

for (const name of browsers) {
  describe(name, () => {
    let site;
    let browser;
    before(async () => {
      site = await serve("dist");
      browser = await launch(name);
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });
    for (const [path, shows] of Object.entries(pages)) {
      test(path, async () => {
        const page = await browser.newPage();
        const troubles = [];
        page.on("pageerror", (error) => troubles.push(String(error)));
        try {
          await page.goto(`${site.url}examples/`);
          await page.click(`a[href="${path}"]`);
          await page.waitForFunction('document.documentElement.dataset.state === "done"', { timeout: 60_000 });
        } catch (error) {
          throw new Error(`${error.message}\n${troubles.join("\n")}`);
        }
        assert.match(await page.$eval("#output", (output) => output.textContent.trim()), shows);
        assert.deepEqual(troubles, []);
        await page.close();
      });
    }
  });
}
