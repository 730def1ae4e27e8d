// Which section is on the screen, and the way to another.
import { fromAddress } from "./address";
import { byId } from "./dom";
import type { State } from "./state";

/** Ends the way to the section asked for before. */
let endCourse = () => {};

/** Goes to a section, and stays on course while what lies between is laid out for the first time, until the reader moves. */
export function goTo(state: State, n: number, move: boolean): void {
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
export function followSections(state: State): void {
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
