// On paper.

import assert from "node:assert/strict";
import { it } from "node:test";
import { inBothBrowsers, open } from "./harness.mjs";

inBothBrowsers("print", (context) => {
  it("prints as a hand-out", async () => {
    // Before the page's own listener, which closes the answers again.
    const page = await open(context, {
      prepare: () =>
        addEventListener("afterprint", () => {
          const answers = [...document.querySelectorAll("details.ask")];
          globalThis.printed = { answers: answers.length, open: answers.filter((one) => one.open).length };
        }),
    });
    const pdf = Buffer.from(await page.pdf({ format: "A4", printBackground: true }));
    assert.equal(pdf.subarray(0, 5).toString("latin1"), "%PDF-");
    assert.ok(pdf.length > 50_000, `${pdf.length} bytes`);
    const { answers, open: opened } = await page.evaluate(() => globalThis.printed);
    assert.ok(answers > 3, `${answers} answers`);
    assert.equal(opened, answers, "all answers are on the paper");
    assert.equal(await page.$$eval("details.ask[open]", (all) => all.length), 0, "answers are closed again");
    await page.close();
  });
});
