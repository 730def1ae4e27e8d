// The text box of section 1: typing, pasting, undo, and the marks of the pieces under its words.
import { effect } from "@preact/signals-core";
import { h, watch } from "../dom";
import { once } from "../schedule";
import { BOX_LIMIT, choose, type State, setText } from "../state";
import { undoOf } from "../undo";
import { say } from "./toast";

/** Pastes from this length on would make the browser lay out megabytes in the box; they are put behind it instead. */
const LONG_PASTE = 4_000;

/** A text area, and under its transparent text a mirror whose highlights mark the pieces. */
export function textBox(state: State): HTMLElement {
  const area = h("textarea", {
    id: "text",
    rows: 2,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    "aria-label": () => state.t.value.s1.text,
  });
  const words = document.createTextNode("");
  const mirror = h("div", { class: "mirror", "aria-hidden": "true", translate: "no" }, words);
  undoOf(state).area = area;
  // At once, not in turn: the next key must find the text that it belongs to.
  effect(() => {
    if (area.value !== state.head.value) area.value = state.head.value;
  });
  watch(() => {
    words.data = `${state.head.value}\u200b`;
    // The box scrolled to its new last line before the mirror had one.
    mirror.scrollTop = area.scrollTop;
  });
  area.addEventListener("scroll", () => {
    mirror.scrollTop = area.scrollTop;
  });
  takeText(area, state);
  takeLongPastes(area, state);
  takeUndoKeys(area, state);
  markPieces(words, state);
  linkCaret(area, state);
  return h("div", { class: "entry" }, mirror, area);
}

/** What is typed goes into the state, and as a step into the history. */
function takeText(area: HTMLTextAreaElement, state: State): void {
  const undo = undoOf(state);
  let selection: [number, number] = [0, 0];
  let composed = false;
  let pastes = 0;
  area.addEventListener("beforeinput", () => {
    selection = [area.selectionStart, area.selectionEnd];
  });
  area.addEventListener("input", (event) => {
    const { inputType = "", isComposing = false } = event as InputEvent;
    // While an input method composes, its word is one step, and nothing may touch the box.
    if (!isComposing || !composed) {
      const single = !/^(insertText|insertCompositionText|delete\w*Backward|delete\w*Forward)$/.test(inputType);
      undo.typing(single ? `${inputType}${pastes++}` : inputType, selection);
    }
    composed = isComposing;
    if (area.value.length <= BOX_LIMIT || isComposing) state.head.value = area.value;
    else overflow();
  });
  area.addEventListener("compositionend", () => {
    composed = false;
    if (area.value.length > BOX_LIMIT) overflow();
  });

  /** What doesn't fit in the box goes in front of the rest behind it. */
  function overflow(): void {
    const caret = area.selectionStart;
    setText(state, area.value + state.tail.peek());
    area.setSelectionRange(caret, caret);
  }
}

function takeLongPastes(area: HTMLTextAreaElement, state: State): void {
  area.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (pasted.length < LONG_PASTE) return;
    event.preventDefault();
    const [from, to] = [area.selectionStart, area.selectionEnd];
    const after = area.value.slice(to) + state.tail.peek();
    undoOf(state).change(() => setText(state, area.value.slice(0, from) + pasted + after));
    const caret = Math.max(
      0,
      Math.min(area.value.length, state.head.peek().length + state.tail.peek().length - after.length),
    );
    area.setSelectionRange(caret, caret);
    say(state, { text: () => state.t.value.textReplaced, undo: true });
  });
}

/** The browser's own undo knows nothing of what the page did to the text, so the page's history serves all keys and menus. */
function takeUndoKeys(area: HTMLTextAreaElement, state: State): void {
  const undo = undoOf(state);
  area.addEventListener("beforeinput", (event) => {
    if (event.inputType !== "historyUndo" && event.inputType !== "historyRedo") return;
    event.preventDefault();
    // A browser sends this to the field that was written in last, wherever the focus and the reader are.
    if (document.activeElement !== area && !inSight(area)) return;
    if (event.inputType === "historyUndo") undo.undo();
    else undo.redo();
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    const at = event.composedPath()[0];
    const elsewhere =
      at !== area && at instanceof Element && at.matches("input:not([type=range]), textarea, [contenteditable]");
    // Outside the box the keys take back what the page did by a button; other fields have a history of their own.
    if (elsewhere || (at !== area && !undo.offered.peek() && key === "z" && !event.shiftKey)) return;
    // What nobody sees change is left alone, unless the message that offers it is there.
    if (at !== area && !inSight(area) && !document.getElementById("undo")) return;
    const done = key === "y" || event.shiftKey ? undo.redo() : undo.undo();
    if (done || at === area) event.preventDefault();
  });
}

function inSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** The pieces as highlights: odd and even ones, the chosen, those of its row, what is pointed at. */
function markPieces(words: Text, state: State): void {
  const marks = once(() => {
    if (!("highlights" in CSS)) return;
    const tokens = state.tokens.peek();
    const length = words.data.length - 1;
    const sets: { [name: string]: Range[] } = { odd: [], even: [], on: [], self: [], hot: [] };
    const [chosen, hover] = [state.chosen.peek(), state.hover.peek()];
    for (let s = 0; tokens && s < tokens.ids.length; s++) {
      const from = tokens.spans[2 * s] ?? 0;
      const to = tokens.spans[2 * s + 1] ?? 0;
      if (from >= length) break;
      if (to <= from || to > length) continue;
      const range = () => {
        const one = new StaticRange({ startContainer: words, startOffset: from, endContainer: words, endOffset: to });
        return one as unknown as Range;
      };
      const id = tokens.ids[s];
      if (chosen?.id === id) sets[chosen?.s === s ? "self" : "on"]?.push(range());
      else if (hover?.id === id) sets.hot?.push(range());
      else sets[s % 2 ? "odd" : "even"]?.push(range());
    }
    for (const [name, ranges] of Object.entries(sets)) {
      const highlight = new Highlight(...ranges);
      highlight.priority = name === "hot" ? 2 : name === "on" || name === "self" ? 1 : 0;
      CSS.highlights.set(`gomme-${name}`, highlight);
    }
  });
  watch(() => {
    state.tokens.value;
    state.chosen.value;
    state.hover.value;
    state.head.value;
    marks();
  });
}

/** The token under the pointer is lit; the one at the caret is chosen once the caret is moved (not while typing). */
function linkCaret(area: HTMLTextAreaElement, state: State): void {
  const tokenAt = (offset: number) => {
    const tokens = state.tokens.peek();
    for (let s = 0; tokens && s < tokens.ids.length; s++) {
      const from = tokens.spans[2 * s] ?? 0;
      if (from > offset) break;
      if (offset < (tokens.spans[2 * s + 1] ?? 0)) return { s, id: tokens.ids[s] ?? 0, d: state.column.peek() };
    }
    return undefined;
  };
  area.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" || event.buttons) return;
    const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const place =
      caret?.offsetNode === area || area.contains(caret?.offsetNode ?? null) ? tokenAt(caret?.offset ?? -1) : undefined;
    if (place?.s !== state.hover.peek()?.s) state.hover.value = place;
  });
  area.addEventListener("pointerleave", () => {
    state.hover.value = undefined;
  });
  area.addEventListener("keyup", (event) => {
    if (event.isComposing) return;
    if (!event.key.startsWith("Arrow") && event.key !== "Home" && event.key !== "End") return;
    const place = tokenAt(area.selectionStart);
    if (place) choose(state, { s: place.s });
  });
  area.addEventListener("click", () => {
    const place = area.selectionStart === area.selectionEnd ? tokenAt(area.selectionStart) : undefined;
    if (place) choose(state, { s: place.s });
  });
}
