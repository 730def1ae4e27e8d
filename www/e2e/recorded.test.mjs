// The recorded graphics card: beside the reader's own figures where there is no card, by a switch everywhere, and always
// told apart by words and shape.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { assertClean, inBothBrowsers, open, press, quiet, setRange, show, text, violations } from "./harness.mjs";

const recordings = readdirSync("www/recorded")
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => JSON.parse(readFileSync(`www/recorded/${name}`, "utf8")));
const [first, second] = recordings;
const atTen = ({ cell }) => String(cell.find((point) => point.k === 10).failures[1]);

inBothBrowsers("recorded", (context) => {
  it("is fetched once the page is ready, and says whose numbers they are", async () => {
    const page = await open(context);
    const fetched = () => page.requests.filter((one) => /h200/.test(one)).length;
    const early = await page.evaluate(() => {
      const [ready] = performance.getEntriesByName("gomme:ready");
      const files = performance.getEntriesByType("resource").filter((one) => /h200/.test(one.name));
      return files.filter((one) => one.startTime < ready.startTime).length;
    });
    assert.equal(early, 0, "nothing of it weighs on the start");
    await show(page, "#recorded-4");
    await page.waitForFunction(() => /NVIDIA/.test(document.querySelector("#recorded-4 .note").textContent));
    assert.equal(fetched(), recordings.length);
    const source = await text(page, "#recorded-4 .note");
    assert.match(source, /NVIDIA H200, (Chromium|Firefox) \d+, \d\d\.\d\d\.\d{4} \(sayfanın [0-9a-f]{7} sürümüyle\)/);
    assert.match(source, /senin aygıtının değil/);
    const ten = () =>
      page.$$eval("#cell-table tbody tr", (rows) =>
        rows.map((row) => [...row.children].map((cell) => cell.textContent)).find(([k]) => k === "10"),
      );
    assert.equal(await ten(), undefined, "nothing that would answer the question before the guess");
    assert.equal(await page.$("#cell-contention path.l.recorded"), null);
    assert.match(await text(page, "#cell-contention"), /Kayıt, tahmin ettiğinde/);
    await press(page, '#cell-guess [data-guess="more"]');
    await quiet(page);
    await show(page, "#cell-contention .plot");
    assert.deepEqual((await ten()).slice(2), ["45", atTen(first)], "its own column, and none of dashes beside it");
    assert.match(await text(page, "#cell-recorded"), /^kayıt: .*bir grubun genişliği değildir/);
    assert.match(await text(page, "#cell-table thead"), /kayıt$/);
    assert.ok(await page.$("#cell-contention path.l.recorded"), "a dashed line");
    assert.match(await text(page, "#cell-contention .plot-legend"), /kayıt/);
    await page.$$eval("#recorded-4 .row .row button", (all) => all.at(-1).click());
    await quiet(page);
    assert.match(await text(page, "#recorded-4 .note"), new RegExp(second.browser.split(" ")[0]));
    assertClean(page, context.url);
    await page.close();
  });

  it("is in every figure of sections 4 to 6, and in none when the switch is off", async () => {
    const page = await open(context);
    await show(page, "#recorded-6");
    for (const question of ["cell", "kept", "hurt"]) {
      for (const id of ["#kept-recorded", "#hurt-recorded"]) {
        if (id.includes(question)) assert.equal(await text(page, id), "", `${id} before the guess`);
      }
      await press(page, `#${question}-guess [data-guess="more"]`);
    }
    await quiet(page);
    await page.waitForFunction(() => /NVIDIA/.test(document.querySelector("#recorded-6 .note").textContent));
    await press(page, "#race-go");
    await page.waitForSelector("#race-go:not(.go)", { timeout: 10_000 });
    await page.waitForSelector("#race-go.go", { timeout: 120_000 });
    await quiet(page);
    assert.match(
      await text(page, "#race-racy .rec"),
      /^kayıt: [\d.]+ kayıp \(10 koşu; ilk hazır metin × 128, en sık satır 256 kez\)$/,
    );
    assert.match(await text(page, "#bits-embed_backward .rec"), /^kayıt: 2\.688 hücrenin [\d.]+’\p{L}+ farklı/u);
    assert.match(await text(page, "#grow-recorded"), /^kayıt: Başarısız deneme, N = [\d.]+’\p{L}+ itibaren/u);
    assert.match(await text(page, "#hurt-recorded"), /^kayıt, N = 8\.192: .*CAS’ın süresi de arttı/);
    for (const id of ["#contention-table", "#kept-table", "#grow-table"]) {
      assert.match(await text(page, `${id} thead`), /kayıt/, id);
    }
    assert.match(await text(page, "#kept-recorded"), /^kayıt: 4\.096 komşu thread’den 1 katkı kaldı/);
    // Its times are of one skew: beside another they are not shown, and the page says so.
    await setRange(page, "#speed-skew", 1.5);
    await quiet(page);
    assert.match(await text(page, "#speed-recorded"), /çarpıklık 1,0 için.*çarpıklık 1,5/);
    assert.equal(await text(page, "#grow-recorded"), "");
    assert.equal(await page.$eval("#plot", (e) => e.getBoundingClientRect().height), 0, "nothing is drawn");
    await setRange(page, "#speed-skew", 1);
    await quiet(page);
    const answer = await page.$eval("#s6 details.ask p", (e) => e.textContent);
    assert.match(answer, /Kayıtlı ekran kartında \(NVIDIA H200.*CAS, sıralı toplamın \d+ katı/);
    assert.deepEqual(await violations(page, "#s6"), []);
    await press(page, "#recorded-5-on");
    await quiet(page);
    for (const id of ["#s4", "#s5", "#s6"]) {
      const left = await page.$$eval(`${id} .rec`, (all) => all.filter((e) => e.textContent !== "").length);
      assert.equal(left, 0, id);
    }
    assert.equal(await page.$eval("#recorded-4-on", (e) => e.checked), false, "one switch in three places");
    await page.close();
  });

  it("is there on the CPU too", async () => {
    const page = await open(context, {
      prepare: () => Object.defineProperty(Navigator.prototype, "gpu", { configurable: true, get: () => undefined }),
    });
    await show(page, "#recorded-4");
    await page.waitForFunction(() => /NVIDIA/.test(document.querySelector("#recorded-4 .note").textContent));
    await page.close();
  });
});
