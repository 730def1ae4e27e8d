// Nothing is shown that no longer holds: after another text, row, gradient, slider, language, and after Reset.

import assert from "node:assert/strict";
import { it } from "node:test";
import { inBothBrowsers, open, press, quiet, text, type } from "./harness.mjs";

inBothBrowsers("stale", (context) => {
  it("drops what the f16 step counted with another row, other numbers, another text, and Reset", async () => {
    const page = await open(context);
    const counted = async () => {
      await press(page, "#master-step");
      await page.waitForFunction(() => document.querySelector("#master-note strong") !== null);
    };
    const gone = () => page.waitForFunction(() => document.querySelector("#master-note").textContent === "");
    await counted();
    await press(page, '#chips [data-pos="2"]');
    await gone();
    await counted();
    await press(page, "#reseed");
    await gone();
    await counted();
    await type(page, "kuş kedi");
    await gone();
    await counted();
    await press(page, "#reset");
    await gone();
    await page.close();
  });

  it("closes answers and tables at Reset, and drops what was measured", async () => {
    const page = await open(context);
    await press(page, "#measure-contention");
    await page.waitForFunction(
      () => /\d/.test(document.querySelector("#contention-table tbody tr:last-child td.strong")?.textContent),
      {
        timeout: 60_000,
      },
    );
    await press(page, "#output [data-export=table]");
    await page.$$eval("details.ask", (all) => {
      for (const one of all) one.open = true;
    });
    await quiet(page);
    await press(page, "#reset");
    await quiet(page);
    assert.equal(await page.$$eval("details[open]", (all) => all.length), 0);
    assert.equal(await page.$("#output .data table"), null);
    assert.equal(await page.$("#contention-table td.strong"), null);
    await page.close();
  });

  it("marks numbers that are of an older text until the new ones are there", async () => {
    const page = await open(context);
    const seen = await page.evaluate(async () => {
      const states = new Set();
      const root = document.documentElement;
      const observer = new MutationObserver(() => states.add(root.dataset.pending));
      observer.observe(root, { attributes: true, attributeFilter: ["data-pending"] });
      const area = document.querySelector("#text");
      area.value = "kuş ".repeat(3000);
      area.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await new Promise((done) => setTimeout(done, 8000));
      observer.disconnect();
      return [...states];
    });
    assert.ok(
      seen.some((one) => /gradient/.test(one)),
      seen.join("|"),
    );
    assert.equal(seen.at(-1), "", "and no longer");
    await page.close();
  });

  it("forgets what was pointed at when the text changes under the pointer", async () => {
    const page = await open(context);
    await page.$eval('#chips [data-pos="7"]', (one) =>
      one.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })),
    );
    await quiet(page);
    assert.match(await text(page, "#held"), /uyuyor/);
    await page.$eval("#text", (area) => {
      area.value = "kuş";
      area.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    await quiet(page);
    assert.match(await text(page, "#held"), /kuş/);
    await page.close();
  });

  it("changes a message on the screen with the language", async () => {
    const page = await open(context);
    await press(page, "#reset");
    await quiet(page);
    assert.match(await text(page, "#toast"), /ilk haline/);
    await press(page, "#lang-en");
    await page.waitForFunction(() => /back to the beginning/.test(document.querySelector("#toast").textContent));
    await page.close();
  });
});
