// Pictures of every section in Chromium, to be looked at. (bench/longest-task.mjs times a tour, tests/site weighs the page.)

import assert from "node:assert/strict";
import { it } from "node:test";
import { assertClean, inBothBrowsers, open, press, shots, tour } from "./harness.mjs";

const SECTIONS = ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "corrections", "lesson", "glossary"];

inBothBrowsers(
  "pictures",
  (context) => {
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
            await element.screenshot({ path: `${shots}/${width}-${theme}-${section}.png` });
            taken += 1;
          }
        }
      }
      assertClean(page, context.url);
      console.log(`${taken} pictures of sections in ${shots.split("/").pop()}/`);
      await page.close();
    });
  },
  { only: ["chromium"] },
);
