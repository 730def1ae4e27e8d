// Paper: what the page is told before it is printed and afterwards, and what must have come by then. The browser asks for
// the page with `beforeprint` and waits for nothing: whatever has to be fetched is fetched earlier.
import { batch, signal } from "@preact/signals-core";
import { drawNow } from "./schedule";

/** True from `beforeprint` to `afterprint`. */
export const onPaper = signal(false);
/** True from the first `beforeprint` on: printing counts as seeing. */
export const printed = signal(false);

/** CSS pixels of a line on paper: A4 between the margins that print.css sets. Drawings are as wide, whatever the window is. */
export const PAPER_WIDTH = 680;

const fetches: (() => Promise<unknown>)[] = [];

/** Says what paper needs that the reader has not come to yet; `fetch` may be called again, and may fail. */
export function neededOnPaper(fetch: () => Promise<unknown>): void {
  fetches.push(fetch);
}

/** Fetches all of it, one after the other; what can't be had is missing on paper. */
export async function fetchForPaper(): Promise<void> {
  for (const fetch of fetches) await fetch().catch(() => {});
}

/** Milliseconds after the page is ready, in which the reader has the network. */
const CALM = 2_000;

/** Fetches what paper needs once the page has nothing else to do, unless the reader saves data. */
export function fetchWhenIdle(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const start = () => void fetchForPaper();
  setTimeout(() => ("requestIdleCallback" in window ? requestIdleCallback(start) : start()), CALM);
}

/** Calls `before` once everything is drawn for paper, and `after` once the screen's drawings are back. */
export function followPrinting(recolour: () => void, before: () => void, after: () => void): void {
  addEventListener("beforeprint", () => {
    batch(() => {
      onPaper.value = true;
      printed.value = true;
    });
    recolour();
    drawNow();
    before();
    drawNow();
  });
  addEventListener("afterprint", () => {
    onPaper.value = false;
    recolour();
    drawNow();
    after();
  });
}
