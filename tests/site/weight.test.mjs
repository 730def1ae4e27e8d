// What the page loads before its first lookup: nothing from elsewhere, and at most 256 KiB with gzip -9, the vectors aside.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { launch } from "../../tools/browsers.mjs";
import { serve } from "../../tools/serve.mjs";

const limit = 256 * 1024;
const vectors = /\/pkg\/data\/turkish-16k-384\./;

test("the page is light and fetches only its own files", async (t) => {
  const site = await serve("dist");
  const browser = await launch("chromium");
  try {
    const page = await browser.newPage();
    const addresses = new Set();
    page.on("request", (request) => addresses.add(request.url()));
    await page.goto(site.url);
    await page.waitForFunction('performance.getEntriesByName("gomme:first-lookup").length > 0', { timeout: 120_000 });
    const foreign = [...addresses].filter((url) => !url.startsWith(site.url) && !/^(data|blob):/.test(url));
    assert.deepEqual(foreign, []);

    // Whatever was asked for before the page said that its first lookup is on the screen.
    const loaded = await page.evaluate(() => {
      const [mark] = performance.getEntriesByName("gomme:first-lookup");
      const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
      return entries.filter((entry) => entry.startTime <= mark.startTime).map((entry) => entry.name);
    });
    const rows = [...new Set(loaded)]
      .filter((url) => url.startsWith(site.url) && !vectors.test(url) && !url.endsWith("/favicon.ico"))
      .map((url) => new URL(url).pathname)
      .map((path) => (path.endsWith("/") ? `${path}index.html` : path))
      .map((path) => [path, gzipSync(readFileSync(join("dist", path)), { level: 9 }).length]);
    assert.ok(
      rows.some(([path]) => path.endsWith(".wasm")),
      "the wasm was loaded",
    );
    for (const [path, size] of rows.sort((a, b) => b[1] - a[1])) t.diagnostic(`${String(size).padStart(8)} ${path}`);
    const total = rows.reduce((sum, [, size]) => sum + size, 0);
    const wasm = readFileSync("dist/pkg/gomme_bg.wasm");
    const zipped = gzipSync(wasm, { level: 9 }).length;
    t.diagnostic(`report: wasm ${wasm.length} bytes, ${zipped} with gzip -9`);
    t.diagnostic(`report: before the first lookup, vectors aside: ${total} bytes with gzip -9 (limit ${limit})`);
    assert.ok(total <= limit, `${total} bytes are above the limit of ${limit}`);
  } finally {
    await browser.close();
    await site.close();
  }
});
