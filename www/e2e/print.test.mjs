// On paper.

import assert from "node:assert/strict";
import { it } from "node:test";
import { inBothBrowsers, open, quiet, wait } from "./harness.mjs";
import { onPaper, overlaps } from "./paper.mjs";

/** In the page: printing is what it tells the page, and what is there at that moment is remembered. */
function pretendToPrint() {
  globalThis.print = () => {
    dispatchEvent(new Event("beforeprint"));
    globalThis.seen = globalThis.look();
  };
  // Without waiting for anything: the browser doesn't either.
  globalThis.look = () => {
    const colours = (canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    };
    const shown = (element) => element.checkVisibility();
    return {
      blank: [...document.querySelectorAll("main canvas")].filter((one) => shown(one) && colours(one) < 3).length,
      canvases: document.querySelectorAll("main .heat canvas").length,
      empty: [...document.querySelectorAll("main svg.plot, main .ws-picture")].filter(
        (one) => shown(one) && one.childElementCount === 0,
      ).length,
      parts: ["#workshop", "#train", "#output", "#gradient", "#stepper", "#glossary dl"].filter(
        (one) => !document.querySelector(one),
      ),
      loading: [...document.querySelectorAll(".recorded .note:not(.screen-only)")].map((one) => one.textContent),
      recorded: document.querySelectorAll("td.rec").length,
      labels: document.querySelectorAll("#gradient .labels li").length,
      wide: [...document.querySelectorAll("main .heat canvas")].map((one) => Number.parseInt(one.style.width, 10)),
    };
  };
}

function assertWhole(seen) {
  assert.deepEqual(seen.parts, [], "all sections have come");
  assert.ok(seen.canvases >= 2);
  assert.equal(seen.blank, 0, "heat maps are drawn");
  assert.equal(seen.empty, 0, "charts are drawn");
  assert.ok(seen.labels > 0, "heat maps have their labels");
  assert.ok(seen.recorded > 0, "the recording is there");
  assert.ok(
    seen.loading.every((one) => /H200/.test(one)),
    seen.loading.join(),
  );
  assert.ok(
    seen.wide.every((one) => one > 400 && one < 680),
    `drawn for paper: ${seen.wide}`,
  );
}

inBothBrowsers("print", (context) => {
  it("prints as a hand-out, and leaves the reader where they were", async () => {
    // Before the page's own listener, which closes the answers again.
    const page = await open(context, {
      prepare: () =>
        addEventListener("afterprint", () => {
          const answers = [...document.querySelectorAll("details.ask")];
          globalThis.printed = { answers: answers.length, open: answers.filter((one) => one.open).length };
        }),
    });
    const where = () =>
      page.evaluate(() => [document.querySelector("#near").getBoundingClientRect().top, location.hash]);
    await page.$eval("#near", (one) => one.scrollIntoView({ behavior: "instant" }));
    await quiet(page);
    await wait(1000);
    const [top, address] = await where();
    const pdf = Buffer.from(await page.pdf({ format: "A4", printBackground: true }));
    assert.equal(pdf.subarray(0, 5).toString("latin1"), "%PDF-");
    assert.ok(pdf.length > 50_000, `${pdf.length} bytes`);
    const { answers, open: opened } = await page.evaluate(() => globalThis.printed);
    assert.ok(answers > 3, `${answers} answers`);
    assert.equal(opened, answers, "all answers are on the paper");
    assert.equal(await page.$$eval("details.ask[open]", (all) => all.length), 0, "answers are closed again");
    await wait(1500);
    const [now, then] = await where();
    assert.ok(Math.abs(now - top) < 3, `${top} → ${now}`);
    assert.equal(then, address);
    await page.close();
  });
  it("has everything by its own button, without having been scrolled", async () => {
    const page = await open(context, { prepare: pretendToPrint });
    await page.$eval("#print", (one) => one.click());
    await page.waitForFunction(() => globalThis.seen, { timeout: 30_000 });
    assertWhole(await page.evaluate(() => globalThis.seen));
    assert.deepEqual(page.errors, []);
    await page.close();
  });
  it("has everything when the browser prints, in whatever look", async () => {
    const page = await open(context, { prepare: pretendToPrint, width: 390, fragment: "theme=dark" });
    const pixel = () =>
      page.$eval("#output canvas", (one) => one.getContext("2d").getImageData(40, 8, 60, 1).data.join());
    await wait(6000);
    assertWhole(
      await page.evaluate(() => {
        dispatchEvent(new Event("beforeprint"));
        return globalThis.look();
      }),
    );
    const dark = await pixel();
    await page.$eval("#theme-light", (one) => one.click());
    await quiet(page);
    assert.equal(await pixel(), dark, "paper is light, whatever the screen is");
    assert.deepEqual(page.errors, []);
    await page.close();
  });
  it("draws nothing over anything, and leaves room to answer", async () => {
    const page = await open(context, { prepare: pretendToPrint });
    await page.$eval("#print", (one) => one.click());
    await page.waitForFunction(() => globalThis.seen, { timeout: 30_000 });
    for (const width of [680, 794, 1280, 390, 320]) {
      await onPaper(page, width);
      assert.deepEqual(await overlaps(page), [], `${width} px`);
    }
    await page.setViewport({ width: 680, height: 900 });
    const bare = await page.$$eval("main .fig", (all) =>
      all
        .filter(
          (one) => one.checkVisibility() && one.clientHeight - (one.querySelector("header")?.clientHeight ?? 0) < 20,
        )
        .map((one) => one.id),
    );
    assert.deepEqual(bare, [], "no title stands alone");
    const broken = await page.$$eval("main th", (all) =>
      all.flatMap((one) => {
        const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
        const words = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const range = document.createRange();
          range.selectNodeContents(node);
          if (/^[^\s-]+$/.test(node.data) && range.getClientRects().length > 1) words.push(node.data);
        }
        return words;
      }),
    );
    assert.deepEqual(broken, [], "no word of a table's head is broken");
    const lines = await page.$$eval("#questions li", (all) =>
      all.map((one) => Number.parseFloat(getComputedStyle(one, "::after").height)),
    );
    assert.ok(lines.every((one) => one >= 60));
    await page.close();
  });
});
