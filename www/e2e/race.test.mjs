// Section 5: the race as it is run here, its bars, and the sum that f16 cannot hold.

import assert from "node:assert/strict";
import { it } from "node:test";
import {
  assertClean,
  exported,
  inBothBrowsers,
  keepSaved,
  open,
  press,
  quiet,
  setRange,
  sideways,
  text,
} from "./harness.mjs";

/** Ten more runs, to their end; a short race may be over before a test could see it run. */
async function race(page) {
  const before = await page.evaluate(() => document.querySelector("#race-racy .run-ends")?.textContent ?? "");
  await press(page, "#race-go");
  await page.waitForFunction(
    (old) =>
      document.querySelector("#race-go.go") &&
      (document.querySelector("#race-racy .run-ends")?.textContent ?? "") !== old,
    { timeout: 120_000 },
    before,
  );
  await quiet(page);
}

/** Whether the page says that there are no runs; the words stand there, hidden, when there are. */
const noRuns = (page) => page.$eval("#race .waiting", (words) => !words.hidden);

inBothBrowsers("race", (context) => {
  it("shows what each kernel did: CAS and sorted lose nothing, CAS moves its bits, sorted does not", async () => {
    const page = await open(context);
    await race(page);
    assert.match(await text(page, "#race-embed_backward"), /CAS embed_backward0 kayıp.*hepsi yerinde/);
    assert.match(await text(page, "#race-sorted"), /0 kayıp.*hepsi yerinde/);
    assert.match(await text(page, "#bits-sorted"), /hep aynı bitler.*10 koşunun bitleri birbirinin aynı/);
    const lost = await page.$$eval("#race-racy .runs i:not(.none)", (all) => all.length);
    const note = await text(page, "#race-note");
    assert.match(
      note,
      lost === 0
        ? /hiçbirinde kayıp görülmedi/
        : lost === 10
          ? /hepsinde kayıp/
          : new RegExp(`10 korumasız koşunun ${lost}’`),
    );
    // The sentence follows the runs, whichever way they went; that they can move is proved by the models' tests.
    const moved = await page.$$eval("#bits-embed_backward .runs i:not(.none)", (all) => all.length);
    const cas = await text(page, "#bits-embed_backward");
    assert.match(
      cas,
      moved > 0 ? new RegExp(`2\\.688 hücrenin [\\d.]+’\\p{L}+ farklı.*10 koşunun ${moved}’`, "u") : /hep aynı bitler/,
    );
    const answer = await page.$eval("#s5 details.ask p", (e) => e.textContent);
    assert.match(answer, moved > 0 ? /en çok [\d.]+ hücrede farklı bit görüldü/ : /fark görülmedi/);
    await press(page, "#race-clear");
    await quiet(page);
    assert.match(await text(page, "#race .waiting"), /Henüz koşu yok/);
    assert.equal(await noRuns(page), true);
    assertClean(page, context.url);
    await page.close();
  });

  it("draws 20, 40 and 50 runs inside their box, and says which of them it draws", async () => {
    const page = await open(context, { fragment: "r=8", prepare: keepSaved });
    for (const runs of [10, 20, 30, 40, 50]) {
      await race(page);
      for (const width of runs % 20 === 0 || runs === 50 ? [360, 1280] : []) {
        await page.setViewport({ width, height: 800 });
        await quiet(page);
        // In one go: the recording that comes in two seconds after the start draws these boxes anew.
        const seen = await page.evaluate(() =>
          [...document.querySelectorAll(".runs")].map((box) => {
            const [outer, bars] = [
              box.getBoundingClientRect(),
              [...box.children].map((bar) => bar.getBoundingClientRect()),
            ];
            const ends = box.nextElementSibling.getBoundingClientRect();
            return {
              bars: bars.length,
              inside: bars[0].left >= outer.left - 0.5 && bars.at(-1).right <= outer.right + 0.5,
              aligned: Math.abs(ends.left - outer.left) < 1 && Math.abs(ends.right - outer.right) < 1,
              names: box.nextElementSibling.textContent,
            };
          }),
        );
        assert.equal(seen.length, 6);
        for (const box of seen) {
          assert.equal(box.bars, Math.min(40, runs));
          assert.ok(box.inside && box.aligned, JSON.stringify(box));
          assert.match(box.names, new RegExp(`^koşu ${Math.max(1, runs - 39)}(en uzun: [\\d.]+)?koşu ${runs}$`));
        }
        assert.ok((await sideways(page)) <= 0, `${runs} runs, ${width} px`);
      }
    }
    assert.match(await text(page, "#race"), /son 40 koşu var.*50 koşunun hepsini/);
    const file = JSON.parse((await exported(page, "#race [data-export=json]")).bytes.toString("utf8"));
    assert.equal(file.rows.length, 150);
    await page.close();
  });

  it("has nothing to run on an empty text, and forgets runs of another text", async () => {
    const page = await open(context, { fragment: "m=" });
    assert.equal(await page.$eval("#race-go", (e) => e.disabled), true);
    assert.match(await text(page, "#race"), /koşturacak bir şey yok/);
    await page.close();
    const other = await open(context, { fragment: "r=8" });
    await race(other);
    await press(other, '[data-preset="1"]');
    await quiet(other);
    assert.equal(await noRuns(other), true);
    assert.equal(await text(other, "#race-note"), "");
    // Nor are runs of another number of repeats, or of before a Reset.
    for (const change of [() => setRange(other, "#repeats", 4), () => press(other, "#reset")]) {
      await race(other);
      assert.equal(await noRuns(other), false);
      await change();
      await quiet(other);
      assert.equal(await noRuns(other), true);
      assert.equal(await text(other, "#race-note"), "");
    }
    await other.close();
  });

  it("sums the reader's gradient in f16 and f32: ones stop at 2,048, large ones overflow, few lose nothing", async () => {
    const page = await open(context, { fragment: "g=ones" });
    const rows = () =>
      page.$$eval("#half-sum-table tbody tr", (all) => all.map((row) => [...row.children].map((e) => e.textContent)));
    assert.deepEqual((await rows()).at(-1), ["8.192", "8.192", "2.048", "6.144", "0"]);
    assert.deepEqual((await rows())[0].slice(1), ["8", "8", "0", "0"]);
    assert.match(
      await text(page, "#half-note"),
      /8\.192 toplamanın 6\.144’ü bu yuvarlamada yok oldu.*8\.192 yerine 2\.048: %75 sapma/,
    );
    await setRange(page, "#half-scale", 6);
    await quiet(page);
    assert.match(await text(page, "#half-note"), /1\.024\. toplamada 65\.504’ü aştı/);
    assert.equal((await rows()).at(-1)[2], "Inf");
    await press(page, "#upstream-random");
    await setRange(page, "#half-scale", 0);
    await quiet(page);
    assert.match(await text(page, "#half-note"), /yok oldu|anlamlı bite yuvarlandı/);
    await press(page, "#upstream-single");
    await quiet(page);
    assert.match(await text(page, "#half-note"), /tek katkı ekleniyor/);
    assert.equal(await page.$eval("#half-sum-table", (e) => e.hidden), true);
    await press(page, "#oov");
    await page.waitForFunction(() => document.querySelectorAll("#chips .chip").length === 9);
    await press(page, '#chips [data-pos="8"]');
    await quiet(page);
    assert.match(await text(page, "#half-note"), /eklenen katkı yok/);
    // The browser's own rounding, where it has one, agrees with the page's on the same sum.
    const own = await page.evaluate(() => {
      if (!Math.f16round) return undefined;
      let sum = 0;
      for (let i = 0; i < 4096; i++) sum = Math.f16round(sum + 1);
      return sum;
    });
    if (own !== undefined) assert.equal(own, 2048);
    await page.close();
  });
});
