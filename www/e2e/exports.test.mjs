// What can be taken away: tables, CSV, JSON and pictures of every figure, and everything in one file.

import assert from "node:assert/strict";
import { it } from "node:test";
import { assertClean, exported, inBothBrowsers, keepSaved, open, press, tour } from "./harness.mjs";

/** Figures that have nothing to give before they have been measured. */
const UNMEASURED = /^(cell-contention|contention|race|speed|grow|hurt|kept|workshop|train)/;

inBothBrowsers("exports", (context) => {
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
      // What has not been measured yet has no numbers to give: by a button that can't be pressed, or in words.
      const before = await page.evaluate(() => globalThis.saved.length);
      await press(page, `#${id} [data-export=csv]`);
      const some = page.waitForFunction((n) => globalThis.saved.length > n, { timeout: 1_000 }, before);
      if (!(await some.then(Boolean, () => false))) {
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
    assert.ok(empty.length > 0, "of what was not measured no file is made");
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
});
