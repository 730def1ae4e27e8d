// One token, lit everywhere: pointer, focus and clicks on whatever is tied to a row of the table.
import { watch } from "./dom";
import { choose, type State } from "./state";
import { repaint } from "./views/token";

/** One set of listeners for every view: what is tied to a row of the table is hovered, focused and chosen alike. */
export function linkTokens(state: State): void {
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
