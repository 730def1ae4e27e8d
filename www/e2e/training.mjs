// What the tests of section 8 do again and again.

import { open, press, quiet, text } from "./harness.mjs";

/** The page at section 8, with its pairs there. */
export async function openTraining(context, { fragment = "sec=8", ...options } = {}) {
  const page = await open(context, { fragment, ...options });
  await page.$eval("#s8", (section) => section.scrollIntoView({ behavior: "instant" }));
  await page.waitForFunction(() => document.querySelector("#train-go")?.disabled === false, { timeout: 60_000 });
  await quiet(page);
  return page;
}

const number = (shown) => Number(shown.replaceAll(/[.\s]/g, "").replace(",", ".").replace("−", "-").replace("<", ""));

export const steps = async (page) => number(await text(page, "#train-steps"));

export const untilStep = (page, least) =>
  page.waitForFunction(
    (n) => Number(document.querySelector("#train-steps").textContent.replaceAll(/\D/g, "")) >= n,
    { timeout: 180_000 },
    least,
  );

/** Waits until nothing runs. */
export async function idle(page) {
  await page.waitForFunction(() => document.querySelector("#train-go").classList.contains("go"), { timeout: 180_000 });
  await quiet(page);
}

/** At least so many steps. */
export async function runFor(page, least) {
  await press(page, "#train-go");
  await untilStep(page, least);
  await press(page, "#train-go");
  await idle(page);
}

export const outcome = (page) => page.$eval("#train-outcome", (one) => one.dataset.outcome);

/** What stands on the board: the watched pairs with their cosines, and the loss. */
export async function board(page) {
  const pairs = await page.$$eval(".pair:not([hidden])", (all) =>
    all.map((one) => ({
      name: [...one.querySelector("h4").childNodes]
        .filter((part) => part.nodeName !== "SMALL")
        .map((part) => (part.nodeType === Node.COMMENT_NODE ? "" : part.textContent))
        .join("")
        .trim(),
      control: one.classList.contains("control"),
      cosine: one.querySelector("b").textContent,
    })),
  );
  return {
    names: pairs.map(({ name }) => name),
    controls: pairs.map(({ control }) => control),
    cosines: pairs.map(({ cosine }) => number(cosine)),
    loss: number(await text(page, "#train-loss-now")),
  };
}

/** Readings of the run, as its table on the page has them. */
export async function points(page) {
  const open = await page.$eval("#train [data-export=table]", (one) => one.getAttribute("aria-expanded") === "true");
  if (!open) await press(page, "#train [data-export=table]");
  await quiet(page);
  return page.$$eval("#train-table tbody tr", (rows) =>
    rows.map((row) => {
      const [step, loss, ...cosines] = [...row.children].map((cell) => cell.textContent);
      return { step, loss, cosines };
    }),
  );
}
