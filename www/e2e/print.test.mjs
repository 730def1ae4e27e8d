// On paper.

import assert from "node:assert/strict";
import { it } from "node:test";
import { inBothBrowsers, open } from "./harness.mjs";

inBothBrowsers("print", (context) => {
  it("prints as a hand-out", async () => {
    const page = await open(context);
    const pdf = Buffer.from(await page.pdf({ format: "A4", printBackground: true }));
    assert.equal(pdf.subarray(0, 5).toString("latin1"), "%PDF-");
    assert.ok(pdf.length > 50_000, `${pdf.length} bytes`);
    assert.equal(await page.$$eval("details.ask[open]", (all) => all.length), 0, "answers are closed again");
    await page.close();
  });
});
