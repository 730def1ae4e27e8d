// Sections 1 to 3 as a reader uses them, in both browsers.

import assert from "node:assert/strict";
import { it } from "node:test";
import { assertClean, chips, hits, inBothBrowsers, open, press, quiet, text, tour, type } from "./harness.mjs";

const KEDI = 6754;
const FIRST = [
  ["▁kedi", 6754],
  ["▁ve", 321],
  ["▁köpek", 6283],
  ["▁bahçe", 3784],
  ["de", 265],
  [",", 16270],
  ["▁kedi", 6754],
  ["▁uyuyor", 15546],
];

inBothBrowsers("sections", (context) => {
  it("opens with the tokens, the row, the neighbours and the hits of its first text", async () => {
    const page = await open(context);
    assert.equal(await page.$eval("html", (e) => e.dataset.state), "ready");
    assert.equal(await page.$eval("html", (e) => e.dataset.vectors), "ready");
    assert.deepEqual(await chips(page), FIRST);
    assert.match(await text(page, "#counts"), /34 karakter N = 8 token U = 7/);
    const near = await page.$$eval("#near .near:first-child li", (all) => all.map((one) => one.textContent));
    assert.match(near[0], /^▁köpek0,915$/);
    assert.match(near.join(" "), /kuş.*fare/);
    assert.match(await text(page, "#near .far"), /▁kamyon0,227/);
    const table = await hits(page);
    assert.equal(Object.keys(table).length, 7);
    assert.deepEqual([table[KEDI].hits, table[KEDI].adds], [2, 768]);
    assert.equal(await text(page, "#total-hits"), "8");
    assert.equal(await text(page, "#total-adds"), "3.072");
    assert.equal((await page.$("#hits-check.good")) !== null, true);
    assert.match(await text(page, "#hits-check"), /tutuyor/);
    // SwiftShader and lavapipe are both software, and the page says so.
    assert.match(await text(page, "#adapter"), /Yazılım adaptörü/);
    assertClean(page, context.url);
    await page.close();
  });

  it("shows the 384 numbers of ▁kedi, with the value of each thread", async () => {
    const page = await open(context);
    await page.$eval("#output canvas", (e) => e.focus());
    await page.keyboard.press("Home");
    await quiet(page);
    assert.match(await text(page, "#cell"), /i0eleman ve thread numarasıs = i \/\/ D00 \/\/ 384d = i % D00 % 384/);
    const seen = new Set();
    for (let k = 0; k < 12; k++) {
      seen.add(await text(page, "#cell > div:first-child dd"));
      await page.keyboard.press("PageDown");
      await quiet(page);
    }
    assert.ok(seen.size > 6, "values differ along the row");
    await page.keyboard.press("End");
    await quiet(page);
    assert.match(await text(page, "#cell"), /383 % 384/);
    assert.match(await text(page, "#cell"), new RegExp(`table\\[${KEDI * 384 + 383}\\]`));
    assert.match(await text(page, "#memory-line"), /32 × 4 = 128 bayt/);
    await page.keyboard.press("ArrowDown");
    await quiet(page);
    assert.match(await text(page, "#held"), /▁ve321/);
    await page.close();
  });

  it("tokenizes while typing; hover and selection light a token everywhere", async () => {
    const page = await open(context);
    await type(page, "köpek kedi köpek");
    assert.deepEqual(await chips(page), [
      ["▁köpek", 6283],
      ["▁kedi", KEDI],
      ["▁köpek", 6283],
    ]);
    await tour(page);
    const chip = await page.$("#chips .chip");
    await chip.hover();
    await quiet(page);
    const lit = await page.$$eval(".hot", (all) => all.map((e) => `${e.closest(".fig")?.id ?? ""} ${e.localName}`));
    for (const place of ["tokens button", "output li", "wires li", "wires path", "gradient li", "hits tr"]) {
      assert.ok(lit.includes(place), `${place} is lit; lit: ${lit.join(", ")}`);
    }
    if (await page.evaluate(() => "highlights" in CSS)) {
      await page.mouse.move(2, 2);
      await page.$eval('#chips [data-pos="1"]', (e) =>
        e.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })),
      );
      await quiet(page);
      const marked = await page.evaluate(() =>
        [...CSS.highlights.get("gomme-hot")].map((range) => [range.startOffset, range.endOffset]),
      );
      assert.deepEqual(marked, [[6, 10]]);
    }
    await press(page, '#chips [data-pos="1"]');
    await page.mouse.move(2, 2);
    await quiet(page);
    assert.equal(await page.$eval('#chips [data-pos="1"]', (e) => e.getAttribute("aria-pressed")), "true");
    assert.match(await text(page, "#held"), /▁kedi/);
    assertClean(page, context.url);
    await page.close();
  });

  it("keeps a text that looks like markup a text", async () => {
    const bad = '<img src=x onerror="globalThis.broken=1"><script>globalThis.broken=1</script>';
    const page = await open(context, { fragment: `m=${encodeURIComponent(bad)}` });
    assert.equal(await page.$eval("#text", (e) => e.value), bad);
    await type(page, bad);
    assert.equal(await page.evaluate(() => globalThis.broken), undefined);
    assert.equal(await page.$("main img"), null);
    assert.ok((await chips(page)).length > 10);
    assertClean(page, context.url);
    await page.close();
  });

  it("shows bytes in hex, digits one by one, and why Kedi is two pieces", async () => {
    const page = await open(context);
    const split = await page.$$eval("#splits .split li", (all) =>
      all.map((li) => [...li.querySelectorAll(".piece")].map((e) => e.textContent).join(" ")),
    );
    assert.deepEqual(split, ["▁kedi", "▁Ke di", "▁I Ş IK", "▁İstanbul ' da", "▁ 2 0 2 4", "▁ E2 98 95"]);
    await press(page, '[data-preset="3"]');
    await quiet(page);
    const pieces = (await chips(page)).map(([piece]) => piece).join(" ");
    assert.match(pieces, /2 0 2 4/);
    assert.match(pieces, /E2 98 95/);
    await page.close();
  });

  it("adds an id outside the vocabulary: a row of zeros, no gradient, and it is counted", async () => {
    const page = await open(context);
    await press(page, "#oov");
    await page.waitForFunction(() => document.querySelectorAll("#chips .chip").length === 9);
    await quiet(page);
    await press(page, '#chips [data-pos="8"]');
    await quiet(page);
    assert.match(await text(page, "#cell"), /0,00000/);
    assert.match(await text(page, "#skipped-outside"), /1 konum/);
    assert.equal(await text(page, "#total-hits"), "8");
    assert.match(await text(page, "#near"), /satırı yoktur/);
    assert.equal((await page.$("#hits-check.good")) !== null, true);
    await page.close();
  });

  it("sums the chosen upstream gradient, and skips zeros, NaN and Inf by count", async () => {
    const page = await open(context);
    await press(page, "#upstream-ones");
    await quiet(page);
    assert.match(await text(page, "#cell-sum"), /^2,00000/);
    await press(page, "#put-nan");
    await press(page, "#put-inf");
    await quiet(page);
    const table = await hits(page);
    assert.equal(table[3784].adds, 383, "the NaN at position 3 is one addition less");
    assert.equal(table[16270].adds, 383, "the Inf at position 5 too");
    assert.match(await text(page, "#skipped-nonfinite"), /2 eleman/);
    assert.equal(await text(page, "#total-adds"), "3.070");
    assert.equal((await page.$("#hits-check.good")) !== null, true);
    await press(page, "#put-nan");
    await press(page, "#put-inf");
    await press(page, "#upstream-single");
    await quiet(page);
    assert.match(await text(page, "#cell-sum"), /^1,00000/);
    assert.match(await text(page, "#skipped-zero"), /2\.688 eleman/);
    assert.equal(
      await page.$$eval("#wires-board .wire.idle", (all) => all.length),
      7,
      "only one line carries anything",
    );
    assert.match(await text(page, "#wires-idle"), /Kesik çizgi/);
    assert.match(await text(page, "#retries-note"), /bir satıra en çok 1 konum yazıyor/);
    assert.equal((await hits(page))[321].adds, 0);
    await press(page, "#upstream-random");
    await quiet(page);
    const first = await text(page, "#cell-sum");
    await press(page, "#reseed");
    await quiet(page);
    assert.notEqual(await text(page, "#cell-sum"), first);
    await press(page, "#reset");
    await quiet(page);
    assert.equal(await text(page, "#cell-sum"), first, "the same seed gives the same numbers again");
    assertClean(page, context.url);
    await page.close();
  });

  it("sorts the hits table and picks a row from it by its button", async () => {
    const page = await open(context, { fragment: `m=${encodeURIComponent("ve kedi ve köpek ve")}` });
    const order = () =>
      page.$$eval("#hits-rows tr[data-row]", (rows) => rows.map((row) => row.getAttribute("data-row")));
    assert.equal((await order())[0], "321");
    await press(page, '[data-sort="token"]');
    await quiet(page);
    assert.equal(await page.$eval("#hits-table th", (e) => e.getAttribute("aria-sort")), "ascending");
    await press(page, `[data-pick="${KEDI}"]`);
    await quiet(page);
    assert.match(await text(page, "#held"), /▁kedi/);
    assert.match(await text(page, "#wires-board"), /▁ve×3/);
    await page.close();
  });

  it("compares f16 with f32, and counts the small steps that f16 swallows", async () => {
    const page = await open(context);
    await page.waitForFunction(() => !/–/.test(document.querySelector("#half-table").textContent));
    assert.match(await text(page, "#half-table"), /25\.165\.824.*12\.582\.912/);
    assert.match(await text(page, "#half-table"), /· 10⁻/);
    await press(page, "#master-step");
    await page.waitForFunction(() => document.querySelector("#master-note strong") !== null);
    const [lost, kept] = await page.$$eval("#master-note strong", (all) =>
      all.map((e) => Number.parseInt(e.textContent, 10)),
    );
    assert.ok(lost > 0 && lost < 384, `lost ${lost}`);
    assert.ok(kept > lost, `kept ${kept}`);
    await page.close();
  });
});
