// Language, theme and title of the document, and how it changes them without laying out the whole page in one frame.
import { effect } from "@preact/signals-core";
import { byId, watch } from "./dom";
import { forgetColours } from "./draw/scale";
import { followPrinting } from "./paper";
import type { State } from "./state";
import { loadStrings } from "./strings";

/** What the document itself shows of the state. */
export function followLook(state: State): void {
  const root = document.documentElement;
  root.lang = state.wanted.peek();
  if (state.theme.peek()) root.dataset.theme = state.theme.peek();
  watch(() => {
    // A frame after the words, because each causes a layout.
    if (root.lang !== state.lang.value) setTimeout(() => (root.lang = state.lang.peek()), 80);
    document.title = state.t.value.title;
    byId("skip").textContent = state.t.value.skip;
  });
  // Answers close at each Reset, for the next class.
  effect(() => {
    state.resets.value;
    for (const one of document.querySelectorAll<HTMLDetailsElement>("details[open]")) one.open = false;
  });
  // A language is spoken once its words have arrived.
  effect(() => {
    const { value } = state.wanted;
    if (value === state.lang.peek()) return;
    void gently().then(() => speak(state));
  });
  // The theme is set before the drawings that read its colours follow.
  effect(() => {
    const { value } = state.theme;
    if (value === (root.dataset.theme ?? "")) return;
    void gently().then(() => {
      if (value) root.dataset.theme = value;
      else delete root.dataset.theme;
      recolour(state);
    });
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => recolour(state));
  followPrinting(
    () => recolour(state),
    () => {
      // A closed answer is not on paper; an answer key is printed only if it was opened.
      opened = [];
      for (const one of document.querySelectorAll<HTMLDetailsElement>("details.ask")) forPaper(one);
      for (const one of away.splice(0)) show(one);
    },
    () => {
      for (const one of opened ?? []) one.open = false;
      opened = undefined;
    },
  );
  watch(() => {
    root.dataset.state = state.phase.value;
    root.dataset.vectors = state.vectors.value;
    const { gradient, lookup } = state.pending;
    root.dataset.pending = [gradient.value && "gradient", lookup.value && "lookup"].filter(Boolean).join(" ");
  });
}

/** Answers that were opened for paper, while the page is being printed. */
let opened: HTMLDetailsElement[] | undefined;

/** Opens an answer while the page is being printed: a section may come just then, for printing counts as seeing it. */
export function forPaper(answer: HTMLDetailsElement): void {
  if (!opened || answer.open) return;
  answer.open = true;
  opened.push(answer);
}

const away: HTMLElement[] = [];

/**
 * Before a change that touches every element (language, look): figures out of sight sit out style and layout, keeping their
 * room, and come back one a frame, so that no frame has to lay out the whole page.
 */
async function gently(): Promise<void> {
  const root = document.documentElement;
  const boxes = [...document.querySelectorAll<HTMLElement>("main .fig")].map((one) => ({
    one,
    box: one.getBoundingClientRect(),
  }));
  const far = boxes.filter(({ box }) => box.height > 0 && (box.bottom < -100 || box.top > innerHeight + 100));
  const going = away.length > 0;
  const padding = far[0] ? 2 * Number.parseFloat(getComputedStyle(far[0].one).paddingTop) : 0;
  for (const { one, box } of far) {
    if (away.includes(one)) continue;
    one.style.setProperty("contain-intrinsic-height", `${box.height - padding}px`);
    one.style.setProperty("content-visibility", "hidden");
    away.push(one);
  }
  if (!going && away.length > 0) {
    root.dataset.gentle = "";
    setTimeout(comeBack, 250);
  }
  await Promise.race([frame(), new Promise((done) => setTimeout(done, 100))]);
}

function comeBack(): void {
  const one = away.shift();
  if (!one) {
    delete document.documentElement.dataset.gentle;
    return;
  }
  show(one);
  requestAnimationFrame(() => setTimeout(comeBack));
}

function show(figure: HTMLElement): void {
  figure.style.removeProperty("content-visibility");
  figure.style.removeProperty("contain-intrinsic-height");
}

const frame = () => new Promise<unknown>((done) => requestAnimationFrame(done));

function recolour(state: State): void {
  forgetColours();
  state.look.value = state.look.peek() + 1;
}

/** Switches to the requested language; falls back to the current one if its strings fail to load. */
export async function speak(state: State): Promise<void> {
  const wanted = state.wanted.peek();
  const come = await loadStrings(wanted).then(
    () => true,
    () => false,
  );
  if (state.wanted.peek() !== wanted) return;
  if (come) state.lang.value = wanted;
  else state.wanted.value = state.lang.peek();
}
