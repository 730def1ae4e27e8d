// The page in all its states: links, languages, themes, widths, exports, without WebGPU, with the device lost, without
// vectors, from disk, with megabytes pasted in, in print, by keyboard alone; and axe-core in each.

import assert from "node:assert/strict";
import { it } from "node:test";
import {
  assertClean,
  chips,
  exported,
  hits,
  inBothBrowsers,
  keepSaved,
  open,
  paste,
  press,
  quiet,
  setRange,
  settled,
  show,
  sideways,
  singleFile,
  text,
  tour,
  type,
  violations,
  wait,
} from "./harness.mjs";

const SECTIONS = ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "corrections", "lesson", "glossary"];

/** Figures that have nothing to give before they have been measured. */
const UNMEASURED = /^(race|speed|grow|hurt|kept|workshop)/;

/** Everything that a link must bring back. */
const look = (page) =>
  page.evaluate(() => {
    const content = (selector) => document.querySelector(selector)?.textContent?.replace(/\s+/g, " ").trim();
    return {
      text: document.querySelector("#text").value,
      chips: content("#chips"),
      cell: content("#cell"),
      sum: content("#cell-sum"),
      skipped: content("#skipped").replace(/\d+ (?=yeniden)/, ""),
      told: content("#told"),
      threads: document.querySelector("#threads").value,
      repeats: document.querySelector("#repeats").value,
      n: document.querySelector("#speed-n").value,
      skew: document.querySelector("#speed-skew").value,
      lang: document.documentElement.lang,
      theme: document.documentElement.dataset.theme ?? "",
    };
  });

inBothBrowsers("states", (context) => {
  it("fits a narrow screen before its drawings were in sight, and draws any text into a picture", async () => {
    const page = await open(context, { width: 320, prepare: keepSaved });
    assert.ok((await sideways(page)) <= 0, `${await sideways(page)} px too wide`);
    await page.$eval("#text", (area) => {
      area.value = "kedi \uffff \ufffe \u0001 <b>&amp;";
      area.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    await quiet(page);
    const { bytes } = await exported(page, "#tokens [data-export=png]");
    assert.equal(bytes.subarray(1, 4).toString("latin1"), "PNG");
    assertClean(page, context.url);
    await page.close();
  });

  it("opens a copied link in the same state, and resets to the first one", async () => {
    const page = await open(context);
    const first = await look(page);
    await type(page, "İstanbul’da kedi, Ankara’da kedi ☕");
    for (const id of ["#lang-en", "#theme-dark", "#put-nan", "#oov"]) await press(page, id);
    await quiet(page);
    await press(page, '#chips [data-pos="3"]');
    await setRange(page, "#threads", 6);
    await setRange(page, "#step-range", 9);
    await setRange(page, "#repeats", 4);
    await setRange(page, "#speed-n", 1);
    await setRange(page, "#speed-skew", 0.4);
    await press(page, "#reseed");
    await quiet(page);
    await wait(400);
    const before = await look(page);
    const address = await page.evaluate(() => location.href);
    assert.notEqual(before.text, first.text);
    assert.ok(address.includes("#") && !address.includes("?"), "the text stands after #, where no server sees it");
    const other = await open(context, { address });
    assert.deepEqual(await look(other), before);
    await other.close();

    await page.evaluate(() => {
      globalThis.copied = undefined;
      Object.defineProperty(navigator, "clipboard", {
        configurable: true,
        value: { writeText: async (words) => (globalThis.copied = words) },
      });
    });
    await press(page, "#copy-link");
    await quiet(page);
    assert.equal(await page.evaluate(() => globalThis.copied), address);
    assert.match(await text(page, "#toast"), /Copied/);

    await press(page, "#lang-tr");
    await press(page, "#theme-system");
    await press(page, "#reset");
    await quiet(page);
    const again = await look(page);
    assert.deepEqual({ ...again, cell: "" }, { ...first, cell: "" });
    assertClean(page, context.url);
    await page.close();
  });

  it("goes to the section of a link and keeps the section in the address", async () => {
    const page = await open(context, { fragment: "sec=5" });
    await page.waitForFunction(
      () => Math.abs(document.querySelector("#s5").getBoundingClientRect().top) < innerHeight / 2,
    );
    await page.evaluate(() => document.querySelector('.flow a[href="#s3"]').click());
    await page.waitForFunction(() => /sec=3/.test(location.hash), { timeout: 10_000 });
    assert.equal(await page.evaluate(() => document.activeElement.id), "h3");
    await page.waitForFunction(() => document.querySelector(".flow [aria-current]")?.getAttribute("href") === "#s3");
    await page.close();
  });

  it("speaks Turkish first and English by one click, in every section", async () => {
    const page = await open(context);
    await tour(page);
    const titles = () =>
      page.$$eval("main h1, main h2, main h3, summary, button", (all) =>
        all.map((e) => e.textContent.trim()).filter(Boolean),
      );
    const turkish = await titles();
    assert.equal(await page.$eval("html", (e) => e.lang), "tr");
    await press(page, "#lang-en");
    await page.waitForFunction(() => document.documentElement.lang === "en");
    await quiet(page);
    const english = await titles();
    assert.match(await page.title(), /how does a word/i);
    assert.match(await text(page, "h1"), /How does a word/);
    assert.match(await text(page, "#counts"), /tokens/);
    // Letters that only Turkish words have; the reader's own text and the words that the lesson is about are not the page's.
    const left = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
      const found = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.parentElement.closest(".piece, .mirror, .split b, .presets, .gloss i, .lead, textarea, .word"))
          continue;
        if (/[ğşçöü]|\b(konum|sat[ıi]r|hücre|token’)/i.test(node.data)) found.push(node.data.trim());
      }
      return found;
    });
    const meant = /kedi|köpek|“ve”|İ and i|▁ve|▁bahçe|I and ı|Gömme/;
    assert.deepEqual(
      left.filter((one) => !meant.test(one)),
      [],
    );
    assert.ok(english.filter((one) => turkish.includes(one)).length < english.length / 2);
    await press(page, "#lang-tr");
    await quiet(page);
    assert.deepEqual(await titles(), turkish);
    assertClean(page, context.url);
    await page.close();
  });

  it("has a light and a dark look, and follows the system otherwise", async () => {
    const page = await open(context);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const pixel = () =>
      page.$eval("#path canvas", (canvas) => [...canvas.getContext("2d").getImageData(0, 0, 20, 1).data].join());
    await press(page, "#theme-light");
    await quiet(page);
    const [light, lightPixel] = [await ground(), await pixel()];
    await press(page, "#theme-dark");
    await quiet(page);
    assert.notEqual(await ground(), light);
    assert.notEqual(await pixel(), lightPixel, "canvases are drawn in the colours of the theme");
    await press(page, "#theme-system");
    await quiet(page);
    if (context.name === "chromium") {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
      await quiet(page);
      assert.equal(await ground(), light);
      assert.equal(await pixel(), lightPixel);
    }
    await page.close();
  });

  it("fits from 360 to 2,560 px without sideways scroll, long words included", async () => {
    const page = await open(context, {
      fragment: `m=${encodeURIComponent(`${"Muvaffakiyetsizleştiricileştiriveremeyebileceklerimizdenmişsinizcesine ".repeat(3)}☕👩‍👩‍👧`)}`,
    });
    for (const width of [360, 768, 1024, 1280, 2560]) {
      for (const lang of ["tr", "en"]) {
        await page.setViewport({ width, height: 800 });
        await press(page, `#lang-${lang}`);
        await tour(page);
        assert.ok((await sideways(page)) <= 0, `${width} px, ${lang}: ${await sideways(page)} px too wide`);
      }
    }
    await page.close();
  });

  it("gives every view as a table, CSV, JSON and PNG", async () => {
    const page = await open(context, { prepare: keepSaved });
    await tour(page);
    const figures = await page.$$eval(".fig[data-testid]", (all) => all.map((e) => e.id));
    assert.ok(figures.length >= 14, figures.join());
    const empty = [];
    for (const id of figures) {
      const table = await page.$(`#${id} [data-export=table]`);
      if (table) {
        await press(page, `#${id} [data-export=table]`);
        await page.waitForSelector(`#${id} .data table`);
        await press(page, `#${id} [data-export=table]`);
      } else assert.ok(await page.$(`#${id} table`), `${id} is a table itself`);
      // What has not been measured yet has no numbers to give, and says so by a button that can't be pressed.
      if (await page.$eval(`#${id} [data-export=csv]`, (e) => e.disabled)) {
        empty.push(id);
        continue;
      }
      const csv = await exported(page, `#${id} [data-export=csv]`);
      assert.equal(csv.name, `gomme-${id}.csv`);
      const lines = csv.bytes.toString("utf8").replace("\ufeff", "").trim().split("\r\n");
      assert.match(lines[0], /^[a-z0-9_]+(,[a-zA-Z0-9_]+)+$/);
      assert.ok(lines.length > 1, `${id} is not empty`);
      const json = JSON.parse((await exported(page, `#${id} [data-export=json]`)).bytes.toString("utf8"));
      assert.equal(json.figure, id);
      assert.equal(json.rows.length, lines.length - 1);
    }
    assert.ok(empty.includes("speed"), "of what was not measured no file is made");
    assert.deepEqual(
      empty.filter((id) => !UNMEASURED.test(id)),
      [],
    );
    const wires = (await exported(page, "#wires [data-export=csv]")).bytes.toString("utf8");
    assert.match(wires, /6754,▁kedi,2,0 6/);
    assert.match(wires, /321,▁ve,1,1\r/, "where one position writes, it is named as well");
    for (const id of ["tokens", "output", "wires", "hits", "stepper", "halves"]) {
      const png = await exported(page, `#${id} [data-export=png]`);
      assert.equal(png.bytes.subarray(1, 4).toString("latin1"), "PNG");
      assert.ok(png.bytes.readUInt32BE(16) > 600, "as wide as on the page, twice as dense");
      assert.ok(png.bytes.length > 8_000, `${id}: ${png.bytes.length} bytes is no picture`);
    }
    const output = JSON.parse((await exported(page, "#output [data-export=json]")).bytes.toString("utf8"));
    assert.equal(Object.keys(output.rows[0]).length, 3 + 384);
    const all = JSON.parse((await exported(page, "#export-all")).bytes.toString("utf8"));
    assert.deepEqual(all.tokens.ids.slice(0, 2), [6754, 321]);
    assert.equal(all.output.rows.length, 8);
    assert.equal(all.output.rows[0].length, 384);
    assert.equal(all.gradient.grad.length, 7);
    assert.equal(all.settings.k, null);
    for (const id of figures) assert.ok(id in all.figures, id);
    assert.ok(all.figures.stepper.length > 0);
    assertClean(page, context.url);
    await page.close();
  });

  it("can be used by keyboard alone", async () => {
    const page = await open(context);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "skip");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "h1");
    const until = async (match, most = 60) => {
      for (let i = 0; i < most; i++) {
        await page.keyboard.press("Tab");
        const at = await page.evaluate(() => {
          const e = document.activeElement;
          return `${e.localName}#${e.id}.${e.className} ${e.closest(".fig")?.id ?? ""}`;
        });
        if (match.test(at)) return at;
      }
      assert.fail(`Tab never came to ${match}`);
    };
    await until(/textarea#text/);
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.type("kuş köpek");
    await quiet(page);
    assert.equal((await chips(page)).length, 2);
    await until(/button#\.chip/);
    await page.keyboard.press("ArrowRight");
    await quiet(page);
    assert.match(await text(page, "#held"), /▁köpek/);
    await until(/canvas#\. output/);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await quiet(page);
    assert.match(await text(page, "#cell"), /i1eleman/);
    await until(/input#upstream/);
    await page.keyboard.press("ArrowRight");
    await quiet(page);
    await until(/button#step-play/);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await quiet(page);
    assert.match(await text(page, "#told"), /okudu/);
    const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(ring, "solid", "focus is visible");
    await until(/button#race-go/);
    await until(/input#speed-n/);
    await page.close();
  });

  it("is clean for axe-core in every section, open and closed, in both looks and languages", async () => {
    const page = await open(context, { fragment: "nan=1&oov=1&theme=light" });
    await tour(page);
    assert.deepEqual(await violations(page), [], "first look");
    await page.evaluate(() => {
      for (const one of document.querySelectorAll("[data-export=table]")) one.click();
      for (const one of document.querySelectorAll("details")) one.open = true;
    });
    await press(page, "#race-go");
    await press(page, "#measure-contention");
    await press(page, "#measure-cell");
    await page.waitForFunction(() => document.querySelector("#race-note").textContent !== "", { timeout: 120_000 });
    await quiet(page);
    for (const section of SECTIONS) assert.deepEqual(await violations(page, `#${section}`), [], section);
    await press(page, "#theme-dark");
    await press(page, "#lang-en");
    await page.setViewport({ width: 360, height: 800 });
    await tour(page);
    assert.deepEqual(await violations(page), [], "dark, English, 360 px");
    await page.close();
  });

  it("works on the CPU twin without WebGPU, says so, why, and what to do", async () => {
    const page = await open(context, {
      prepare: () => Object.defineProperty(Navigator.prototype, "gpu", { configurable: true, get: () => undefined }),
    });
    assert.equal(await page.$eval("html", (e) => e.dataset.state), "ready");
    assert.equal(await page.$eval("html", (e) => e.dataset.vectors), "ready");
    assert.match(await text(page, "#adapter"), /İşlemci ikizi/);
    assert.match(await text(page, "#badge"), /no-webgpu/);
    assert.match(await text(page, "#badge"), context.name === "firefox" ? /about:config/ : /donanım hızlandırma/);
    assert.equal((await hits(page))[6754].hits, 2);
    assert.match(await text(page, "#hits-check"), /İşlemci ikizinin saydığı/);
    assert.match(await text(page, "#near"), /▁köpek0,915/);
    await press(page, "#race-go");
    await page.waitForFunction(() => document.querySelector("#race-note").textContent !== "", { timeout: 120_000 });
    assert.match(await text(page, "#race-note"), /tek işçi/);
    await press(page, "#speed-go");
    await page.waitForSelector("#speed-go:not(.go)");
    await page.waitForSelector("#speed-go.go", { timeout: 180_000 });
    assert.match(await text(page, "#software-note"), /işlemcide ölçüldü/);
    await page.$eval("#badge", (e) => (e.open = true));
    assert.deepEqual(await violations(page), []);
    assertClean(page, context.url);
    await page.close();
  });

  it("goes on after the device is lost in the middle, and says so", async () => {
    const page = await open(context);
    await page.evaluate(() => document.dispatchEvent(new CustomEvent("gomme:lose-device")));
    await page.waitForFunction(() => !document.querySelector("#notice-lost").hidden, { timeout: 60_000 });
    await quiet(page);
    assert.match(await text(page, "#notice-lost"), /Yenisi kuruldu/);
    await type(page, "kuş kuş kuş");
    await page.waitForFunction(() => document.querySelector("#total-hits").textContent === "3", { timeout: 60_000 });
    assert.equal((await page.$("#hits-check.good")) !== null, true);
    await page.waitForFunction(() => /▁kuş/.test(document.querySelector("#cell").textContent));
    assert.match(await text(page, "#cell"), /0,\d{5}/);
    assert.equal(await page.$eval("#notice-failed", (e) => e.hidden), true);
    assert.deepEqual(await violations(page, "#s0"), []);
    await page.close();
  });

  it("opens from disk in one file without a network, with every section at work", async () => {
    const page = await open(context, { address: singleFile });
    assert.equal(await page.$eval("html", (e) => e.dataset.vectors), "ready");
    assert.equal((await hits(page))[6754].adds, 768);
    assert.match(await text(page, "#near"), /▁köpek0,915/);
    await press(page, "#lang-en");
    await page.waitForFunction(() => document.documentElement.lang === "en");
    await type(page, "kedi kedi kedi");
    await page.waitForFunction(() => document.querySelector("#total-hits").textContent === "3");
    await wait(400);
    assert.match(await page.evaluate(() => location.hash), /m=kedi/);
    await press(page, "#step-forward");
    await quiet(page);
    assert.match(await text(page, "#told"), /Thread 0 has read/);
    await press(page, "#race-go");
    await page.waitForFunction(() => document.querySelector("#race-note").textContent !== "", { timeout: 120_000 });
    assert.deepEqual(page.errors, []);
    const asked = page.requests.filter((one) => !/^(data|blob):/.test(one) && one.split("#")[0] !== singleFile);
    assert.deepEqual(asked, [], "nothing is asked for");
    await page.close();
  });

  it("reads 5 MB of pasted text without blocking, and says what part it shows", async () => {
    const page = await open(context);
    const words = ["kedi", "köpek", "ve", "bahçede", "İstanbul’da", "uyuyor", "2024", "güneş", "fındık", ","];
    let long = "";
    for (let i = 0; long.length < 5_000_000; i++) long += `${words[(i * 7 + ((i * i) % 5)) % words.length]} `;
    await page.evaluate(() => {
      globalThis.gaps = [];
      let last = performance.now();
      globalThis.beat = setInterval(() => {
        globalThis.gaps.push(performance.now() - last);
        last = performance.now();
      }, 10);
    });
    await paste(page, long);
    await page.waitForFunction(() => !document.querySelector("#note-tail").hidden, { timeout: 60_000 });
    await page.waitForFunction(
      () => document.querySelector("#note-reading").hidden && !document.querySelector("#note-limited").hidden,
      { timeout: 120_000 },
    );
    const longest = await page.evaluate(() => {
      clearInterval(globalThis.beat);
      return Math.max(...globalThis.gaps);
    });
    console.log(`5 MB in ${context.name}: the longest pause of the page was ${longest.toFixed(0)} ms`);
    assert.ok(longest < 2_000, `the page stood still for ${longest} ms`);
    assert.match(await text(page, "#note-limited"), /kernellere ilk 8\.192/);
    assert.match(await text(page, "#note-tail"), /ilk 16\.384 karakteri/);
    assert.match(await text(page, "#counts"), /^5\.\d{3}\.\d{3} karakter N = 1\.\d{3}\.\d{3} token/);
    await page.waitForFunction(() => document.querySelector("#total-hits").textContent === "8.192", {
      timeout: 60_000,
    });
    await press(page, "#drop-tail");
    await page.waitForFunction(() => document.querySelector("#note-tail").hidden);
    await press(page, '[data-preset="0"]');
    await page.waitForFunction(() => document.querySelectorAll("#chips .chip").length === 8, { timeout: 30_000 });
    assert.deepEqual(page.errors, []);
    await page.close();
  });

  it("stays smooth with 20,000 tokens: windows, an aggregate, and both say so", async () => {
    const page = await open(context);
    await paste(page, "kedi ve köpek bahçede, kedi uyuyor ".repeat(2500));
    await page.waitForFunction(() => document.querySelector("#counts").textContent.includes("N = 20.000"), {
      timeout: 60_000,
    });
    await page.waitForFunction(() => document.querySelector("#total-hits").textContent === "8.192", {
      timeout: 60_000,
    });
    assert.equal((await chips(page)).length, 96);
    await show(page, "#output");
    assert.equal(await page.$$eval("#output .labels ol:first-child li", (all) => all.length), 24);
    await page.$eval("#tokens .pager button:last-child", (e) => e.click());
    await quiet(page);
    assert.match(await text(page, "#tokens .pager"), /96–191 \/ 8\.192/);
    await show(page, "#output");
    assert.match(await text(page, "#output .labels"), /^96/);
    const start = Date.now();
    await page.$eval("#text", (e) => {
      e.focus();
      e.setSelectionRange(0, 0);
    });
    await page.keyboard.type("abc ");
    await page.waitForFunction(() => document.querySelector("#text").value.startsWith("abc "));
    assert.ok(Date.now() - start < 5_000, "typing goes on");
    assert.deepEqual(page.errors, []);
    await page.close();
  });

  it("keeps lone surrogates, empty text and texts without a space", async () => {
    const page = await open(context);
    await page.$eval("#text", (e) => {
      e.value = "a\ud800b \udfff";
      e.dispatchEvent(new InputEvent("input"));
    });
    await quiet(page);
    assert.match((await chips(page)).map(([piece]) => piece).join(" "), /EF BF BD/);
    await page.$eval("#text", (e) => {
      e.value = "";
      e.dispatchEvent(new InputEvent("input"));
    });
    await page.waitForFunction(() => !document.querySelector("#note-empty").hidden);
    assert.equal(await text(page, "#total-hits"), "0");
    assert.equal((await chips(page)).length, 0);
    await paste(page, "a".repeat(200_000));
    await page.waitForFunction(() => !document.querySelector("#note-cuts").hidden, { timeout: 60_000 });
    assert.deepEqual(page.errors, []);
    await page.close();
  });

  it("prints as a hand-out", async () => {
    const page = await open(context);
    await page.emulateMediaType("print").catch(() => {});
    if (context.name === "chromium") {
      const gone = await page.$$eval(".top, .rail, .tools, .play, .presets", (all) =>
        all.every((e) => getComputedStyle(e).display === "none"),
      );
      assert.ok(gone, "controls stay off the paper");
      assert.ok(await page.$eval("#questions", (e) => e.getBoundingClientRect().height > 0));
      const pdf = await page.pdf({ format: "A4", printBackground: true });
      assert.ok(pdf.length > 50_000);
    }
    await page.close();
  });
});

inBothBrowsers(
  "while things load or fail",
  (context) => {
    it("shows tokens, gradient and hits while the vectors are on their way, and when they never come", async () => {
      const page = await context.browser.newPage();
      page.errors = [];
      let release;
      const held = new Promise((done) => (release = done));
      await page.setRequestInterception(true);
      page.on("request", async (request) => {
        if (/\.i8$/.test(request.url())) {
          await held;
          await request.abort();
        } else await request.continue();
      });
      await page.goto(context.url, { waitUntil: "load" });
      await page.waitForFunction(() => document.documentElement.dataset.state === "ready", { timeout: 60_000 });
      await page.waitForFunction(() => document.querySelector("#total-hits")?.textContent === "8", { timeout: 30_000 });
      assert.equal(await page.$eval("html", (e) => e.dataset.vectors), "loading");
      assert.equal(await page.$eval("#vectors-progress", (e) => e.hidden), false);
      assert.equal((await chips(page)).length, 8);
      assert.deepEqual(await violations(page, "#main"), []);
      release();
      await page.waitForFunction(() => document.documentElement.dataset.vectors === "failed", { timeout: 60_000 });
      await quiet(page);
      assert.equal(await page.$eval("#notice-vectors", (e) => e.hidden), false);
      await type(page, "kedi kedi");
      await page.waitForFunction(() => document.querySelector("#total-hits").textContent === "2");
      await settled(page);
      assert.deepEqual(await violations(page, "#main"), []);
      await page.close();
    });

    it("speaks Turkish where English cannot be had, and says which sections are missing", async () => {
      for (const [file, fragment] of [
        [/\/en-\w+\.js$/, "lang=en"],
        [/\/later-\w+\.js$/, ""],
      ]) {
        const page = await context.browser.newPage();
        const thrown = [];
        page.on("pageerror", (error) => thrown.push(String(error)));
        await page.setRequestInterception(true);
        page.on("request", (request) => (file.test(request.url()) ? request.abort() : request.continue()));
        await page.goto(`${context.url}#${fragment}`, { waitUntil: "load" });
        await page.waitForFunction(() => document.documentElement.dataset.state === "ready", { timeout: 60_000 });
        await page.waitForFunction(() => document.querySelector("#s4")?.textContent !== "", { timeout: 30_000 });
        await quiet(page);
        assert.equal(await page.$eval("html", (element) => element.lang), "tr");
        if (fragment) await press(page, "#lang-en");
        else assert.match(await text(page, "#s4 .warnline"), /later-/);
        await quiet(page);
        assert.equal((await chips(page)).length, 8);
        assert.deepEqual(thrown, []);
        await page.close();
      }
    });
  },
  { only: ["chromium"] },
);
