// Section 6: what is measured, what it is marked with, and sentences that follow it.

import assert from "node:assert/strict";
import { it } from "node:test";
import {
  assertClean,
  chips,
  inBothBrowsers,
  open,
  press,
  quiet,
  setRange,
  show,
  text,
  type,
  wait,
} from "./harness.mjs";

async function measure(page, button) {
  await press(page, button);
  await page.waitForSelector(`${button}:not(.go)`, { timeout: 10_000 });
  await page.waitForSelector(`${button}.go`, { timeout: 180_000 });
  await quiet(page);
}

/** A number as the page writes it in Turkish. */
const number = (text) => Number(text.replace(/[^\d,]/g, "").replace(",", "."));

inBothBrowsers("speed", (context) => {
  it("measures each N and kernel while typing goes on, can be stopped, and says that the adapter is software", async () => {
    const page = await open(context);
    assert.match(await text(page, "#software-note"), /yazılım adaptöründe ölçülür/);
    await press(page, "#speed-go");
    await page.waitForSelector("#speed-go:not(.go)");
    assert.match(await text(page, "#speed-progress"), /ölçülüyor/);
    await type(page, "kedi kedi");
    assert.equal((await chips(page)).length, 2);
    await page.waitForSelector("#speed-go.go", { timeout: 180_000 });
    await quiet(page);
    const rows = await page.$$eval("#speed-table tbody tr", (all) => all.map((row) => row.textContent));
    assert.equal(rows.length, 5);
    for (const row of rows) assert.match(row, /[µm]s/);
    await show(page, "#plot");
    assert.ok(await page.$("#plot path.l"), "the chart has lines");
    assert.ok((await page.$$eval("#grow-table tbody tr", (all) => all.length)) >= 4);
    await press(page, "#speed-go");
    await wait(300);
    await press(page, "#speed-go");
    await page.waitForSelector("#speed-go.go", { timeout: 60_000 });
    assertClean(page, context.url);
    await page.close();
  });

  it("says what the table says, and marks the curves when the slider has moved on", async () => {
    const page = await open(context);
    await measure(page, "#speed-go");
    await show(page, "#plot");
    for (const n of [0, 3]) {
      await setRange(page, "#speed-n", n);
      await quiet(page);
      const cells = await page.$$eval("#speed-table tbody tr", (all) => all.map((row) => row.children[4].textContent));
      const [cas, sorted] = [number(cells[2]), number(cells[3])];
      const verdict = await text(page, "#verdict");
      // The table's ratios are rounded, so only clear cases are judged.
      if (cas > 1.3 * sorted) assert.match(verdict, /CAS, sıralı toplamın [\d,]+ katı/);
      if (sorted > 1.3 * cas) assert.match(verdict, /sıralı toplam, CAS’ın [\d,]+ katı/);
      assert.match(verdict, sorted > 2.1 ? /tabandan uzak/ : sorted < 1.9 ? /tabana yakın/ : /taban/);
      assert.match(verdict, /çarpıklık 1,0/);
      assert.match(verdict, /başarısız deneme oldu/);
    }
    const growth = await page.$$eval("#grow-table tbody tr", (all) =>
      all.map((row) => [...row.children].map((e) => e.textContent)),
    );
    const most = growth.filter((row) => row[1] !== "–").map((row) => number(row[1]));
    assert.match(
      await text(page, "#grow-note"),
      most.every((one) => one === 0) ? /hiç başarısız deneme olmadı/ : /aşmadı|aşıyor/,
    );

    assert.equal(await page.$eval("#speed-stale", (e) => e.hidden), true);
    await setRange(page, "#speed-skew", 1.5);
    await quiet(page);
    assert.match(await text(page, "#speed-stale"), /çarpıklık 1,0 için; kaydırıcı şimdi 1,5/);
    assert.match(await page.$eval("#plot", (e) => e.getAttribute("class")), /stale/);
    assert.match(await text(page, "#verdict"), /çarpıklık 1,0/, "the sentence stays with its figures");
    await setRange(page, "#speed-skew", 1);
    await quiet(page);
    assert.equal(await page.$eval("#speed-stale", (e) => e.hidden), true);
    await press(page, "#reset");
    await quiet(page);
    assert.match(await text(page, "#speed"), /Henüz ölçülmedi/);
    assert.equal(await text(page, "#verdict"), "");
    await page.close();
  });

  it("sweeps the skew, and says what time and retries did", async () => {
    const page = await open(context, { fragment: "n=512" });
    await press(page, '#hurt-guess [data-guess="more"]');
    await measure(page, "#hurt-go");
    const rows = await page.$$eval("#hurt-table tbody tr", (all) =>
      all.map((row) => [...row.children].map((e) => e.textContent)),
    );
    assert.equal(rows.length, 4);
    const note = await text(page, "#hurt-note");
    const [first, last] = [number(rows[0][4]), number(rows[3][4])];
    if (last > first) assert.match(note, /başarısız deneme.* arttı|yüz toplamada bir|işleyemeyecek kadar az/i);
    else assert.match(note, /artmadı|Ne başarısız/);
    const guessed = await text(page, "#hurt-guess .note");
    assert.match(guessed, /Eşit dağılımda .* en çarpık dağılımda/);
    assert.match(guessed, /tutarlı bir yön göstermedi/.test(note) ? /ne doğrular ne çürütür/ : /Tuttu|Tutmadı/);
    assert.match(await text(page, "#hurt-go"), /Yeniden ölç/);
    await press(page, "#reset");
    await page.waitForFunction(() => document.querySelector("#hurt-note").textContent === "");
    await quiet(page);
    assert.doesNotMatch(await text(page, "#hurt-guess .note"), /Eşit dağılımda/);
    const left = await page.$$eval("#hurt-table tbody td:last-child", (all) => all.map((cell) => cell.textContent));
    assert.doesNotMatch(left.join(""), /\d/);
    await page.close();
  });
});
