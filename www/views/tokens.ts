// Section 1: the text, its pieces in place, and the same pieces as chips with their ids.
import { computed, effect, untracked } from "@preact/signals-core";
import { h, icon, type Kid, rich, watch } from "../dom";
import { count } from "../format";
import { once } from "../schedule";
import { BOX_LIMIT, choose, KERNEL_LIMIT, type State, setText } from "../state";
import { PRESETS } from "../strings";
import { notice, toggle } from "../ui";
import { figure, question } from "./figure";
import { sectionHead } from "./section";
import { byteOf, chip, pieceText } from "./token";

/** Chips on the page at once; more are a page further. */
const CHIPS = 96;

export function tokensView(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  sectionHead(container, state, {
    n: 1,
    title: () => t.value.s1.title,
    say: () => t.value.s1.say(state.vocabSize.value),
    formula: () => t.value.s1.formula(state.vocabSize.value),
  });

  const box = textBox(state);
  const presets = h(
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
          onclick: () => setText(state, text),
        },
        () => t.value.s1.preset[i] ?? "",
      ),
    ),
  );

  const page = computed(() => Math.floor((state.chosen.value?.s ?? 0) / CHIPS));
  const shown = computed(() => {
    const tokens = state.tokens.value;
    const from = page.value * CHIPS;
    return { tokens, from, to: Math.min(tokens?.ids.length ?? 0, from + CHIPS) };
  });
  const chips = h("div", { class: "chips", id: "chips", role: "group", "aria-label": () => t.value.s1.chips });
  watch(() => {
    const { tokens, from, to } = shown.value;
    untracked(() => {
      const batch: Node[] = [];
      for (let s = from; s < to && tokens; s++) {
        batch.push(chip(state, tokens.ids[s] ?? 0, tokens.pieces[s] ?? "", { s, button: true }));
      }
      const held = document.activeElement?.closest("#chips .chip")?.getAttribute("data-pos");
      chips.replaceChildren(...batch);
      if (held) chips.querySelector<HTMLElement>(`[data-pos="${held}"]`)?.focus();
    });
  });
  chips.addEventListener("keydown", (event) => {
    const now = state.chosen.value;
    if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const all = state.tokens.value?.ids.length ?? 0;
    const s = Math.max(0, Math.min(all - 1, now.s + step));
    choose(state, { s });
    chips.querySelector<HTMLElement>(`[data-pos="${s}"]`)?.focus();
  });

  const numbers = h("p", { class: "keys", id: "counts" }, () => {
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
  const outside = toggle({ id: "oov", label: () => t.value.s1.addOutside, on: state.outOfVocab });

  figure(
    container,
    state,
    {
      id: "tokens",
      title: () => t.value.s1.text,
      name: () => t.value.s1.chips,
      data: () => {
        const tokens = state.tokens.value;
        const s1 = t.value.s1;
        return {
          columns: [
            { key: "position", label: s1.position, numeric: true },
            { key: "piece", label: s1.piece },
            { key: "id", label: s1.id, numeric: true },
            { key: "start", label: s1.start, numeric: true },
            { key: "end", label: s1.end, numeric: true },
          ],
          rows: [...(tokens?.ids ?? [])].map((id, s) => {
            const piece = tokens?.pieces[s] ?? "";
            const name =
              id >= state.vocabSize.value
                ? s1.outside
                : byteOf(piece)
                  ? `<0x${byteOf(piece)}>`
                  : pieceText(state, id, piece);
            return [s, name, id, tokens?.spans[2 * s] ?? 0, tokens?.spans[2 * s + 1] ?? 0];
          }),
        };
      },
    },
    presets,
    box,
    h("div", { class: "bar under" }, numbers, outside),
    notes(state),
    chips,
    pager(state, CHIPS, () => t.value.s1.chips),
    h(
      "p",
      { class: "keys legend-keys", "aria-hidden": "true" },
      h("span", { class: "chip on self tiny" }, () => t.value.s1.keySelected),
      h("span", { class: "chip on tiny" }, () => t.value.s1.keySame),
      h("span", { class: "chip hot tiny" }, () => t.value.s1.keyHover),
    ),
  );
  splits(container, state);
  question(
    container,
    () => rich(t.value.s1.ask),
    () => rich(t.value.s1.answer),
    () => t.value.question,
  );
}

/** Steps through the positions a page at a time; the page is the one that the chosen position is on. */
export function pager(state: State, size: number, label: () => string): Kid {
  const at = computed(() => Math.floor((state.chosen.value?.s ?? 0) / size));
  const all = computed(() => state.tokens.value?.ids.length ?? 0);
  const step = (by: number, name: () => string, flip: string) =>
    h(
      "button",
      {
        class: "btn small",
        type: "button",
        "aria-label": name,
        disabled: () => (by < 0 ? at.value === 0 : (at.value + 1) * size >= all.value),
        onclick: () => choose(state, { s: Math.max(0, Math.min(all.value - 1, (at.value + by) * size)) }),
      },
      icon("play", `f ${flip}`),
    );
  const root = h(
    "div",
    { class: "pager", role: "group", "aria-label": label },
    step(-1, () => state.t.value.page.before, "flip"),
    h("span", () => {
      const from = at.value * size;
      return state.t.value.page.of(from, Math.min(all.value, from + size) - 1, all.value);
    }),
    step(1, () => state.t.value.page.after, ""),
  );
  watch(() => {
    root.hidden = all.value <= size;
  });
  return root;
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
          onclick: () => {
            state.tail.value = "";
          },
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

/** The text box, and under its transparent text a mirror whose highlights mark the pieces. */
function textBox(state: State): HTMLElement {
  const { t } = state;
  const area = h("textarea", {
    id: "text",
    rows: 2,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    "aria-label": () => t.value.s1.text,
  });
  const words = document.createTextNode("");
  const mirror = h("div", { class: "mirror", "aria-hidden": "true" }, words);
  const root = h("div", { class: "entry" }, mirror, area);

  // At once, not in turn: the next key must find the text that it belongs to.
  effect(() => {
    if (area.value !== state.head.value) area.value = state.head.value;
  });
  watch(() => {
    words.data = `${state.head.value}\u200b`;
  });
  area.addEventListener("input", () => {
    if (area.value.length <= BOX_LIMIT) {
      state.head.value = area.value;
      return;
    }
    // What doesn't fit in the box goes in front of the rest behind it.
    const caret = area.selectionStart;
    setText(state, area.value + state.tail.peek());
    area.setSelectionRange(caret, caret);
  });
  area.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    // A long text would make the browser lay out megabytes in the box; it is put behind it instead.
    if (pasted.length < 4_000) return;
    event.preventDefault();
    const [from, to] = [area.selectionStart, area.selectionEnd];
    setText(
      state,
      area.value.slice(0, from) + pasted.replace(/\r\n?/g, "\n") + area.value.slice(to) + state.tail.peek(),
    );
    area.setSelectionRange(0, 0);
    area.scrollTop = 0;
  });
  area.addEventListener("scroll", () => {
    mirror.scrollTop = area.scrollTop;
  });

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
  // With the keyboard, the token at the caret is chosen once the caret is moved (not while typing).
  area.addEventListener("keyup", (event) => {
    if (!event.key.startsWith("Arrow") && event.key !== "Home" && event.key !== "End") return;
    const place = tokenAt(area.selectionStart);
    if (place) choose(state, { s: place.s });
  });
  area.addEventListener("click", () => {
    const place = area.selectionStart === area.selectionEnd ? tokenAt(area.selectionStart) : undefined;
    if (place) choose(state, { s: place.s });
  });
  return root;
}

/** Words that fall into unexpected pieces, cut by the tokenizer just now. */
function splits(container: HTMLElement, state: State): void {
  const { t } = state;
  const words = [
    ["kedi", "whole"],
    ["Kedi", "capital"],
    ["IŞIK", "dotless"],
    ["İstanbul’da", "apostrophe"],
    ["2024", "digits"],
    ["☕", "bytes"],
  ] as const;
  const cut = computed(() => {
    const engine = state.engine.value;
    return engine && words.map(([word]) => engine.encode(word));
  });
  const list = h("ul", { class: "split" });
  watch(() => {
    const all = cut.value;
    if (!all) return;
    list.replaceChildren(
      ...words.map(([word, why], i) =>
        h(
          "li",
          h("b", word),
          h(
            "span",
            { class: "row" },
            [...(all[i]?.ids ?? [])].map((id, k) => chip(state, id, all[i]?.pieces[k] ?? "", { tiny: true })),
          ),
          h("p", () => t.value.s1.splits[why]),
        ),
      ),
    );
  });
  figure(
    container,
    state,
    {
      id: "splits",
      title: () => rich(t.value.s1.why),
      name: () => t.value.s1.why.replaceAll("`", ""),
      data: () => ({
        columns: [
          { key: "text", label: t.value.s1.splitWord },
          { key: "pieces", label: t.value.s1.splitPieces },
          { key: "ids", label: t.value.s1.id },
          { key: "why", label: t.value.s1.splitWhy },
        ],
        rows: words.map(([word, why], i) => [
          word,
          (cut.value?.[i]?.pieces ?? []).join(" "),
          [...(cut.value?.[i]?.ids ?? [])].join(" "),
          t.value.s1.splits[why],
        ]),
      }),
    },
    list,
  );
}
