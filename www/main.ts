// Wires state to views: address → state, state → sections, pointer and keys → the token that is lit everywhere.
import { effect } from "@preact/signals-core";
import { watch } from "./dom";
import { forgetColours } from "./draw/scale";
import { start } from "./engine";
import { pause } from "./schedule";
import { choose, createState, fromAddress, keepAddress, type State } from "./state";
import { loadStrings } from "./strings";
import { footView } from "./views/foot";
import { gradientView } from "./views/gradient";
import { heroView } from "./views/hero";
import { hitsView } from "./views/hits";
import { railView } from "./views/rail";
import { repaint } from "./views/token";
import { tokensView } from "./views/tokens";
import { topView } from "./views/top";
import { vectorsView } from "./views/vectors";

type View = (container: HTMLElement, state: State) => void;

const VIEWS: readonly (readonly [string, View])[] = [
  ["top", topView],
  ["rail", railView],
  ["s0", heroView],
  ["s1", tokensView],
  ["s2", vectorsView],
  ["s3", gradientView],
  ["s3", hitsView],
  ["foot", footView],
];

const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
};

async function main(): Promise<void> {
  const state = createState();
  fromAddress(state, location);
  const opened = state.section.peek();
  followState(state);
  watch(() => void loadStrings(state.wanted.value));
  if (state.wanted.peek() !== "tr") await loadStrings(state.wanted.peek());
  const computing = start(state);
  const later = import("./later");
  await mount(VIEWS, state);
  await mount((await later).LATER, state);
  linkTokens(state);
  followSections(state);
  keepAddress(state);
  if (opened > 0) goTo(state, opened, false);
  await computing;
}

/** One section a task: input and painting come first. */
async function mount(views: readonly (readonly [string, View])[], state: State): Promise<void> {
  for (const [id, view] of views) {
    view(byId(id), state);
    await pause();
  }
}

/** What the document itself shows of the state. */
function followState(state: State): void {
  const root = document.documentElement;
  watch(() => {
    root.lang = state.lang.value;
    document.title = state.t.value.title;
    byId("skip").textContent = state.t.value.skip;
  });
  // The theme is set before the drawings that read its colours follow.
  effect(() => {
    if (state.theme.value) root.dataset.theme = state.theme.value;
    else delete root.dataset.theme;
    recolour(state);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => recolour(state));
  addEventListener("beforeprint", () => recolour(state));
  addEventListener("afterprint", () => recolour(state));
  watch(() => {
    root.dataset.state = state.phase.value;
    root.dataset.vectors = state.vectors.value;
  });
}

function recolour(state: State): void {
  forgetColours();
  state.look.value = state.look.peek() + 1;
}

/** One set of listeners for every view: what is tied to a row of the table is hovered, focused and chosen alike. */
function linkTokens(state: State): void {
  const placeOf = (target: EventTarget | null) => {
    const element = target instanceof Element ? target.closest("[data-row]") : null;
    if (!element) return undefined;
    const s = Number(element.getAttribute("data-pos") ?? -1);
    return { s, id: Number(element.getAttribute("data-row")), d: state.column.peek() };
  };
  const over = (event: Event) => {
    if (event instanceof PointerEvent && event.pointerType === "touch") return;
    const place = placeOf(event.target);
    if (!place) return;
    const old = state.hover.peek();
    if (old?.s !== place.s || old.id !== place.id) state.hover.value = place;
  };
  const out = (event: Event) => {
    if (placeOf(event.target)) state.hover.value = undefined;
  };
  document.addEventListener("pointerover", over);
  document.addEventListener("pointerout", out);
  document.addEventListener("focusin", over);
  document.addEventListener("focusout", out);
  document.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (place) choose(state, { s: place.s, id: place.id });
  });
  watch(() => repaint(state));
  // For tests: the device goes as in a driver reset, and the page must go on.
  document.addEventListener("gomme:lose-device", () => state.tools.loseDevice?.());
}

/** Ends the way to the section asked for before. */
let endCourse = () => {};

/** Goes to a section, and stays on course while what lies between is laid out for the first time, until the reader moves. */
function goTo(state: State, n: number, move: boolean): void {
  const section = byId(`s${n}`);
  const smooth = move && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const go = () => section.scrollIntoView({ behavior: smooth ? "smooth" : "instant" });
  go();
  if (move) (document.getElementById(`h${n}`) ?? section).focus({ preventScroll: true });
  state.section.value = n;
  endCourse();
  const observer = new ResizeObserver(go);
  observer.observe(byId("main"));
  const leave = () => observer.disconnect();
  endCourse = leave;
  for (const event of ["wheel", "pointerdown", "keydown", "touchstart"]) {
    addEventListener(event, leave, { once: true, passive: true });
  }
  setTimeout(leave, move ? 2000 : 8000);
}

/** The section on the screen is the section in the address; links to sections keep the rest of the address. */
function followSections(state: State): void {
  const sections = [...document.querySelectorAll<HTMLElement>("main [id^=s]")].filter((one) => /^s[0-8]$/.test(one.id));
  const visible = new Map<string, number>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) visible.set(entry.target.id, entry.intersectionRect.height);
      const [top] = [...visible].filter(([, tall]) => tall > 0).sort((a, b) => b[1] - a[1]);
      if (top) state.section.value = Number(top[0].slice(1));
    },
    { threshold: [0, 0.1, 0.3, 0.6, 1], rootMargin: "-80px 0px -45% 0px" },
  );
  for (const section of sections) observer.observe(section);
  document.addEventListener("click", (event) => {
    const anchor = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href^='#s']") : null;
    const n = Number(/^#s([0-8])$/.exec(anchor?.getAttribute("href") ?? "")?.[1] ?? -1);
    if (n < 0) return;
    event.preventDefault();
    goTo(state, n, true);
  });
  addEventListener("hashchange", () => {
    fromAddress(state, location);
    if (/^#s[0-8]$/.test(location.hash)) goTo(state, state.section.peek(), false);
  });
}

void main();
