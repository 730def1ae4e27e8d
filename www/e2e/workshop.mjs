// What the workshop's tests share: opening it, putting code into the editor as a reader pastes it, running and reading.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { open, press, quiet, text } from "./harness.mjs";

export const IDS = ["bounds", "nan", "packed", "race", "sum", "free", "fixed"];

const kernel = (name) =>
  readFileSync(fileURLToPath(new URL(`../workshop/kernels/${name}.wgsl`, import.meta.url)), "utf8");
/** The given kernel and its solution, with the marks of their comments, which are comments too. */
export const given = (id) => kernel(id);
export const solution = (id) => kernel(`${id}.solution`);

/** Opens the page at the workshop and waits until code can be run, or read; `keep` leaves what the browser has stored. */
export async function openWorkshop(context, options = {}) {
  const { fragment = "", ready = true, keep = false, ...rest } = options;
  if (!keep) await forget(context);
  const page = await open(context, { ...rest, fragment: `sec=7${fragment ? `&${fragment}` : ""}` });
  await page.waitForSelector("#workshop", { timeout: 60_000 });
  if (ready) await page.waitForFunction(() => document.querySelector("#workshop-run")?.disabled === false);
  await page.waitForSelector(options.plain ? "#workshop-plain" : ".ws-cm");
  await quiet(page);
  return page;
}

/** Drafts and solved marks of the tests before. */
export async function forget({ browser, url }) {
  const page = await browser.newPage();
  await page.goto(`${url}pkg/package.json`);
  await page.evaluate(() => localStorage.clear());
  await page.close();
}

export async function choose(page, id) {
  await press(page, `#exercise-${id}`);
  await quiet(page);
}

/** The code in the editor. */
export const code = (page) =>
  page.evaluate(() => {
    const area = document.querySelector("#workshop-plain");
    if (area) return area.value;
    // The document holds the lines in sight only.
    const content = document.querySelector(".ws-cm").shadowRoot.querySelector(".cm-content");
    return (content.cmTile ?? content.cmView).view.state.doc.toString();
  });

/** Selects all of the code and pastes other code over it. */
export async function write(page, words) {
  await page.evaluate(async (content) => {
    const area = document.querySelector("#workshop-plain");
    if (area) {
      area.value = content;
      area.dispatchEvent(new InputEvent("input", { bubbles: true }));
      return;
    }
    const field = document.querySelector(".ws-cm").shadowRoot.querySelector(".cm-content");
    field.focus();
    const key = { key: "a", code: "KeyA", keyCode: 65, ctrlKey: true, bubbles: true, cancelable: true };
    field.dispatchEvent(new KeyboardEvent("keydown", key));
    const data = new DataTransfer();
    data.setData("text/plain", content);
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    // Firefox makes the event without the data that it was given.
    if (!event.clipboardData?.getData("text/plain")) Object.defineProperty(event, "clipboardData", { value: data });
    field.dispatchEvent(event);
  }, words);
}

/** Runs what is in the editor and waits for the verdict, or for the compiler. */
export async function run(page, timeout = 90_000) {
  await press(page, "#workshop-run");
  await page.waitForFunction(
    () => {
      const button = document.querySelector("#workshop-run");
      return button.classList.contains("go") && !button.disabled;
    },
    { timeout },
  );
  await quiet(page);
}

/** The verdict: its words, whether it is a pass, and which cases failed. */
export const verdict = (page) =>
  page.evaluate(() => {
    const box = document.querySelector("#workshop-verdict");
    return {
      says: document.querySelector("#workshop-told").textContent.replace(/\s+/g, " ").trim(),
      passed: box.classList.contains("ws-pass"),
      failed: [...box.querySelectorAll(".ws-cases .ws-fail")].map((item) => item.dataset.case),
    };
  });

export { text };
