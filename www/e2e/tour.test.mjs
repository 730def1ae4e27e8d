// A scripted tour in Chromium: what the page weighs, and the pictures of every section. (bench/longest-task.mjs times it.)

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { it } from "node:test";
import { gzipSync } from "node:zlib";
import { dist, inBothBrowsers, open, press, shots, tour, wait } from "./harness.mjs";

const SECTIONS = ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "corrections", "lesson", "glossary"];

inBothBrowsers(
  "tour",
  (context) => {
    it("weighs at most 250 KB with gzip -9 before the first lookup, vectors aside", async () => {
      const page = await context.browser.newPage();
      const asked = new Set();
      page.on("request", (request) => asked.add(new URL(request.url()).pathname));
      let first;
      await page.exposeFunction("firstLookup", () => (first ??= [...asked]));
      await page.evaluateOnNewDocument(() => {
        new PerformanceObserver((list) => {
          if (list.getEntries().some((one) => one.name === "gomme:first-lookup")) globalThis.firstLookup();
        }).observe({ type: "mark", buffered: true });
      });
      await page.goto(context.url, { waitUntil: "load" });
      for (let i = 0; i < 300 && !first; i++) await wait(100);
      const weigh = (path) =>
        gzipSync(readFileSync(`${dist}${path === "/" ? "/index.html" : path}`), { level: 9 }).length;
      const files = first
        .filter((path) => !/\.(i8|f32)$/.test(path) && !/\/(later|en)-/.test(path))
        .map((path) => [path, weigh(path)]);
      const total = files.reduce((sum, [, bytes]) => sum + bytes, 0);
      for (const [path, bytes] of files) console.log(`  ${String(bytes).padStart(7)}  ${path}`);
      console.log(`before the first lookup: ${total} bytes with gzip -9, vectors aside`);
      const later = readdirSync(dist).filter((name) => /^(later|en)-.*\.js$/.test(name));
      for (const name of later) console.log(`  ${String(weigh(`/${name}`)).padStart(7)}  /${name}, after it`);
      console.log(`  ${statSync(`${dist}/gomme.html`).size} bytes: gomme.html, everything in one file`);
      assert.ok(total <= 250_000, `${total} bytes`);
      await page.close();
    });

    it("takes pictures of every section at 1280 and 360 px, light and dark", async () => {
      const page = await open(context, { fragment: "step=6&nan=1" });
      await press(page, "#measure-contention");
      await press(page, "#race-go");
      await press(page, "#speed-go");
      await page.waitForSelector("#speed-go:not(.go)");
      await page.waitForSelector("#speed-go.go", { timeout: 180_000 });
      await press(page, "#hurt-go");
      await page.waitForSelector("#hurt-go.go", { timeout: 120_000 });
      let taken = 0;
      for (const theme of ["light", "dark"]) {
        await press(page, `#theme-${theme}`);
        for (const width of [1280, 360]) {
          await page.setViewport({ width, height: 900 });
          await tour(page);
          await page.screenshot({ path: `${shots}/${width}-${theme}-top.png` });
          for (const section of SECTIONS) {
            const element = await page.$(`#${section}`);
            await element.evaluate((one) => one.scrollIntoView({ behavior: "instant" }));
            const box = await element.boundingBox();
            assert.ok(box.height > 100, section);
            await page.evaluate(() => document.body.classList.add("picture"));
            await element.screenshot({ path: `${shots}/${width}-${theme}-${section}.png` });
            taken += 1;
          }
        }
      }
      console.log(`${taken} pictures of sections in ${shots.split("/").pop()}/`);
      await page.close();
    });
  },
  { only: ["chromium"] },
);
