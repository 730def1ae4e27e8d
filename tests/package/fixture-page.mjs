// A browser with the built package, and one of the scripts of fixtures/ beside it, around the tests of a suite.

import { after, before } from "node:test";
import { launch } from "../../tools/browsers.mjs";
import { serve } from "../../tools/serve.mjs";

/**
 * Opens fixtures/plain/ in this browser, where `globalThis.gomme` is the package, not initialised, and `globalThis.checks` what
 * fixtures/`script` exports. The function that comes back gives the page to a test.
 */
export function fixturePage(name, script) {
  let site;
  let browser;
  let page;
  before(async () => {
    site = await serve(".");
    browser = await launch(name);
    page = await browser.newPage();
    await page.goto(`${site.url}tests/package/fixtures/plain/`);
    await page.evaluate(async (address) => {
      globalThis.gomme = await import("/pkg/gomme.js");
      globalThis.checks = await import(address);
    }, `/tests/package/fixtures/${script}`);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  return () => page;
}
