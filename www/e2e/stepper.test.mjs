// Section 4: the losing version and compare-exchange on the reader's own gradient, and the count put to the test.

import assert from "node:assert/strict";
import { it } from "node:test";
import { assertClean, inBothBrowsers, open, press, quiet, setRange, show, sideways, text, wait } from "./harness.mjs";

/** Threads that this browser's software adapter runs in lock step. */
const WIDTH = { chromium: 4, firefox: 8 };
/** Failed exchanges of 10 threads then: 6 + 6 + 1 and 28 + 1. */
const TEN = { chromium: "13", firefox: "29" };

inBothBrowsers("stepper", (context) => {
  it("loses all but the last contribution without the exchange, and says whose", async () => {
    const page = await open(context, { fragment: "g=ones" });
    assert.match(await text(page, "#stepper-code"), /grad_table\[dst_idx\] = grad_table\[dst_idx\] \+ bitcast<f32>/);
    for (const k of [2, 4, 10]) {
      await setRange(page, "#threads", k);
      await press(page, "#step-last");
      await quiet(page);
      assert.match(await text(page, "#fail-count"), new RegExp(`Kaybolan katkı ${k - 1} / ${k - 1}$`));
      assert.match(await text(page, "#told"), new RegExp(`Hücrede 1 var, oysa toplam ${k} olmalıydı`));
      assert.equal(await page.$eval("#step-forward", (e) => e.disabled), true);
    }
    await setRange(page, "#threads", 2);
    await press(page, "#step-first");
    const said = [];
    for (let i = 0; i < 4; i++) {
      await press(page, "#step-forward");
      await quiet(page);
      said.push(await text(page, "#told"));
    }
    assert.match(said[0], /Thread 0 okudu/);
    assert.match(said[1], /Thread 1 okudu/);
    assert.match(said[2], /Thread 0 yazdı/);
    assert.match(said[3], /Thread 1, thread 0’ın yazdığını ezdi/);
    assert.match(await text(page, "#lanes tbody tr:first-child"), /ezildi/);
    await press(page, "#step-back");
    await quiet(page);
    assert.equal(await text(page, "#told"), said[2]);
    assertClean(page, context.url);
    await page.close();
  });

  it("keeps every contribution with the exchange: k(k−1)/2 failures, forwards, backwards, playing at a pace", async () => {
    const page = await open(context, { fragment: "a=cas" });
    assert.match(await text(page, "#stepper-code"), /atomicCompareExchangeWeak\(&grad_table\[dst_idx\]/);
    for (const k of [2, 4, 10]) {
      await setRange(page, "#threads", k);
      await press(page, "#step-last");
      await quiet(page);
      const all = (k * (k - 1)) / 2;
      assert.match(await text(page, "#fail-count"), new RegExp(`Başarısız deneme ${all} / ${all}$`));
      assert.match(await text(page, "#told"), /Kayıp yok/);
      await press(page, "#step-back");
      await quiet(page);
      assert.doesNotMatch(await text(page, "#told"), /Bitti/);
    }
    assert.match(await text(page, ".words"), /0x[0-9a-f]{8}/);
    await press(page, "#step-first");
    await setRange(page, "#step-pace", 3);
    await press(page, "#step-play");
    await wait(900);
    await press(page, "#step-play");
    await quiet(page);
    const fast = await page.$eval("#step-range", (e) => Number(e.value));
    assert.ok(fast >= 2 && fast <= 5, `${fast} steps in about 0.9 s at four a second`);
    await press(page, "#stepper-racy");
    await quiet(page);
    assert.equal(await page.$eval("#step-range", (e) => e.value), "0", "another version begins at its beginning");
    await page.close();
  });

  it("takes its values from the gradient that is chosen", async () => {
    const values = async (fragment) => {
      const page = await open(context, { fragment });
      const got = {
        values: await page.$$eval("#lanes .val", (cells) => cells.slice(1).map((cell) => cell.textContent)),
        states: await page.$$eval("#lanes .status", (cells) => cells.slice(1).map((cell) => cell.textContent)),
        note: await text(page, "#stepper-source"),
        cell: await text(page, "#writers"),
      };
      await page.close();
      return got;
    };
    const ones = await values("g=ones&a=cas");
    assert.deepEqual(ones.values, ["+1", "+1", "+1", "+1"]);
    const random = await values("a=cas");
    // The first two are what section 3 shows of the same cell.
    const shown = random.cell
      .match(/[+−-]?\d,\d{5}/g)
      .slice(0, 2)
      .map((one) => Number(one.replace("−", "-").replace(",", ".")));
    const stepped = random.values.slice(0, 2).map((one) => Number(one.replace("−", "-").replace(",", ".")));
    for (const [i, value] of stepped.entries())
      assert.ok(Math.abs(value - shown[i]) < 0.01, `${value} and ${shown[i]}`);
    assert.match(random.note, /2 kez geçiyor/);
    const single = await values("g=single&a=cas");
    assert.deepEqual(single.states.slice(1), ["atlandı: 0", "atlandı: 0", "atlandı: 0"]);
    const nan = await values("g=ones&nan=1&s=3&d=12&a=cas");
    assert.equal(nan.states[0], "atlandı: sonlu değil");
    assert.match(nan.note, /1 katkı atlanıyor/);
  });

  it("says that nothing is written where nothing is: outside the vocabulary, zeros, an empty text", async () => {
    for (const [fragment, said] of [
      ["oov=1&s=8", /sözlük dışı.*Hiçbir şey yazılmaz/],
      ["g=single&s=1&k=2", /tek thread yazdı|Başlangıç/],
      ["m=", /Metin boş/],
    ]) {
      const page = await open(context, { fragment });
      assert.match(await text(page, "#told"), said);
      if (!fragment.startsWith("g=")) {
        assert.equal(await page.$eval("#step-play", (e) => e.disabled), true);
        assert.equal(await page.$$eval("#lanes tbody tr", (rows) => rows.length), 0);
      }
      await page.close();
    }
  });

  it("never moves a column between steps", async () => {
    const page = await open(context, { fragment: "k=6" });
    for (const version of ["racy", "cas"]) {
      await press(page, `#stepper-${version}`);
      await show(page, "#lanes");
      const columns = () =>
        page.$$eval("#lanes thead th", (cells) => cells.map((cell) => cell.getBoundingClientRect().left).join());
      const first = await columns();
      const steps = await page.$eval("#step-range", (e) => Number(e.max));
      for (let i = 0; i < steps; i += 3) {
        await setRange(page, "#step-range", i);
        await quiet(page);
        assert.equal(await columns(), first, `${version}, step ${i}`);
      }
    }
    await page.setViewport({ width: 360, height: 800 });
    await quiet(page);
    assert.ok((await sideways(page)) <= 0);
    await page.close();
  });

  it("measures neighbours on one cell: the count of the steps, and the width it reads off", async () => {
    const page = await open(context);
    await press(page, '#cell-guess [data-guess="more"]');
    await press(page, "#measure-cell");
    await page.waitForFunction(() => document.querySelector("#cell-note").textContent !== "", { timeout: 60_000 });
    await quiet(page);
    const width = WIDTH[context.name];
    assert.match(await text(page, "#cell-note"), new RegExp(`Bu aygıt ${width} thread’i aynı adımda yürütüyor`));
    const rows = await page.$$eval("#cell-table tbody tr", (all) =>
      Object.fromEntries(
        all.map((row) => [...row.children].slice(0, 5).map((e) => e.textContent)).map(([k, ...rest]) => [k, rest]),
      ),
    );
    assert.deepEqual(rows["4"].slice(0, 3), ["16", "6", "6"]);
    assert.deepEqual(rows["10"].slice(0, 3), ["100", "45", TEN[context.name]]);
    const kept = await page.$$eval("#kept-table tbody tr", (all) =>
      all.map((row) => [...row.children].map((e) => e.textContent)).find(([k]) => k === "64"),
    );
    assert.equal(kept[1], String(64 / width), "one contribution of each group is kept");
    assert.match(await text(page, "#cell-guess .note"), /iki katından çok artar.*Tuttu/);
    // Section 5 has it too: one measurement, two questions.
    assert.match(await text(page, "#kept-note"), /her gruptan bir katkı kalır/);
    await press(page, '#kept-guess [data-guess="more"]');
    await quiet(page);
    assert.match(await text(page, "#kept-guess .note"), /Tutmadı/);
    assert.match(await text(page, "#claim-fails"), new RegExp(`10 komşu thread’de ${TEN[context.name]}`));
    await press(page, "#reset");
    await quiet(page);
    assert.equal(await text(page, "#cell-note"), "");
    assert.equal(await text(page, "#cell-guess .note"), "");
    assertClean(page, context.url);
    await page.close();
  });

  it("measures 384 columns, never above what can be, and says why rivals hardly meet there", async () => {
    const page = await open(context);
    await press(page, "#measure-contention");
    await page.waitForFunction(() => /45/.test(document.querySelector("#contention-note").textContent), {
      timeout: 60_000,
    });
    await quiet(page);
    const ten = await page.$$eval("#contention-table tbody tr", (all) =>
      all.map((row) => [...row.children].map((e) => e.textContent)).find(([k]) => k === "10"),
    );
    assert.equal(ten[1], "45");
    assert.ok(Number(ten[2].replace("<", "").replace(",", ".")) < 45);
    assert.match(await text(page, "#contention-note"), /karşılaşm|seyrek/);
    await page.close();
  });

  it("says on the CPU that nothing can contend", async () => {
    const page = await open(context, {
      prepare: () => Object.defineProperty(Navigator.prototype, "gpu", { configurable: true, get: () => undefined }),
    });
    await press(page, '#cell-guess [data-guess="more"]');
    await press(page, "#measure-cell");
    await page.waitForFunction(() => document.querySelector("#cell-note").textContent !== "", { timeout: 60_000 });
    await quiet(page);
    assert.match(await text(page, "#cell-note"), /tek işçisi var/);
    assert.match(await text(page, "#kept-note"), /her katkıyı saklar/);
    assert.match(await text(page, "#cell-guess .note"), /yanıtı yok/);
    assert.doesNotMatch(await text(page, "#cell-guess .note"), /Tutmadı/);
    await page.close();
  });
});
