// A linked heat map: rows of tokens, a cursor that follows pointer and keys, and the cache line around it.
import { computed, type ReadonlySignal } from "@preact/signals-core";
import { h, near, watch, widthOf } from "../dom";
import { cellAt, drawHeat, fit, type Geometry, placeOf } from "../draw/heat";
import type { HeatModel } from "../models/heat";
import { once } from "../schedule";
import { choose, D, LINE, type Place, type State } from "../state";
import { pieceMark, pieceText, tie } from "./token";

/** Rows in a picture at once. */
export const ROWS = 24;
/** Value at both ends of the scale for the table's rows, whose norm is about 1. */
export const TABLE_LIMIT = 0.15;
/** CSS pixels below which a map has short labels and folds into bands. */
const NARROW = 560;

export interface HeatOptions {
  readonly id: string;
  readonly label: () => string;
  readonly model: () => HeatModel | undefined;
  readonly waiting: () => string;
  /** Frame the 32 cells whose numbers share a cache line. */
  readonly line?: boolean;
  readonly describedBy?: string;
}

/** What the parts of one map share. */
interface Map {
  readonly state: State;
  readonly model: ReadonlySignal<HeatModel | undefined>;
  readonly geometry: ReadonlySignal<Geometry>;
  readonly narrow: ReadonlySignal<boolean>;
  /** True once the map has come near the screen and has a width. */
  readonly drawn: () => boolean;
  /** Index of the row that is shown or chosen, −1 if the map has none. */
  readonly row: ReadonlySignal<number>;
}

export function heatmap(container: HTMLElement, state: State, options: HeatOptions): void {
  const canvas = h("canvas", {
    tabindex: 0,
    role: "application",
    "aria-label": options.label,
    "aria-describedby": options.describedBy,
  });
  const waiting = h("p", { class: "waiting" }, options.waiting);
  const root = h("div", { class: "heat", "data-testid": `${options.id}-heat` });
  const map = follow(state, options, root);
  const field = h(
    "div",
    { class: "field" },
    canvas,
    options.line && cacheLine(map),
    marks(map),
    bandNames(map),
    cursor(map),
  );
  root.append(labels(map), h("div", { class: "plane" }, field, axis(map)), waiting);
  container.append(root);
  watch(() => {
    const empty = !map.model.value;
    waiting.hidden = !empty;
    root.classList.toggle("empty", empty);
    root.classList.toggle("narrow", map.narrow.value);
    root.style.setProperty("--rh", `${map.geometry.value.row}px`);
    root.style.setProperty("--gap", `${map.geometry.value.gap}px`);
  });
  draw(map, canvas);
  takePointer(map, field, canvas);
  takeKeys(map, canvas);
}

function follow(state: State, options: HeatOptions, root: HTMLElement): Map {
  const seen = near(root);
  const width = widthOf(root);
  const narrow = computed(() => width.value < NARROW);
  const model = computed(options.model);
  const geometry = computed(() => {
    const rows = model.value?.rows.length ?? 0;
    const room = width.value - (narrow.value ? 98 : 152);
    const tall = narrow.value ? 17 : rows > 14 ? 19 : 25;
    return fit(Math.max(64, room), D, rows, tall, 16);
  });
  const row = computed(() => {
    const place = state.shown.value;
    const rows = model.value?.rows ?? [];
    if (!place) return -1;
    const exact = rows.findIndex((one) => one.s >= 0 && one.s === place.s);
    return exact >= 0 ? exact : rows.findIndex((one) => one.id === place.id);
  });
  return { state, model, geometry, narrow, row, drawn: () => seen.value && width.value > 0 };
}

function draw(map: Map, canvas: HTMLCanvasElement): void {
  const redraw = once(() => {
    const now = map.model.value;
    if (!now) return;
    const values = (r: number, d: number) => now.values[(now.rows[r]?.start ?? 0) + d] ?? 0;
    drawHeat(canvas, { rows: now.rows.length, columns: D, limit: now.limit, values }, map.geometry.value);
  });
  watch(() => {
    map.state.look.value;
    map.model.value;
    map.geometry.value;
    if (map.drawn()) redraw();
  });
}

/** The tokens beside their rows, once for each band. */
function labels({ state, model, geometry, drawn }: Map): HTMLElement {
  const root = h("div", { class: "labels", "aria-hidden": "true", translate: "no" });
  watch(() => {
    const now = model.value;
    const { bands } = geometry.value;
    if (!drawn()) return;
    const line = (row: HeatModel["rows"][number]) => {
      const name = h("b", pieceMark(state, row.id, row.piece));
      const title = pieceText(state, row.id, row.piece);
      const item = h("li", { title }, row.s >= 0 && h("i", row.s), name, h("small", row.id));
      return tie(state, item, row.id, row.s);
    };
    root.replaceChildren(...Array.from({ length: now ? bands : 0 }, () => h("ol", now?.rows.map(line))));
  });
  return root;
}

/** The columns under a map in one band. */
function axis({ model, geometry }: Map): HTMLElement {
  const root = h("div", { class: "axis", "aria-hidden": "true", translate: "no" });
  watch(() => {
    const g = geometry.value;
    root.style.setProperty("width", `${g.width}px`);
    root.hidden = !model.value || g.bands > 1;
    root.replaceChildren(...[0, 128, 256, D - 1].map((d) => h("span", d === 0 ? "d = 0" : d)));
  });
  return root;
}

/** Which columns each band has, in the gap under it. */
function bandNames({ model, geometry }: Map): HTMLElement {
  const root = h("div", { class: "band-names", "aria-hidden": "true", translate: "no" });
  watch(() => {
    const g = geometry.value;
    root.hidden = !model.value || g.bands === 1;
    root.replaceChildren(
      ...Array.from({ length: g.bands }, (_, band) => {
        const first = band * g.perBand;
        const top = placeOf(g, 0, first).y + g.rows * g.row;
        return h("span", { css: { top: `${top}px` } }, `d = ${first} … ${first + g.perBand - 1}`);
      }),
    );
  });
  return root;
}

function marks({ model, geometry }: Map): HTMLElement {
  const root = h("div");
  watch(() => {
    const g = geometry.value;
    root.replaceChildren(
      ...(model.value?.marks ?? []).map(({ row, d }) => {
        const { x, y } = placeOf(g, row, d);
        return h("div", {
          class: "mark",
          css: { left: `${x}px`, top: `${y}px`, width: `${g.cell}px`, height: `${g.row}px` },
        });
      }),
    );
  });
  return root;
}

/** A frame around `cells` cells of the shown row, from column `first(d)` on. */
function frame(map: Map, name: string, cells: number, first: (d: number) => number): HTMLElement {
  const root = h("div", { class: name });
  watch(() => {
    const place = map.state.shown.value;
    const g = map.geometry.value;
    root.hidden = !map.model.value || !place || map.row.value < 0;
    if (root.hidden || !place) return;
    const { x, y } = placeOf(g, map.row.value, first(place.d));
    root.style.setProperty("transform", `translate(${x}px, ${y}px)`);
    root.style.setProperty("width", `${g.cell * cells}px`);
    root.style.setProperty("height", `${g.row}px`);
  });
  return root;
}

const cursor = (map: Map) => frame(map, "cursor", 1, (d) => d);
const cacheLine = (map: Map) => frame(map, "memory", LINE, (d) => Math.floor(d / LINE) * LINE);

function takePointer({ state, model, geometry }: Map, field: HTMLElement, canvas: HTMLCanvasElement): void {
  const placeAt = (event: PointerEvent): Place | undefined => {
    const now = model.value;
    if (!now || now.rows.length === 0) return undefined;
    const box = canvas.getBoundingClientRect();
    const at = cellAt(geometry.value, event.clientX - box.left, event.clientY - box.top);
    const row = now.rows[at.row];
    return row && { s: row.s, id: row.id, d: at.column };
  };
  field.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const place = placeAt(event);
    const old = state.hover.value;
    if (place && (old?.s !== place.s || old.d !== place.d || old.id !== place.id)) state.hover.value = place;
  });
  field.addEventListener("pointerleave", () => {
    state.hover.value = undefined;
  });
  field.addEventListener("pointerdown", (event) => {
    const place = placeAt(event);
    if (place) choose(state, place);
  });
}

/** Rows and columns that a key moves the cursor by. */
const STEPS: { readonly [key: string]: readonly [rows: number, columns: number] } = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  PageUp: [0, -LINE],
  PageDown: [0, LINE],
  Home: [0, -D],
  End: [0, D],
};

function takeKeys({ state, model, row: at }: Map, canvas: HTMLCanvasElement): void {
  canvas.addEventListener("keydown", (event) => {
    const now = model.value;
    const place = state.chosen.value;
    const step = STEPS[event.key];
    if (!now || !place || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [rows, columns] = step;
    const row = now.rows[Math.max(0, Math.min(now.rows.length - 1, Math.max(0, at.value) + rows))];
    const d = Math.max(0, Math.min(D - 1, place.d + columns));
    state.hover.value = undefined;
    if (row) choose(state, { s: rows === 0 && row.s < 0 ? place.s : row.s, id: row.id, d });
  });
}
