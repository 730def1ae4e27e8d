// Section 8 while it trains: how often its figures change, and how long somebody who types meanwhile is kept waiting.
//
//   node bench/training.mjs [chromium] [firefox] [--seconds 6] [--site dist]        (after ./build.sh)
//
// "Figures" are the frames in which the number of steps was another than in the frame before: in a run that nobody disturbs, and
// in one during which somebody types into the text box of section 1, which the page's own kernels answer on the same device. A
// key is answered in the first frame after the text box has it.

import { join } from "node:path";
import { parseArgs } from "node:util";
import { browsers, launch } from "../tools/browsers.mjs";
import { serve } from "../tools/serve.mjs";
import { openTraining } from "../www/e2e/training.mjs";
import { bundled, here } from "./bundled.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { site: { type: "string", default: join(here, "..", "dist") }, seconds: { type: "string", default: "6" } },
});
const { median } = await bundled("statistics.ts");
const KEYS = "kedi köpeğe baktı, köpek kediye; ";

/** In the page: begins to note frames and keys. */
function watch() {
  const steps = document.querySelector("#train-steps");
  const seen = { began: performance.now(), frames: 0, changes: 0, keys: [], gap: 0 };
  let [shown, last] = [steps.textContent, performance.now()];
  let waiting = [];
  document.querySelector("#text").addEventListener("keydown", ({ timeStamp }) => waiting.push(timeStamp));
  function frame() {
    const now = performance.now();
    seen.gap = Math.max(seen.gap, now - last);
    last = now;
    seen.frames += 1;
    if (steps.textContent !== shown) seen.changes += 1;
    shown = steps.textContent;
    const answered = waiting;
    waiting = [];
    const channel = new MessageChannel();
    channel.port1.onmessage = () => seen.keys.push(...answered.map((time) => performance.now() - time));
    channel.port2.postMessage(undefined);
    requestAnimationFrame(frame);
  }
  requestAnimationFrame(frame);
  globalThis.trainingSeen = () => ({ ...seen, seconds: (performance.now() - seen.began) / 1_000 });
}

/** In the page: milliseconds from the button until related words stand apart, as the page's first two charts show. */
async function untilApart() {
  const cosine = (at) => Number(document.querySelector(`[data-pair="${at}"] b`).textContent.replace(",", "."));
  const began = performance.now();
  document.querySelector("#train-go").click();
  while (performance.now() - began < 60_000) {
    await new Promise((done) => requestAnimationFrame(done));
    // kedi ~ köpek, and the first control, kedi ~ ankara.
    if (cosine(0) > 0.5 && cosine(4) < 0.3) return performance.now() - began;
  }
  return Number.NaN;
}

/** A run of the page, with keys or without: what `watch` saw. */
async function run(context, typing) {
  const page = await openTraining(context);
  try {
    await page.$eval("#text", (box) => box.focus({ preventScroll: true }));
    await page.$eval("#train-go", (button) => button.click());
    await page.waitForFunction(() => Number.parseInt(document.querySelector("#train-steps").textContent, 10) > 0);
    await page.evaluate(watch);
    const end = Date.now() + Number(values.seconds) * 1_000;
    for (let i = 0; Date.now() < end; i++) {
      if (typing) await page.keyboard.type(KEYS[i % KEYS.length]);
      await new Promise((done) => setTimeout(done, 80));
    }
    const seen = await page.evaluate(() => globalThis.trainingSeen());
    const rate = (count) => (count / seen.seconds).toFixed(0);
    const when = typing ? "while somebody types" : "undisturbed";
    console.log(
      `${context.name}, ${when}: figures change ${rate(seen.changes)} times a second, in ${rate(seen.frames)} frames; ${seen.gap.toFixed(0)} ms between two frames at most`,
    );
    return seen;
  } finally {
    await page.close();
  }
}

async function measure(name) {
  const browser = await launch(name, { protocolTimeout: 180_000 });
  const server = await serve(values.site);
  try {
    const context = { name, browser, url: server.url };
    await run(context, false);
    const { keys } = await run(context, true);
    console.log(
      `${name}: a key is answered after ${median(keys).toFixed(0)} ms, ${Math.max(...keys).toFixed(0)} at most (${keys.length} keys)`,
    );
    const page = await openTraining(context);
    const apart = await page.evaluate(untilApart);
    console.log(`${name}: kedi ~ köpek above 0.5, kedi ~ ankara below 0.3 after ${(apart / 1_000).toFixed(1)} s`);
  } finally {
    await browser.close();
    await server.close();
  }
}

for (const name of positionals.length > 0 ? positionals : browsers) await measure(name);
