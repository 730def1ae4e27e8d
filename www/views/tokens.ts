// Section 1: the text, its pieces in place, and the same pieces as chips with their ids.
import { computed, untracked } from "@preact/signals-core";
import { h, type Kid, watch } from "../dom";
import { count } from "../format";
import { choose, KERNEL_LIMIT, type State, setText } from "../state";
import { PRESETS } from "../strings";
import { type Column, notice, tableData, toggle } from "../ui";
import { undoOf } from "../undo";
import { figure } from "./figure";
import { pager } from "./pager";
import { sectionHead } from "./section";
import { textBox } from "./textbox";
import { say } from "./toast";
import { byteOf, chip, pieceText } from "./token";

/** Chips on the page at once; more are a page further. */
const CHIPS = 96;

export function tokensView(container: HTMLElement, state: State): void {
  const { t } = state;
  sectionHead(container, {
    n: 1,
    title: () => t.value.s1.title,
    say: () => t.value.s1.say(state.vocabSize.value),
    formula: () => t.value.s1.formula(state.vocabSize.value),
  });

  figure(
    container,
    state,
    {
      id: "tokens",
      title: () => t.value.s1.text,
      name: () => t.value.s1.chips,
      data: () => tableData(tokenColumns(state), [...(state.tokens.value?.ids ?? [])]),
    },
    presetBar(state),
    textBox(state),
    translation(state),
    h(
      "div",
      { class: "bar under" },
      counts(state),
      toggle({ id: "oov", label: () => t.value.s1.addOutside, on: state.outOfVocab }),
    ),
    h("p", { class: "note", id: "outside-now", role: "status" }, () => {
      const skipped = state.gradient.value?.result.skipped.outOfVocab ?? 0;
      return skipped > 0 && t.value.s1.outsideNow(skipped);
    }),
    notes(state),
    chipRow(state),
    pager(state, CHIPS, () => t.value.s1.chips),
    h(
      "p",
      { class: "keys legend-keys", "aria-hidden": "true" },
      h("span", { class: "chip on self tiny" }, () => t.value.s1.keySelected),
      h("span", { class: "chip on tiny" }, () => t.value.s1.keySame),
      h("span", { class: "chip hot tiny" }, () => t.value.s1.keyHover),
    ),
  );
}

/** Columns of the tokens by their ids, which come in the order of the text. */
function tokenColumns(state: State): Column<number>[] {
  const { t } = state;
  const piece = (id: number, s: number) => {
    const text = state.tokens.value?.pieces[s] ?? "";
    if (id >= state.vocabSize.value) return t.value.s1.outside;
    return byteOf(text) ? text : pieceText(state, id, text);
  };
  const span = (at: number) => state.tokens.value?.spans[at] ?? 0;
  return [
    { key: "position", label: () => t.value.s1.position, numeric: true, value: (_, s) => s },
    { key: "piece", label: () => t.value.s1.piece, value: piece },
    { key: "id", label: () => t.value.s1.id, numeric: true, value: (id) => id },
    { key: "start", label: () => t.value.s1.start, numeric: true, value: (_, s) => span(2 * s) },
    { key: "end", label: () => t.value.s1.end, numeric: true, value: (_, s) => span(2 * s + 1) },
  ];
}

function presetBar(state: State): HTMLElement {
  const { t } = state;
  return h(
    "div",
    { class: "bar presets", role: "group", "aria-label": () => t.value.s1.presets },
    PRESETS.map((text, i) =>
      h(
        "button",
        {
          class: "btn",
          type: "button",
          "data-preset": i,
          "aria-pressed": () => String(state.head.value === text && state.tail.value === ""),
          onclick: () => replaceText(state, () => setText(state, text)),
        },
        () => t.value.s1.preset[i] ?? "",
      ),
    ),
  );
}

function counts(state: State): HTMLElement {
  const { t, lang } = state;
  return h("p", { class: "keys", id: "counts" }, () => {
    const tokens = state.tokens.value;
    const length = state.head.value.length + state.tail.value.length;
    return [
      h("span", h("b", count(lang.value, length)), " ", t.value.s1.letters),
      " ",
      h("span", h("b", `N = ${count(lang.value, tokens?.total ?? 0)}`), " ", t.value.s1.tokens),
      " ",
      h("span", h("b", `U = ${count(lang.value, tokens?.different ?? 0)}`), " ", t.value.s1.different),
    ];
  });
}

/** The tokens of one page as buttons: one stop for the Tab key, arrows from chip to chip. */
function chipRow(state: State): HTMLElement {
  const page = computed(() => Math.floor((state.chosen.value?.s ?? 0) / CHIPS));
  const row = h("div", {
    class: "chips",
    id: "chips",
    role: "group",
    translate: "no",
    "aria-label": () => state.t.value.s1.chips,
  });
  const at = (s: number | undefined) => row.querySelector<HTMLElement>(`[data-pos="${s}"]`);
  /** Position that is to be focused once it is drawn. */
  let awaited: number | undefined;
  let drawn = "";
  watch(() => {
    const from = page.value * CHIPS;
    const { beginning, tokens } = state;
    const early = beginning.value && beginning.value.ids.length >= from + CHIPS ? beginning.value : undefined;
    const { ids, pieces } = early ?? tokens.value ?? { ids: new Uint32Array(0), pieces: [] };
    const shown = ids.subarray(from, from + CHIPS);
    untracked(() => {
      const held = document.activeElement?.closest("#chips .chip")?.getAttribute("data-pos");
      // The rest of a long text changes nothing in its first chips.
      const wanted = `${from} ${shown.join()}`;
      if (wanted !== drawn) {
        const chips = Array.from(shown, (id, i) =>
          chip(state, id, pieces[from + i] ?? "", { s: from + i, button: true }),
        );
        row.replaceChildren(...chips);
      }
      drawn = wanted;
      if (held || awaited !== undefined) at(awaited ?? Number(held))?.focus();
      awaited = undefined;
    });
  });
  watch(() => {
    state.tokens.value;
    const stop = at(state.chosen.value?.s) ?? row.firstElementChild;
    for (const one of row.children) one.setAttribute("tabindex", one === stop ? "0" : "-1");
  });
  row.addEventListener("keydown", (event) => {
    const now = state.chosen.value;
    if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = (state.tokens.value?.ids.length ?? 0) - 1;
    const s = chipBy(event.key, row, now.s, last);
    if (s === undefined) return;
    event.preventDefault();
    choose(state, { s });
    const next = at(s);
    if (next) next.focus();
    else awaited = s;
  });
  return row;
}

/** Where a key leads from the chip at position `s`: to the sides by one, up and down to the nearest of the next line. */
function chipBy(key: string, row: HTMLElement, s: number, last: number): number | undefined {
  const within = (to: number) => Math.max(0, Math.min(last, to));
  if (key === "ArrowRight") return within(s + 1);
  if (key === "ArrowLeft") return within(s - 1);
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key !== "ArrowUp" && key !== "ArrowDown") return undefined;
  const chips = [...row.children] as HTMLElement[];
  const own = chips.find((one) => one.dataset.pos === String(s));
  if (!own) return undefined;
  const down = key === "ArrowDown";
  const beyond = chips.filter((one) => (down ? one.offsetTop > own.offsetTop : one.offsetTop < own.offsetTop));
  const line = (down ? beyond[0] : beyond.at(-1))?.offsetTop;
  const middle = (one: HTMLElement) => one.offsetLeft + one.offsetWidth / 2;
  const nearest = beyond
    .filter((one) => one.offsetTop === line)
    .sort((a, b) => Math.abs(middle(a) - middle(own)) - Math.abs(middle(b) - middle(own)))[0];
  return nearest ? Number(nearest.dataset.pos) : s;
}

/** A sample in the page's language, and what its vocabulary means for the reader's own words. */
function translation(state: State): Kid {
  const { t } = state;
  const index = computed(() => (state.tail.value ? -1 : PRESETS.indexOf(state.head.value)));
  return [
    h("p", { class: "note", id: "translation" }, () => {
      const words = t.value.s1.translations[index.value];
      return words && [h("b", t.value.s1.translation), " ", words];
    }),
    h("p", { class: "note" }, () => t.value.s1.vocabularyNote),
  ];
}

/** A change of the whole text by a button, with a way back. */
function replaceText(state: State, act: () => void): void {
  undoOf(state).change(act);
  if (undoOf(state).offered.peek()) say(state, { text: () => state.t.value.textReplaced, undo: true });
}

function notes(state: State): Kid {
  const { t, lang } = state;
  const line = (id: string, text: () => string | undefined, ...more: Kid[]) =>
    notice({ id, kind: "note", text }, ...more);
  return [
    line(
      "note-tail",
      () => (state.tail.value ? t.value.s1.tail(state.head.value.length, state.tail.value.length) : undefined),
      " ",
      h(
        "button",
        {
          class: "quiet",
          id: "drop-tail",
          type: "button",
          onclick: () =>
            replaceText(state, () => {
              state.tail.value = "";
            }),
        },
        () => t.value.s1.dropTail,
      ),
    ),
    line("note-reading", () =>
      state.reading.value === undefined
        ? undefined
        : t.value.s1.reading(count(lang.value, Math.floor(100 * state.reading.value))),
    ),
    line("note-limited", () => {
      const tokens = state.tokens.value;
      return tokens && tokens.total > tokens.ids.length
        ? t.value.s1.limited(Math.min(KERNEL_LIMIT, tokens.ids.length), tokens.total)
        : undefined;
    }),
    line("note-cuts", () => {
      const cuts = state.tokens.value?.hardCuts ?? 0;
      return cuts > 0 ? t.value.s1.hardCuts(cuts) : undefined;
    }),
    line("note-empty", () => (state.tokens.value?.ids.length === 0 ? t.value.s1.empty : undefined)),
  ];
}
