// 100 KB of Turkish pasted into the page: milliseconds from the paste event to the painted chips, in headless Chromium.
//
//   node bench/paste.mjs [BYTES] [SAMPLES] [--site dist]        (after ./build.sh)
//
// The paste is the browser's own, from its clipboard. The first frame counts in which the chips show what they show in the end;
// "until nothing changes" is the last frame in which anything of the page did.

import { join } from "node:path";
import { parseArgs } from "node:util";
import { launch } from "../tools/browsers.mjs";
import { serve } from "../tools/serve.mjs";
import { bundled, here } from "./bundled.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { site: { type: "string", default: join(here, "..", "dist") } },
});
const [bytes = 100_000, samples = 9] = positionals.map(Number);
const { prose } = await bundled("text.ts");
const { median } = await bundled("statistics.ts");

/** In the page: notes the frames in which anything changed, with what the chips showed in each. */
function watchPaste() {
  const chips = document.querySelector("#chips");
  const frames = [];
  let pasted;
  let due = false;
  function note(event) {
    pasted = event.timeStamp;
  }
  document.querySelector("#text").addEventListener("paste", note, true);
  const observer = new MutationObserver(() => {
    if (pasted === undefined || due) return;
    due = true;
    requestAnimationFrame(() => {
      // What comes from here on is painted by a later frame.
      due = false;
      const shown = chips.textContent;
      const channel = new MessageChannel();
      // After a frame's callbacks the browser paints; a message sent there comes when it has.
      channel.port1.onmessage = () => frames.push({ at: performance.now() - pasted, shown });
      channel.port2.postMessage(undefined);
    });
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  globalThis.pasteFrames = () => frames;
  globalThis.pasteSettled = () => frames.length > 0 && performance.now() - pasted - frames.at(-1).at > 1_000;
}

async function sample(browser, url, text) {
  const page = await browser.newPage();
  try {
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(`${url}#m=a`, { waitUntil: "load" });
    await page.waitForFunction(
      () => document.documentElement.dataset.vectors !== "loading" && document.querySelector("#glossary dl") !== null,
      { timeout: 90_000 },
    );
    await page.bringToFront();
    await page.evaluate((content) => navigator.clipboard.writeText(content), text);
    await page.$eval("#text", (element) => {
      element.scrollIntoView({ block: "start", behavior: "instant" });
      element.focus();
      element.select();
    });
    await new Promise((done) => setTimeout(done, 1_000));
    await page.evaluate(watchPaste);
    const session = await page.createCDPSession();
    await session.send("Input.dispatchKeyEvent", { type: "keyDown", key: "v", modifiers: 2, commands: ["paste"] });
    await page.waitForFunction(() => globalThis.pasteSettled(), { timeout: 60_000, polling: 100 });
    const [frames, chips, length] = await page.evaluate(() => [
      globalThis.pasteFrames(),
      document.querySelectorAll("#chips .chip").length,
      document.querySelector("#text").value.length,
    ]);
    const { shown } = frames.at(-1);
    return { first: frames.find((frame) => frame.shown === shown)?.at, settled: frames.at(-1)?.at, chips, length };
  } finally {
    await page.close();
  }
}

const text = prose(bytes);
const server = await serve(values.site);
const browser = await launch("chromium");
const seen = [];
try {
  await browser
    .defaultBrowserContext()
    .overridePermissions(new URL(server.url).origin, ["clipboard-read", "clipboard-sanitized-write"]);
  for (let i = 0; i < samples; i++) seen.push(await sample(browser, server.url, text));
} finally {
  await browser.close();
  await server.close();
}
const spread = (all) =>
  `${median(all).toFixed(0)} ms (${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)})`;
const [{ chips, length }] = seen;
console.log(`${bytes} bytes pasted ${samples} times into a page of headless Chromium; ${length} characters in the box`);
console.log(`from the paste event to the painted chips (${chips} of them): ${spread(seen.map(({ first }) => first))}`);
console.log(`from the paste event until nothing changes any more:  ${spread(seen.map(({ settled }) => settled))}`);
