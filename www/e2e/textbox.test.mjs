// The text box: undo after whatever the page did, input methods, odd characters, chips by keys.

import assert from "node:assert/strict";
import { it } from "node:test";
import { assertClean, chips, inBothBrowsers, open, paste, press, quiet, text, type } from "./harness.mjs";

const words = (page) => page.$eval("#text", (area) => area.value);
const pieces = async (page) => (await chips(page)).map(([piece]) => piece);
const keys = async (page, key, ...held) => {
  for (const one of held) await page.keyboard.down(one);
  await page.keyboard.press(key);
  for (const one of held.reverse()) await page.keyboard.up(one);
  await quiet(page);
};

inBothBrowsers("text box", (context) => {
  it("takes back a long paste, and gives it again", async () => {
    const page = await open(context);
    await type(page, "abc");
    const long = "kedi ".repeat(800);
    await paste(page, long);
    await quiet(page);
    assert.equal(await words(page), long);
    await page.focus("#text");
    await keys(page, "z", "Control");
    assert.equal(await words(page), "abc");
    await keys(page, "z", "Control", "Shift");
    assert.equal(await words(page), long);
    await keys(page, "z", "Control");
    await keys(page, "z", "Control");
    assert.notEqual(await words(page), "abc", "what was typed is a step as well");
    assertClean(page, context.url);
    await page.close();
  });

  it("takes back a preset and the dropped rest, by button and by key", async () => {
    const page = await open(context);
    await type(page, "benim metnim");
    await press(page, '[data-preset="2"]');
    await quiet(page);
    assert.match(await words(page), /IŞIK/);
    await press(page, "#undo");
    await quiet(page);
    assert.equal(await words(page), "benim metnim");
    await press(page, '[data-preset="3"]');
    await quiet(page);
    await keys(page, "z", "Control");
    assert.equal(await words(page), "benim metnim");
    const long = "kedi ve köpek ".repeat(3000);
    await paste(page, long);
    await page.waitForFunction(() => !document.querySelector("#note-tail").hidden);
    await press(page, "#drop-tail");
    await page.waitForFunction(() => document.querySelector("#note-tail").hidden);
    await press(page, "#undo");
    await page.waitForFunction(() => !document.querySelector("#note-tail").hidden);
    await page.close();
  });

  it("takes back Reset whole: a long text, settings and all", async () => {
    const page = await open(context, { fragment: "nan=1&k=6&g=ones&s=1" });
    const long = "kedi ve köpek ".repeat(2200);
    await paste(page, long);
    await quiet(page);
    await press(page, "#reset");
    await quiet(page);
    assert.equal(await page.$eval("#put-nan", (e) => e.checked), false);
    await press(page, "#undo");
    await page.waitForFunction(() => document.querySelector("#counts").textContent.includes("30.800"), {
      timeout: 30_000,
    });
    assert.equal(await page.$eval("#put-nan", (e) => e.checked), true);
    assert.equal(await page.$eval("#threads", (e) => e.value), "6");
    assert.equal(await page.$eval("#upstream-ones", (e) => e.checked), true);
    await page.close();
  });

  it("lets an input method compose: nothing touches the box meanwhile, and the word is one step", async () => {
    const page = await open(context);
    await type(page, "a ");
    const composed = await page.evaluate(async () => {
      const area = document.querySelector("#text");
      area.focus();
      const fire = (name, init) =>
        area.dispatchEvent(
          new (name === "input" || name === "beforeinput" ? InputEvent : CompositionEvent)(name, {
            bubbles: true,
            ...init,
          }),
        );
      const seen = [];
      fire("compositionstart");
      for (const part of ["k", "ke", "ked", "kedi"]) {
        fire("beforeinput", { inputType: "insertCompositionText", isComposing: true, data: part });
        area.value = `a ${part}`;
        area.setSelectionRange(area.value.length, area.value.length);
        fire("input", { inputType: "insertCompositionText", isComposing: true, data: part });
        await new Promise((done) => setTimeout(done, 300));
        seen.push(area.value, area.selectionStart);
        const key = new KeyboardEvent("keyup", { key: "ArrowLeft", isComposing: true, bubbles: true });
        area.dispatchEvent(key);
      }
      fire("compositionend", { data: "kedi" });
      return seen;
    });
    assert.deepEqual(composed, ["a k", 3, "a ke", 4, "a ked", 5, "a kedi", 6]);
    await quiet(page);
    assert.deepEqual(await pieces(page), ["▁a", "▁kedi"]);
    await keys(page, "z", "Control");
    assert.equal(await words(page), "a ");
    await page.close();
  });

  it("keeps spans right where lines end in two characters", async () => {
    const page = await open(context);
    await page.evaluate(() => {
      location.hash = "m=kedi%0D%0Akuş%0Dat";
    });
    await quiet(page);
    assert.equal(await words(page), "kedi\nkuş\nat");
    assert.deepEqual(await pieces(page), ["▁kedi", "▁kuş", "▁at"]);
    await press(page, "#tokens [data-export=table]");
    await quiet(page);
    const spans = await page.$$eval("#tokens-table tbody tr", (rows) =>
      rows.map((row) => [...row.querySelectorAll("td")].slice(2).map((cell) => Number(cell.textContent))),
    );
    assert.deepEqual(spans, [
      [0, 4],
      [5, 8],
      [9, 11],
    ]);
    await page.close();
  });

  it("parts words at form feeds and vertical tabs, and shows what would be invisible", async () => {
    const page = await open(context);
    const set = async (value) => {
      await page.$eval(
        "#text",
        (area, to) => {
          area.value = to;
          area.dispatchEvent(new InputEvent("input", { bubbles: true }));
        },
        value,
      );
      await quiet(page);
      return (await pieces(page)).join(" ");
    };
    const usual = await set("sayfa kedi");
    for (const space of ["\f", "\v", "\u2028", "\u2029", "\u0085", "\u001c"]) {
      assert.equal(await set(`sayfa${space}kedi`), usual, `U+${space.codePointAt(0).toString(16)}`);
    }
    assert.match(await set("\u00a8"), /◌\u0308/);
    assert.match(await set("q\u0308"), /◌\u0308/);
    await set("a\u0000b\u0001c");
    assert.equal(await words(page), "a\u0000b\u0001c");
    for (const piece of await pieces(page)) assert.match(piece, /^[\p{L}\p{N}\p{P}\p{S}◌]/u, JSON.stringify(piece));
    assert.deepEqual(page.errors, []);
    await page.close();
  });

  it("has one tab stop for all chips, with arrows between them and over pages", async () => {
    const page = await open(context, { fragment: `m=${"kedi%20ve%20kuş%20".repeat(40)}&s=3` });
    const stops = () => page.$$eval('#chips [tabindex="0"]', (all) => all.map((one) => one.dataset.pos));
    const focused = () => page.evaluate(() => document.activeElement.dataset.pos);
    assert.deepEqual(await stops(), ["3"]);
    await page.focus('#chips [tabindex="0"]');
    await keys(page, "ArrowRight");
    assert.equal(await focused(), "4");
    assert.deepEqual(await stops(), ["4"]);
    await keys(page, "ArrowDown");
    const below = Number(await focused());
    assert.ok(below > 5 && below < 40, `${below}`);
    await keys(page, "ArrowUp");
    assert.ok(Number(await focused()) < 8, "back in the first line");
    await keys(page, "End");
    await page.waitForFunction(() => document.activeElement.dataset.pos === "119");
    await keys(page, "Home");
    await page.waitForFunction(() => document.activeElement.dataset.pos === "0");
    await keys(page, "Tab");
    assert.equal(await page.evaluate(() => document.activeElement.closest("#chips")), null);
    await page.close();
  });

  it("says that there is nothing where the text is empty, and shows nothing of the text before", async () => {
    const page = await open(context);
    await page.waitForFunction(() => !/–/.test(document.querySelector("#half-table").textContent));
    await page.$eval("#text", (area) => {
      area.value = "";
      area.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    await page.waitForFunction(() => !document.querySelector("#note-empty").hidden);
    await quiet(page);
    assert.doesNotMatch(await text(page, "#near"), /köpek/);
    assert.doesNotMatch(await text(page, "#neighbours"), /kedi/);
    assert.doesNotMatch(await text(page, "#halves"), /yerine/);
    assert.doesNotMatch(await text(page, "#cell"), /kedi/);
    assert.doesNotMatch(await text(page, "#writers"), /kedi/);
    assert.match(await text(page, "#near"), /Metin boş/);
    assert.equal(await text(page, "#total-hits"), "0");
    await page.close();
  });
});
