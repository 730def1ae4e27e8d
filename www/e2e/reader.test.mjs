// What a reader without any knowledge of the project needs: a beginning, words explained where they stand, sentences that
// follow the data, a way into a cell and back; on a phone and on paper too.

import assert from "node:assert/strict";
import { it } from "node:test";
import { inBothBrowsers, open, press, quiet, show, sideways, text, type } from "./harness.mjs";

inBothBrowsers("reader", (context) => {
  it("begins with what is needed, three lines of Python, and what the document is", async () => {
    const page = await open(context);
    assert.match(
      await text(page, "#loop pre"),
      /^for s in range\(N\):.*out\[s\] = table\[tokens\[s\]\].*grad\[tokens\[s\]\] \+= g\[s\]/,
    );
    assert.match(await text(page, "#s0"), /Python’da bir döngü/);
    assert.match(
      await text(page, "#s0"),
      /Ölçülen her sayı burada ölçülür; başka yerden gelenin yanında kaynağı yazar/,
    );
    assert.match(await text(page, "#s0"), /aynı anda/);
    assert.ok(await page.$('#s0 a[href="#corrections"]'));
    await page.close();
  });

  it("says of each number that was not measured here whence it comes", async () => {
    const page = await open(context);
    assert.deepEqual(
      await page.$$eval("#corrections-table thead th", (all) => all.map((one) => one.textContent.trim())),
      ["belge", "doğrusu", "burada ölçülen"],
    );
    assert.match(await text(page, "#claim-ve"), /%2’sidir.*%1,1 ile %1,6 arası \(burada ölçülmedi\)/);
    assert.match(await text(page, "#corrections .say"), /başka yerde ölçülenlerin yanında kaynağı yazar/);
    await show(page, "#cell-contention");
    assert.match(await text(page, "#cell-contention"), /belge: k²/);
    await press(page, "#lang-en");
    await page.waitForFunction(() => document.documentElement.lang === "en");
    await quiet(page);
    assert.match(
      await text(page, "#s0"),
      /What is measured is measured here; numbers from elsewhere name their source/,
    );
    assert.match(await text(page, "#claim-ve"), /not measured here/);
    await page.close();
  });

  it("explains each linked word in the glossary, and leads back", async () => {
    const page = await open(context);
    const links = await page.$$eval("main a.term", (all) => all.map((one) => one.getAttribute("href").slice(1)));
    const missing = await page.evaluate((ids) => ids.filter((id) => !document.getElementById(id)), links);
    assert.deepEqual(missing, []);
    for (const id of ["kernel", "thread", "workgroup", "gradient", "nan", "inf", "f16", "line", "cosine"]) {
      assert.ok(links.includes(`g-${id}`), `${id} is linked`);
    }
    await show(page, "#s3 .say");
    const link = '#s3 a[href="#g-gradient"]';
    const before = await page.$eval(link, (one) => one.getBoundingClientRect().top);
    await press(page, link);
    await page.waitForFunction(() => document.activeElement.id === "g-gradient");
    await press(page, "#go-back");
    await page.waitForFunction(
      (selector, top) => Math.abs(document.querySelector(selector).getBoundingClientRect().top - top) < 40,
      {},
      link,
      before,
    );
    await quiet(page);
    const after = await page.$eval(link, (one) => one.getBoundingClientRect().top);
    assert.ok(Math.abs(after - before) < 40, `the link stays where it was: ${before}, ${after}`);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), "#g-gradient");
    await page.close();
  });

  it("comes back by the browser's Back to the link that was followed, with what was measured", async () => {
    const page = await open(context);
    await press(page, "#measure-cell");
    await page.waitForSelector("#cell-note strong", { timeout: 60_000 });
    const link = '#s4 a[href="#g-cas"]';
    await show(page, link);
    const top = () => page.$eval(link, (one) => one.getBoundingClientRect().top);
    const before = await top();
    const measured = await text(page, "#cell-note");
    await press(page, link);
    await page.waitForFunction(() => document.activeElement.id === "g-cas");
    await quiet(page);
    await page.goBack();
    await page.waitForFunction((selector) => document.activeElement === document.querySelector(selector), {}, link);
    await quiet(page);
    assert.ok(Math.abs((await top()) - before) < 40, `the link is where it was: ${before}, ${await top()}`);
    assert.equal(await text(page, "#cell-note"), measured);
    await page.close();
  });

  it("speaks of the chosen token from the first sentence on", async () => {
    const page = await open(context);
    assert.match(await text(page, ".lead"), /“kedi”.*6754/);
    await press(page, '#chips [data-pos="2"]');
    await page.waitForFunction(() => /“köpek”.*6283/.test(document.querySelector(".lead").textContent));
    await press(page, "#oov");
    await page.waitForSelector('#chips [data-pos="8"]');
    await press(page, '#chips [data-pos="8"]');
    await page.waitForFunction(() => /sözlükte böyle bir numara yok/.test(document.querySelector(".lead").textContent));
    await page.close();
  });

  it("goes to a cell by numbers, and from a cell to its writers, its steps and back", async () => {
    const page = await open(context);
    const set = (id, value) =>
      page.$eval(
        id,
        (input, to) => {
          input.value = to;
          input.dispatchEvent(new Event("change"));
        },
        String(value),
      );
    await set("#cell-s", 6);
    await set("#cell-d", 17);
    await quiet(page);
    assert.match(await text(page, "#cell"), new RegExp(`${6 * 384 + 17} // 384`));
    await set("#cell-d", 9999);
    await quiet(page);
    assert.equal(await page.$eval("#cell-d", (input) => input.value), "383");
    await set("#cell-s", -4);
    await quiet(page);
    assert.equal(await page.$eval("#cell-s", (input) => input.value), "0");
    await press(page, '#output a[href="#writers"]');
    await page.waitForFunction(() => document.activeElement.id === "writers");
    assert.match(await text(page, "#writers"), /d = 383/);
    assert.ok(await page.$('#writers a[href="#s4"]'));
    assert.ok(await page.$('#writers a[href="#cell"]'));
    assert.ok(await page.$('#gradient a[href="#writers"]'));
    await page.close();
  });

  it("explains the rounding of workgroups by the text's own numbers", async () => {
    const page = await open(context);
    assert.match(await text(page, "#threads-note"), /8 × 384 = 3\.072 thread.*3\.072 \/ 256 = 12, tam bölünüyor/);
    await type(page, "kedi");
    assert.match(
      await text(page, "#threads-note"),
      /384 \/ 256 = 1,5, yukarı yuvarlanır: 2 grup başlar.*128 thread işsizdir/,
    );
    await page.close();
  });

  it("says of neighbours by number what their cosines say", async () => {
    const page = await open(context);
    await page.waitForSelector("#number-note");
    assert.match(await text(page, "#number-note"), /6754 ile 6755.*ayrı yönlere bakıyor/);
    await type(page, "<");
    await press(page, "#chips .chip:last-child");
    await quiet(page);
    const cosines = await page.$$eval("#near .number em", (all) =>
      all.map((one) => Number(one.textContent.replace(",", ".").replace("−", "-"))),
    );
    const note = await text(page, "#number-note");
    assert.ok(Math.max(...cosines) > 0.6, "this one has a neighbour near in both ways");
    assert.match(note, /hem numarada hem vektörde yakın: kosinüs 0,6/);
    await page.close();
  });

  it("shows what was skipped beside the switches that change it", async () => {
    const page = await open(context);
    await press(page, "#put-nan");
    await press(page, "#oov");
    await page.waitForFunction(() =>
      /1 sözlük dışı konum.*1 sonlu olmayan/.test(document.querySelector("#skipped-now").textContent),
    );
    assert.match(await text(page, "#outside-now"), /1 konum atlandı/);
    await press(page, "#oov");
    await page.waitForFunction(() => document.querySelector("#outside-now").textContent === "");
    await page.close();
  });

  it("glosses Turkish words and samples in English, and says what its vocabulary is", async () => {
    const page = await open(context, { fragment: "lang=en" });
    assert.match(await text(page, ".lead"), /“kedi” \(cat\)/);
    assert.match(await text(page, "#near"), /köpek dog/);
    assert.match(await text(page, "#near"), /kamyon truck/);
    assert.match(await text(page, "#translation"), /the cat is sleeping/);
    await press(page, '[data-preset="4"]');
    await page.waitForFunction(() => /Once upon a time/.test(document.querySelector("#translation").textContent));
    await type(page, "own words");
    assert.equal(await text(page, "#translation"), "");
    assert.match(await text(page, "#s1"), /The vocabulary is Turkish/);
    await page.close();
  });

  it("shows ids and names of rows whole, also of long words", async () => {
    const page = await open(context, { fragment: "m=gerektiği%20muvaffakiyet%20gerektiği" });
    for (const map of ["#output", "#gradient"]) {
      await show(page, `${map} canvas`);
      const rows = await page.$$eval(`${map} .labels li`, (all) =>
        all.map((row) => {
          const id = row.querySelector("small").getBoundingClientRect();
          const box = row.getBoundingClientRect();
          return { id: row.querySelector("small").textContent, whole: id.right <= box.right + 0.5 && id.width > 0 };
        }),
      );
      assert.ok(rows.some((row) => row.id === "6448"));
      for (const row of rows) assert.ok(row.whole, `${map}: ${row.id}`);
    }
    await page.close();
  });

  it("keeps names, navigation and the readout in sight on a phone", async () => {
    const page = await open(context, { width: 390, height: 844, fragment: "d=20" });
    await show(page, "#output canvas");
    const at = await page.evaluate(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      const names = [...document.querySelectorAll("#output .labels b")].filter(
        (one) => one.scrollWidth > one.clientWidth + 1,
      );
      return {
        flow: box(".flow").top,
        shown: getComputedStyle(document.querySelector(".flow a span")).position,
        readout: box("#cell").bottom,
        height: innerHeight,
        cut: names.map((one) => one.textContent),
        bands: [...document.querySelectorAll("#output .band-names span")].map((one) => one.textContent),
      };
    });
    assert.ok(at.flow <= 1, `${at.flow}`);
    assert.equal(at.shown, "static");
    assert.ok(at.readout <= at.height, "the readout is in sight of the map");
    assert.deepEqual(at.cut, []);
    assert.match(at.bands[0], /^d = 0 … \d+$/);
    assert.ok(at.bands.length > 1);
    assert.ok((await sideways(page)) <= 0);
    await page.close();
  });

  it("prints answers open and controls gone, and closes them after", async () => {
    const page = await open(context);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.ok(await page.$$eval("details.ask", (all) => all.length > 3 && all.every((one) => one.open)));
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await page.$$eval("details.ask[open]", (all) => all.length), 0);
    // The rules for paper, as the style sheet has them: a driver of Firefox can't switch the medium.
    const hidden = await page.evaluate(() => {
      const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
      const print = rules.filter((one) => one instanceof CSSMediaRule && one.conditionText === "print");
      const gone = print.flatMap((one) => [...one.cssRules]).filter((one) => one.style?.display === "none");
      return gone.map((one) => one.selectorText).join(", ");
    });
    for (const one of [".top", ".tools", ".play", ".presets", ".range", ".switch", ".go-to"]) {
      assert.ok(hidden.split(/,\s*/).includes(one), `${one} stays off the paper`);
    }
    await page.close();
  });
});
