// The judge by mutation, in both browsers: wrong answers fail with the case that was made for them, right ones pass.

import assert from "node:assert/strict";
import { it } from "node:test";
import { inBothBrowsers } from "./harness.mjs";
import { choose, IDS, openWorkshop, run, verdict, write } from "./workshop.mjs";
import { MUTANTS } from "./workshop-mutants.mjs";

/** The one case that each given kernel fails; an empty body fails them all. */
const FAULT = { bounds: "partial", nan: "nan", packed: "odd", race: "race", sum: "apart", fixed: "fine" };

inBothBrowsers("judge", (context) => {
  for (const id of IDS) {
    it(`${id}: the given kernel compiles and fails one case; ${MUTANTS[id].wrong.length} wrong answers fail, ${MUTANTS[id].right.length} right ones pass`, async () => {
      const page = await openWorkshop(context);
      await choose(page, id);
      await run(page);
      const first = await verdict(page);
      if (FAULT[id]) assert.deepEqual(first.failed, [FAULT[id]]);
      else assert.equal(first.failed[0], "small");

      const surprises = [];
      for (const [name, found, source] of MUTANTS[id].wrong) {
        await write(page, source);
        await run(page);
        const { passed, failed, says } = await verdict(page);
        const how = /(\d+)\. satırdaki/.test(says) ? "endless" : (failed[0] ?? "rule");
        if (passed || !found.split("|").includes(how))
          surprises.push(`${name}: ${found} was to find it, but ${passed ? "it passed" : how}: ${says}`);
      }
      for (const [name, source] of MUTANTS[id].right) {
        await write(page, source);
        await run(page);
        const { passed, says } = await verdict(page);
        if (!passed)
          surprises.push(
            `${name} is right, but: ${says} ${await page.$eval("#workshop-compiled", (e) => e.parentElement.textContent)}`,
          );
      }
      assert.deepEqual(surprises, []);
      await page.close();
    });
  }
});
