// One mark for a token everywhere: the piece with its ▁ in grey, its id, and the data that links views to each other.
import { untracked } from "@preact/signals-core";
import { h, type Kid } from "../dom";
import type { State } from "../state";

/** A byte piece `<0xE2>` as its two hex digits. */
export function byteOf(piece: string): string | undefined {
  return /^<0x([0-9A-F]{2})>$/.exec(piece)?.[1];
}

/** Characters that would be invisible, spelled out; marks without a letter on a dotted circle. */
export function visible(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, (c) => {
      const code = (c.codePointAt(0) ?? 0).toString(16);
      return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
    })
    .replace(/^(▁?)(?=\p{M})/u, "$1\u25cc");
}

/** The piece of an id; "" outside the vocabulary and before there is a tokenizer. */
export function pieceOf(state: State, id: number): string {
  return state.engine.value?.piece(id) ?? "";
}

export function pieceText(state: State, id: number, piece: string): string {
  if (id >= state.vocabSize.peek()) return "⌀";
  return byteOf(piece) ?? visible(piece);
}

/** The piece as it is shown in every view. */
export function pieceMark(state: State, id: number, piece: string): Kid {
  const text = pieceText(state, id, piece);
  if (text.startsWith("▁"))
    return h("span", { class: "piece", translate: "no" }, h("span", { class: "space-mark" }, "▁"), text.slice(1));
  return h("span", { class: "piece", translate: "no" }, text);
}

/** What a Turkish word means, where the page's language is another and the word is one of the lesson's. */
function meaning(state: State, piece: string): string | undefined {
  const glosses: { readonly [word: string]: string } = state.t.value.glosses;
  const word = piece.replace(/^▁/, "");
  return Object.hasOwn(glosses, word) ? glosses[word] : undefined;
}

export function gloss(state: State, piece: string): Kid {
  const word = meaning(state, piece);
  return word && [" ", h("i", { class: "meaning" }, word)];
}

/** How a token is called in a sentence: without its ▁, in the page's quotes. */
export function spoken(state: State, id: number, piece: string): string {
  const text = `“${pieceText(state, id, piece).replace(/^▁/, "") || "▁"}”`;
  const word = id < state.vocabSize.peek() ? meaning(state, piece) : undefined;
  return word ? `${text} (${word})` : text;
}

/** Ties an element to a row of the table, and to a position where it has one; `linkTokens` lights it up. */
export function tie<E extends Element>(state: State, element: E, id: number, s = -1): E {
  element.setAttribute("data-row", String(id));
  if (s >= 0) element.setAttribute("data-pos", String(s));
  untracked(() => paint(state, element));
  return element;
}

function paint(state: State, element: Element): void {
  const id = Number(element.getAttribute("data-row"));
  const pos = element.getAttribute("data-pos");
  const chosen = state.chosen.value;
  const hover = state.hover.value;
  element.classList.toggle("on", chosen?.id === id);
  element.classList.toggle("self", chosen !== undefined && pos !== null && chosen.s === Number(pos));
  element.classList.toggle("hot", hover !== undefined && hover.id === id);
  if (element.hasAttribute("aria-pressed")) {
    element.setAttribute("aria-pressed", String(chosen !== undefined && pos !== null && chosen.s === Number(pos)));
  }
}

/** Repaints whatever belonged to the old selection or hover and whatever belongs to the new. */
export function repaint(state: State): void {
  for (const element of document.querySelectorAll("[data-row].on, [data-row].hot, [data-row].self"))
    paint(state, element);
  for (const id of new Set([state.chosen.value?.id, state.hover.value?.id])) {
    if (id === undefined) continue;
    for (const element of document.querySelectorAll(`[data-row="${id}"]`)) paint(state, element);
  }
}

export interface ChipOptions {
  readonly s?: number;
  readonly tiny?: boolean;
  readonly button?: boolean;
}

export function chip(state: State, id: number, piece: string, options: ChipOptions = {}): HTMLElement {
  const { s = -1, tiny = false, button = false } = options;
  const outside = id >= state.vocabSize.peek();
  const names = ["chip", tiny && "tiny", byteOf(piece) && "byte", outside && "outside"].filter(Boolean).join(" ");
  const inside = [button && s >= 0 && h("sup", s), pieceMark(state, id, piece), h("small", id)];
  const element = button
    ? h("button", { class: names, type: "button", "aria-pressed": "false" }, inside)
    : h("span", { class: names }, inside);
  return tie(state, element, id, s);
}
