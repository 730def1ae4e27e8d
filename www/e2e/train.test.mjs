// Section 8 as a reader uses it: a run is started, stopped, taken step by step and again, made to go wrong, on three sources.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertClean,
  chips,
  exported,
  inBothBrowsers,
  keepSaved,
  press,
  quiet,
  show,
  text,
  type,
  violations,
} from "./harness.mjs";
import { board, idle, openTraining, outcome, points, runFor, steps, untilStep } from "./training.mjs";

inBothBrowsers("training", (context) => {
  test("words that belong together come together, controls do not; stop, go on, one step", async (t) => {
    const page = await openTraining(context);
    assert.equal(await outcome(page), "none");
    assert.match(await text(page, "#train-about"), /107\.620 komşu çift.*Zemberek.*Apache-2\.0.*yeniden çeker/);
    await press(page, "#train-go");
    await untilStep(page, 200);
    assert.equal(await text(page, "#train-go"), "Dur");
    await press(page, "#train-go");
    await idle(page);
    const done = await steps(page);
    const { names, controls, cosines, loss } = await board(page);
    t.diagnostic(
      `${context.name}: ${done} steps, loss ${loss}, ${names.map((name, i) => `${name} ${cosines[i]}`).join(", ")}`,
    );
    assert.equal(names.length, 6);
    assert.deepEqual(controls, [false, false, false, false, true, true]);
    assert.equal(names[0], "kedi ~ köpek");
    assert.equal(names[4], "kedi ~ ankara");
    assert.ok(
      cosines.slice(0, 4).every((one) => one > 0.35),
      `${cosines}`,
    );
    assert.ok(cosines[4] < 0.4);
    assert.ok(loss < 1.6 && loss > 0.5);
    assert.equal(await outcome(page), "apart");
    assert.match(await text(page, "#train-outcome"), /tablo ayırt ediyor/);
    // Words by name, before and now.
    const near = await page.$$eval("#train-near-now li span:first-child", (all) => all.map((one) => one.textContent));
    assert.equal(near.length, 5);
    assert.notDeepEqual(
      near,
      await page.$$eval("#train-near-before li span:first-child", (all) => all.map((one) => one.textContent)),
    );
    // Most rows are not touched.
    assert.match(
      await text(page, "#train-touched-say"),
      /24\.576 satır istendi .* 16\.384 satırın yalnız (1\.\d{3}|2\.0\d\d) tanesine düştü\. Kaynakta 2\.014 kelime/,
    );
    assert.equal(await text(page, "#train-go"), "Devam et");
    await press(page, "#train-step");
    await idle(page);
    assert.equal(await steps(page), done + 1);
    // Three numbers of the bundled table are there to compare with.
    assert.match(await text(page, "[data-pair='0'] .said"), /hazır tabloda: 0,9/);
    assertClean(page, context.url);
    await page.close();
  });

  test("the same seed gives the same numbers again, another seed others", async () => {
    const page = await openTraining(context);
    await runFor(page, 24);
    const first = await points(page);
    await press(page, "#train-again");
    await idle(page);
    assert.match(await text(page, "#train-repeat"), /Aynı tohum, aynı sayılar/);
    const again = await points(page);
    const common = again.filter(({ step }) => first.some((one) => one.step === step));
    assert.ok(common.length >= 3);
    for (const one of common)
      assert.deepEqual(
        one,
        first.find(({ step }) => step === one.step),
      );
    await press(page, "#train-seed");
    assert.equal(await text(page, "#train-seed span"), "Tohum 2: Yeni tohum");
    assert.equal(await steps(page), 0);
    await runFor(page, 8);
    const other = await points(page);
    assert.notDeepEqual(other[0].cosines, first[0].cosines);
    assert.equal(await page.$eval("#train-repeat", (one) => one.hidden), true);
    assertClean(page, context.url);
    await page.close();
  });

  test("what goes wrong is one click away, and is told from what was measured", async () => {
    const page = await openTraining(context);
    await press(page, "#train-collapse");
    await idle(page);
    assert.equal(await outcome(page), "collapsed");
    const collapsed = await board(page);
    assert.ok(
      collapsed.cosines.every((one) => one > 0.9),
      `${collapsed.cosines}`,
    );
    assert.ok(collapsed.loss < 4.15, "the loss fell all the same");
    assert.match(await text(page, "#train-outcome"), /en düşüğü bile (0,9\d|1,00)/);
    assert.match(await text(page, "#train-why"), /Düz SGD/);
    assert.equal(await page.$eval("#train-rule-sgd", (one) => one.checked), true);

    await press(page, "#train-large");
    await idle(page);
    assert.ok(["broken", "too-large"].includes(await outcome(page)));
    assert.match(await text(page, "#train-outcome"), /Sayılar taştı|Adım fazla büyük/);
    assert.equal(await text(page, "#train-why"), "");

    await press(page, "#train-restore");
    await quiet(page);
    assert.equal(await page.$eval("#train-rule-adagrad", (one) => one.checked), true);
    assert.equal(await page.$("#train-restore"), null);
    assert.equal(await steps(page), 0);
    assert.equal(await outcome(page), "none");
    assertClean(page, context.url);
    await page.close();
  });

  test("the rate is live, and can break a run", async () => {
    const page = await openTraining(context);
    await press(page, "#train-go");
    await untilStep(page, 12);
    await page.$eval("#train-rate", (input) => {
      input.value = input.max;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await page.waitForFunction(
      () => ["too-large", "broken"].includes(document.querySelector("#train-outcome").dataset.outcome),
      { timeout: 120_000 },
    );
    const said = await text(page, "#train-outcome");
    assert.match(said, /adım büyüklüğü değiştiğinde|Sayılar taştı/i);
    assert.doesNotMatch(said, /başta 4,16/);
    await press(page, "#train-go");
    await idle(page);
    // Its rate was not one: no claim of the same numbers.
    await press(page, "#train-again");
    await idle(page);
    assert.equal(await page.$eval("#train-repeat", (one) => one.hidden), true);
    assertClean(page, context.url);
    await page.close();
  });

  test("the tale and the reader's text", async () => {
    const page = await openTraining(context);
    await press(page, "#train-source-tale");
    await quiet(page);
    assert.match(await text(page, "#train-few"), /farklı parça var\. 200’ün altında/);
    await runFor(page, 60);
    const tale = await board(page);
    assert.equal(tale.names[0], "kedi ~ köpek");
    assert.ok(tale.names.length >= 5);
    assert.ok(tale.loss < 4);

    // Typing goes on while it trains.
    await press(page, "#train-source-text");
    await type(page, "bir elma bir armut iki elma iki armut üç kiraz");
    await press(page, "#train-go");
    await untilStep(page, 8);
    await page.$eval("#text", (area) => {
      area.focus();
      area.select();
    });
    await page.keyboard.type("gökte ay var, yerde yol var");
    await page.waitForFunction(() => document.querySelector("#chips").textContent.includes("gök"));
    assert.ok((await chips(page)).length > 5);
    assert.equal(await text(page, "#train-go"), "Dur");
    await press(page, "#train-go");
    await idle(page);
    assert.match(await text(page, "#train-changed"), /Metin bu eğitimden sonra değişti/);

    // Too little to train on.
    await type(page, "ve");
    assert.match(await text(page, "#train-few"), /yan yana duran iki farklı parça gerek/);
    assert.equal(await page.$eval("#train-go", (one) => one.disabled), true);
    assertClean(page, context.url);
    await page.close();
  });

  test("what was trained is shown by section 2, put back, and taken away as files", async () => {
    const page = await openTraining(context, { prepare: keepSaved });
    const near = () =>
      page.$$eval("#near .near:first-child li span:first-child", (all) => all.map((one) => one.textContent));
    const bundled = await near();
    assert.equal(await page.$eval("#train-show", (one) => one.disabled), true);
    await runFor(page, 120);
    await press(page, "#train-show");
    await show(page, "#s2");
    await page.waitForFunction((old) => document.querySelector("#near .near li")?.textContent !== old, {}, bundled[0]);
    assert.match(await text(page, "#notice-own"), /eğittiğin tablo/);
    await quiet(page);
    const own = await near();
    assert.notDeepEqual(own, bundled);
    // Section 3 carries the gradient of its loss: nothing beyond the trained columns.
    const skipped = () => text(page, "#skipped-zero");
    const before = await skipped();
    await press(page, "#upstream-own");
    await page.waitForFunction((old) => document.querySelector("#skipped-zero").textContent !== old, {}, before);
    assert.notEqual(await skipped(), "0");
    await quiet(page);
    await page.waitForFunction(() => document.querySelector("#hits-check.good"));
    await press(page, "#put-back");
    await page.waitForFunction(() => document.querySelector("#notice-own").hidden);
    await quiet(page);
    assert.deepEqual(await near(), bundled);

    const csv = (await exported(page, "#trained [data-export=csv]")).bytes.toString("utf8").trim().split("\r\n");
    assert.equal(csv.length, 1 + 2_014);
    assert.equal(csv[0].split(",").length, 2 + 64);
    const json = JSON.parse((await exported(page, "#train [data-export=json]")).bytes.toString("utf8"));
    const { rows } = json;
    // Enough to train the same table again, and nothing of a text that it was not trained on.
    assert.deepEqual(
      ["corpus", "words", "seed", "optimizer", "rate", "text"].map((key) => json[key]),
      ["pairs", 2_014, 1, "adagrad", 0.3, undefined],
    );
    assert.equal(json.steps, await steps(page));
    assert.ok(rows.length > 20);
    assert.ok(Math.abs(rows[0].loss - 4.1589) < 1e-3);
    for (const id of ["train-cosines", "train-loss", "train-touched"]) {
      const { bytes } = await exported(page, `#${id} [data-export=png]`);
      assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    }
    assertClean(page, context.url);
    await page.close();
  });

  test("readable by machines in each state, in both languages", async () => {
    for (const lang of ["tr", "en"]) {
      const page = await openTraining(context, { fragment: `sec=8&lang=${lang}` });
      assert.deepEqual(await violations(page, "#s8"), []);
      await press(page, "#train-go");
      await untilStep(page, 8);
      assert.deepEqual(await violations(page, "#s8"), []);
      await press(page, "#train-go");
      await idle(page);
      await press(page, "#train-collapse");
      await idle(page);
      for (const id of ["train", "train-cosines", "train-loss", "train-touched", "train-near", "trained"]) {
        await press(page, `#${id} [data-export=table]`);
      }
      await quiet(page);
      assert.deepEqual(await violations(page, "#s8"), []);
      assertClean(page, context.url);
      await page.close();
    }
  });
});
