// What all page tests share: dist/ served on a free port, both browsers with WebGPU, a page that remembers what went wrong,
// and the few things that a reader does again and again.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { browsers, launch } from "../../tools/browsers.mjs";
import { serve } from "../../tools/serve.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
export const dist = process.env.GOMME_DIST ?? `${root}dist`;
export const shots = `${root}shots`;
export const singleFile = pathToFileURL(`${dist}/gomme.html`).href;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

mkdirSync(shots, { recursive: true });

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Runs `define` once for each browser, with a server and a browser of its own. */
export function inBothBrowsers(title, define, { only = browsers, ...options } = {}) {
  for (const name of only) {
    describe(`${title}, ${name}`, { timeout: 600_000 }, () => {
      const context = { name, browser: undefined, url: "" };
      let server;
      before(async () => {
        server = await serve(dist);
        context.url = server.url;
        context.browser = await launch(name, { protocolTimeout: 180_000, ...options });
      });
      after(async () => {
        await context.browser?.close();
        await server?.close();
      });
      define(context);
    });
  }
}

/**
 * Opens the page in a tab of its own; `page.errors` collects console errors and thrown ones, `page.requests` all addresses
 * asked for. `fragment` is the address after #; `prepare` runs in the page before anything else.
 */
export async function open(
  { browser, url },
  { fragment = "", width = 1280, height = 900, address, prepare, ready = true } = {},
) {
  const page = await browser.newPage();
  page.errors = [];
  page.requests = [];
  page.on("console", (message) => {
    if (message.type() === "error") page.errors.push(message.text());
  });
  page.on("pageerror", (error) => page.errors.push(String(error.stack ?? error)));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.setViewport({ width, height });
  if (prepare) await page.evaluateOnNewDocument(prepare);
  await page.goto(`${address ?? url}${fragment ? `#${fragment}` : ""}`, { waitUntil: "load" });
  if (ready) await settled(page);
  return page;
}

/** Waits until the page is ready, its vectors are there or failed, and the last section is drawn. */
export async function settled(page) {
  await page.waitForFunction(
    () =>
      document.documentElement.dataset.state !== "loading" &&
      document.documentElement.dataset.vectors !== "loading" &&
      document.querySelector("#glossary dl") !== null,
    { timeout: 90_000 },
  );
  await quiet(page);
}

/** Waits until the redraws that are under way have been done: nothing changes for two tenths of a second. */
export async function quiet(page, timeout = 20_000) {
  await page.evaluate(
    (most) =>
      new Promise((done) => {
        const end = setTimeout(finish, most);
        let timer = setTimeout(finish, 200);
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(finish, 200);
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
        function finish() {
          clearTimeout(end);
          clearTimeout(timer);
          observer.disconnect();
          done();
        }
      }),
    timeout,
  );
}

/** Text of an element, spaces run together. */
export const text = (page, selector) =>
  page.$eval(selector, (element) => (element.textContent ?? "").replace(/\s+/g, " ").trim());

/** Clicks an element wherever it is on the page, as its own click handler sees it. */
export async function press(page, selector) {
  await page.$eval(selector, (element) => element.click());
}

/** Moves a slider to a value as a hand would. */
export const setRange = (page, selector, value) =>
  page.$eval(
    selector,
    (element, to) => {
      element.value = to;
      element.dispatchEvent(new Event("input"));
    },
    String(value),
  );

/** Brings an element into sight, and waits until what is drawn only when seen is drawn. */
export async function show(page, selector) {
  await page.$eval(selector, (element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
  await quiet(page);
}

/** Replaces the text in the box as a reader would: by selecting all and typing. */
export async function type(page, words) {
  await wholeAgain(page);
  await page.$eval("#text", (element) => {
    element.scrollIntoView({ block: "center", behavior: "instant" });
    element.focus();
    element.select();
  });
  await page.keyboard.type(words);
  await page.waitForFunction((expected) => document.querySelector("#text").value === expected, {}, words);
  await quiet(page);
}

/** Puts a text into the box through a paste event, as the clipboard would. */
export async function paste(page, words) {
  await page.evaluate((content) => {
    const area = document.querySelector("#text");
    area.focus();
    area.select();
    const data = new DataTransfer();
    data.setData("text/plain", content);
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    // Firefox makes the event without the data that it was given.
    if (!event.clipboardData?.getData("text/plain")) Object.defineProperty(event, "clipboardData", { value: data });
    if (!area.dispatchEvent(event)) return;
    area.setRangeText(content, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, words);
}

/** Chips as [piece, id] pairs. */
export const chips = (page) =>
  page.$$eval("#chips .chip", (all) =>
    all.map((chip) => [chip.querySelector(".piece").textContent, Number(chip.getAttribute("data-row"))]),
  );

/** The hits table as rows of numbers by id. */
export const hits = (page) =>
  page.$$eval("#hits-rows tr[data-row]", (rows) =>
    Object.fromEntries(
      rows.map((row) => {
        const number = (selector) => Number(row.querySelector(selector).textContent.replace(/\D/g, ""));
        return [
          row.getAttribute("data-row"),
          { hits: number(".hits"), adds: number(".adds"), retries: number(".retries") },
        ];
      }),
    ),
  );

/** Scrolls through the page so that everything that waits to be seen is drawn. */
export async function tour(page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += 500) {
      scrollTo({ top: y, behavior: "instant" });
      await new Promise((done) => setTimeout(done, 60));
    }
    scrollTo({ top: 0, behavior: "instant" });
  });
  await quiet(page);
}

/** After a change of language or look, figures out of sight come back one a frame; until then nothing in them takes the focus. */
const wholeAgain = (page) => page.waitForFunction(() => !("gentle" in document.documentElement.dataset));

/** Violations that axe-core finds in the page, or in one part of it, as lines. */
export async function violations(page, part) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  await wholeAgain(page);
  return page.evaluate(async (selector) => {
    const found = await globalThis.axe.run(selector ? { include: [selector] } : document, {
      resultTypes: ["violations"],
    });
    return found.violations.flatMap((one) =>
      one.nodes.map((node) => `${one.id} (${one.impact}): ${node.target.join(" ")}: ${node.failureSummary}`),
    );
  }, part);
}

/** Pixels that the page is wider than its window. */
export const sideways = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** In the page: keeps what would have been saved instead of saving it. */
export function keepSaved() {
  const blobs = new Map();
  globalThis.saved = [];
  const make = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    const address = make(blob);
    blobs.set(address, blob);
    return address;
  };
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    if (this.download) globalThis.saved.push({ name: this.download, blob: blobs.get(this.href) });
    else click.call(this);
  };
}

/** Presses an export button and gives what it saved: name, type and bytes. */
export async function exported(page, selector) {
  const before = await page.evaluate(() => globalThis.saved.length);
  await press(page, selector);
  await page.waitForFunction((n) => globalThis.saved.length > n, { timeout: 30_000 }, before);
  const got = await page.evaluate(async () => {
    const { name, blob } = globalThis.saved.at(-1);
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let binary = "";
    for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return { name, type: blob.type, base64: btoa(binary) };
  });
  return { name: got.name, type: got.type, bytes: Buffer.from(got.base64, "base64") };
}

/** No console error, nothing thrown, and nothing asked for but the page's own files. */
export function assertClean(page, origin) {
  assert.deepEqual(page.errors, []);
  const foreign = page.requests.filter((one) => !/^(data|blob):/.test(one) && !one.startsWith(origin));
  assert.deepEqual(foreign, []);
}
