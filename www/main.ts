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
  await speak(state);
  const computing = start(state);
  const later = import("./later").then(({ LATER }) => LATER, missing);
  await mount(VIEWS, state);
  await mount(await later, state);
  linkTokens(state);
  followSections(state);
  keepAddress(state);
  if (opened > 0) goTo(state, opened, false);
  await computing;
}

/** Speaks the language that is wanted, or wants the one that is spoken, where its words cannot be had. */
async function speak(state: State): Promise<void> {
  const wanted = state.wanted.peek();
  const come = await loadStrings(wanted).then(
    () => true,
    () => false,
  );
  if (state.wanted.peek() !== wanted) return;
  if (come) state.lang.value = wanted;
  else state.wanted.value = state.lang.peek();
}

/** Where the later sections would be: why they are not. */
function missing(error: unknown): readonly (readonly [string, View])[] {
  const told: View = (container, state) => {
    const note = document.createElement("p");
    note.className = "warnline";
    watch(() => {
      note.textContent = `${state.t.value.failed} ${error instanceof Error ? error.message : String(error)}`;
    });
    container.append(note);
  };
  return [["s4", told]];
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
  root.lang = state.wanted.peek();
  if (state.theme.peek()) root.dataset.theme = state.theme.peek();
  watch(() => {
    // A frame later than the words: each is a layout of its own.
    if (root.lang !== state.lang.value) setTimeout(() => (root.lang = state.lang.peek()), 80);
    document.title = state.t.value.title;
    byId("skip").textContent = state.t.value.skip;
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
  addEventListener("beforeprint", () => {
    for (const one of away.splice(0)) show(one);
    recolour(state);
  });
  addEventListener("afterprint", () => recolour(state));
  watch(() => {
    root.dataset.state = state.phase.value;
    root.dataset.vectors = state.vectors.value;
  });
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
  for (const { one, box } of far) {
    if (away.includes(one)) continue;
    one.style.setProperty("contain-intrinsic-height", `${box.height - 2 * FIGURE_PADDING}px`);
    one.style.setProperty("content-visibility", "hidden");
    away.push(one);
  }
  if (!going && away.length > 0) {
    root.dataset.gentle = "";
    setTimeout(comeBack, 250);
  }
  await Promise.race([frame(), new Promise((done) => setTimeout(done, 100))]);
}

/** `.fig` has this much on each side. */
const FIGURE_PADDING = 8;

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
  document.addEventListener("gomme:lose-device", () => state.engine.peek()?.loseDevice());
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
