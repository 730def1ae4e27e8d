// Which section is on the screen, and the way to another, or to a term of the glossary and back.
import { anchorOf, type Visits } from "./address";
import { byId } from "./dom";
import { onPaper } from "./paper";
import { SECTIONS, type State } from "./state";
import { say } from "./views/toast";

/** Ends the way to the section asked for before. */
let endCourse = () => {};

/** Goes to a part of the page, and stays on course while what lies between is laid out for the first time, until the reader moves. */
export function goTo(state: State, id: string, move: boolean): void {
  const part = document.getElementById(id);
  if (!part) return void goOnceThere(state, id, move);
  const smooth = move && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const n = /^s([0-8])$/.exec(id)?.[1];
  if (move) {
    const target = document.getElementById(`h${n}`) ?? part;
    if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
    target.focus({ preventScroll: true });
    target.classList.add("reached");
    setTimeout(() => target.classList.remove("reached"), 2000);
  }
  if (n !== undefined) state.section.value = Number(n);
  stayOnCourse(() => part.scrollIntoView({ behavior: smooth ? "smooth" : "instant" }), move ? 2000 : 8000);
}

/** Scrolls by `go`, and again whenever the page's height changes, for so many milliseconds or until the reader moves. */
function stayOnCourse(go: () => void, milliseconds: number): void {
  endCourse();
  go();
  const observer = new ResizeObserver(go);
  observer.observe(byId("main"));
  const leave = () => observer.disconnect();
  endCourse = leave;
  for (const event of ["wheel", "pointerdown", "keydown", "touchstart"]) {
    addEventListener(event, leave, { once: true, passive: true });
  }
  setTimeout(leave, milliseconds);
}

/** The glossary and what else comes later: its place is there, and going there makes it come. */
async function goOnceThere(state: State, id: string, move: boolean): Promise<void> {
  goTo(state, "glossary", false);
  state.section.value = SECTIONS;
  for (let tries = 0; tries < 100 && !document.getElementById(id); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (document.getElementById(id)) goTo(state, id, move);
}

/** After printing the reader is where they were: what stood at the top of the screen stands there again. */
function stayWhilePrinting(): void {
  let back = () => {};
  const note = () => {
    const part = atTop();
    const [from, top] = [scrollY, part?.getBoundingClientRect().top ?? 0];
    back = () => {
      const far = from < 1 || !part?.isConnected ? from : scrollY + part.getBoundingClientRect().top - top;
      scrollTo({ top: far, behavior: "instant" });
    };
  };
  // Before anything is drawn for paper.
  addEventListener("beforeprint", note, { capture: true });
  addEventListener("afterprint", () => stayOnCourse(back, 1000));
}

/** The first thing below the bars at the top that is small enough to tell a place by. */
function atTop(): Element | undefined {
  for (let y = 100; y < innerHeight; y += 30) {
    const part = document.elementFromPoint(innerWidth / 2, y);
    if (part?.closest("section") && part.clientHeight < innerHeight / 2) return part;
  }
  return undefined;
}

/**
 * Who followed a link in the text finds the way back, by the browser's Back or by the message's button: the link is where it was
 * on the screen.
 */
function wayBack(anchor: HTMLElement): () => void {
  const { top } = anchor.getBoundingClientRect();
  // To a place, not by a distance: in Firefox the latter leaves a smooth scroll under way going.
  const go = () => scrollTo({ top: scrollY + anchor.getBoundingClientRect().top - top, behavior: "instant" });
  return () => {
    stayOnCourse(go, 2000);
    anchor.focus({ preventScroll: true });
  };
}

/** Goes where the address points: to a part of the page that it names, or to the section of its state. */
export function goWhereAsked(state: State): void {
  goTo(state, anchorOf(location) ?? `s${state.section.peek()}`, false);
}

/** The section on the screen is the section in the address; links within the page keep the rest of the address. */
export function followSections(state: State, visits: Visits): void {
  stayWhilePrinting();
  const sections = [...document.querySelectorAll<HTMLElement>("main [id^=s]")].filter((one) => /^s[0-8]$/.test(one.id));
  const visible = new Map<string, number>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) visible.set(entry.target.id, entry.intersectionRect.height);
      const [top] = [...visible].filter(([, tall]) => tall > 0).sort((a, b) => b[1] - a[1]);
      // While it is printed the page is laid out for paper, which nobody scrolls.
      if (top && !onPaper.peek()) state.section.value = Number(top[0].slice(1));
    },
    { threshold: [0, 0.1, 0.3, 0.6, 1], rootMargin: "-80px 0px -45% 0px" },
  );
  for (const section of sections) observer.observe(section);
  document.addEventListener("click", (event) => {
    const anchor = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href^='#']") : null;
    const id = anchor?.getAttribute("href")?.slice(1);
    if (!anchor || !id) return;
    event.preventDefault();
    if (anchor.closest("main")) {
      const back = wayBack(anchor);
      visits.leave(back);
      say(state, { text: () => state.t.value.followed, back });
    }
    goTo(state, id, true);
  });
}
