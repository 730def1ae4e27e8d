// The thread that made the shown cell, the cache line that it shares with its neighbours, and the way to the cell's story.
import { computed, type ReadonlySignal } from "@preact/signals-core";
import { h, type Kid, rich, watch } from "../dom";
import { colourOf, cssOf, diverging } from "../draw/scale";
import { count, fixed } from "../format";
import { lessonOf } from "../lesson";
import { choose, D, GROUP, LINE, type Place, type State } from "../state";
import { TABLE_LIMIT } from "./heatmap";
import { gloss, pieceMark } from "./token";

interface Facts {
  readonly s: number;
  readonly d: number;
  readonly id: number;
  readonly piece: string;
  /** Element, and so thread, of the whole output. */
  readonly i: number;
  /** The looked-up row, once it is there. */
  readonly row: Float32Array | undefined;
}

export function cellView(container: HTMLElement, state: State): void {
  const facts = computed((): Facts | undefined => {
    const place = inText(state);
    const lookup = state.lookup.value;
    if (!place) return undefined;
    const { s } = place;
    const fresh = lookup && lookup.tokens.ids[s] === place.id;
    const piece = state.tokens.value?.pieces[s] ?? "";
    const row = fresh ? lookup.out.subarray(s * D, (s + 1) * D) : undefined;
    return { s, d: place.d, id: place.id, piece, i: s * D + place.d, row };
  });
  container.append(readout(state, facts), story(state, "output"), memoryLine(state, facts));
}

/** The shown place, or the chosen one where a row that is not in the text is pointed at. */
export function inText(state: State): Place | undefined {
  const place = state.shown.value;
  if (!place || place.s >= 0) return place;
  const s = state.positions.value.get(place.id)?.[0];
  return s === undefined ? state.chosen.value : { ...place, s };
}

function readout(state: State, facts: ReadonlySignal<Facts | undefined>): HTMLElement {
  const { lang } = state;
  const words = lessonOf(state).t;
  const item = (name: string, value: Kid, under: Kid) => h("div", h("dt", name), h("dd", value), h("dd", under));
  return h(
    "div",
    { class: "readout" },
    fields(state),
    h(
      "dl",
      { class: "cell", id: "cell", translate: "no", "aria-live": "polite", "aria-label": () => words.value.s2.cell },
      () => {
        const f = facts.value;
        if (!f) return undefined;
        state.look.value;
        const { s2 } = words.value;
        const value = f.row?.[f.d];
        const outside = f.id >= state.vocabSize.value;
        const shown = value === undefined ? "–" : [swatch(value), fixed(lang.value, value, 5)];
        return [
          item(s2.value, shown, outside ? s2.outsideRow : `table[${f.id * D + f.d}]`),
          item("i", count(lang.value, f.i), s2.element),
          item("s = i // D", f.s, `${f.i} // ${D}`),
          item("d = i % D", f.d, `${f.i} % ${D}`),
          item(s2.group, Math.floor(f.i / GROUP), `${f.i} // ${GROUP}`),
          item(s2.thread, f.i % GROUP, `${f.i} % ${GROUP}`),
          item(s2.token, [pieceMark(state, f.id, f.piece), gloss(state, f.piece)], f.id),
        ];
      },
    ),
  );
}

const swatch = (value: number) =>
  h("span", { class: "swatch", css: { background: cssOf(colourOf(diverging(), value, TABLE_LIMIT)) } });

/** Position and column as numbers: a column of two pixels is hard to hit. */
function fields(state: State): HTMLElement {
  const words = lessonOf(state).t;
  const field = (id: string, name: string, most: () => number, value: () => number, act: (to: number) => void) => {
    const input = h("input", {
      id,
      type: "number",
      inputmode: "numeric",
      min: 0,
      max: () => most(),
      step: 1,
      onchange: () => {
        const to = Math.round(input.valueAsNumber);
        if (Number.isFinite(to)) act(Math.max(0, Math.min(most(), to)));
        input.value = String(value());
      },
    });
    watch(() => {
      input.value = String(value());
    });
    return h("label", { translate: "no" }, `${name} = `, input);
  };
  const last = () => Math.max(0, (state.tokens.value?.ids.length ?? 0) - 1);
  return h(
    "div",
    { class: "go-to", role: "group", "aria-label": () => words.value.s2.goTo },
    h("span", () => words.value.s2.goTo),
    field(
      "cell-s",
      "s",
      last,
      () => state.chosen.value?.s ?? 0,
      (s) => choose(state, { s }),
    ),
    field(
      "cell-d",
      "d",
      () => D - 1,
      () => state.column.value,
      (d) => choose(state, { d }),
    ),
  );
}

/** From a cell to its thread, to who writes to it, and to the addition step by step. */
export function story(state: State, here: "output" | "gradient" | "writers"): HTMLElement {
  const words = lessonOf(state).t;
  const to = (id: string, name: () => string) => h("a", { href: `#${id}` }, name);
  return h(
    "p",
    { class: "story" },
    h("span", () => words.value.s2.story),
    " ",
    here !== "output" && [to("cell", () => words.value.s2.storyThread), " · "],
    here !== "writers" && [to("writers", () => words.value.s2.storyWriters), " · "],
    to("s4", () => words.value.s2.storySteps),
  );
}

function memoryLine(state: State, facts: ReadonlySignal<Facts | undefined>): HTMLElement {
  const { lang } = state;
  const words = lessonOf(state).t;
  const strip = h("div", { class: "cache-cells", "aria-hidden": "true" });
  const squares = Array.from({ length: LINE }, () => strip.appendChild(h("i")));
  watch(() => {
    const f = facts.value;
    state.look.value;
    const first = f ? Math.floor(f.d / LINE) * LINE : 0;
    for (const [k, square] of squares.entries()) {
      const value = f?.row?.[first + k];
      const colour = value === undefined ? "var(--sunken)" : cssOf(colourOf(diverging(), value, TABLE_LIMIT));
      square.style.setProperty("background", colour);
      square.classList.toggle("at", f !== undefined && first + k === f.d);
    }
  });
  return h(
    "div",
    { class: "memline", id: "memory-line" },
    h("h4", () => words.value.s2.line),
    strip,
    h("p", { class: "note" }, () => {
      const f = facts.value;
      if (!f) return undefined;
      if (f.id >= state.vocabSize.value) return words.value.s2.lineOutside;
      const first = Math.floor(f.d / LINE) * LINE;
      const byte = (f.id * D + first) * 4;
      const c = (value: number) => count(lang.value, value);
      return rich(
        words.value.s2.lineSay(c(f.s * D + first), c(f.s * D + first + LINE - 1), c(byte), c(byte + LINE * 4 - 1)),
      );
    }),
  );
}
