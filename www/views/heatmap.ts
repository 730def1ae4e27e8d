// A linked heat map: rows of tokens, a cursor that follows pointer and keys, and the memory line around it.
import { computed, type ReadonlySignal } from "@preact/signals-core";
import { h, near, watch, widthOf } from "../dom";
import { cellAt, drawHeat, fit, type Geometry, placeOf } from "../draw/heat";
import { once } from "../schedule";
import { choose, D, LINE, type State } from "../state";
import { pieceMark, tie } from "./token";

export interface HeatRow {
  /** Position in the text, or −1 for a row of the table. */
  readonly s: number;
  readonly id: number;
  readonly piece: string;
  /** Index of the row's first value in `values`. */
  readonly start: number;
}

export interface HeatModel {
  readonly rows: readonly HeatRow[];
  readonly values: Float32Array;
  readonly limit: number;
  /** Cells to frame in amber. */
  readonly marks?: readonly { readonly row: number; readonly d: number }[];
}

export interface HeatOptions {
  readonly id: string;
  readonly label: () => string;
  readonly model: () => HeatModel | undefined;
  readonly waiting: () => string;
  /** Frame the 32 cells whose numbers share a line of memory. */
  readonly line?: boolean;
  readonly describedBy?: string;
}

export function heatmap(container: HTMLElement, state: State, options: HeatOptions): void {
  const canvas = h("canvas", {
    tabindex: 0,
    role: "application",
    "aria-label": options.label,
    ...(options.describedBy ? { "aria-describedby": options.describedBy } : {}),
  });
  const cursor = h("div", { class: "cursor" });
  const line = h("div", { class: "memory" });
  const marks = h("div");
  const field = h("div", { class: "field" }, canvas, line, marks, cursor);
  const labels = h("div", { class: "labels", "aria-hidden": "true" });
  const axis = h("div", { class: "axis", "aria-hidden": "true" });
  const waiting = h("p", { class: "waiting" }, options.waiting);
  const root = h(
    "div",
    { class: "heat", "data-testid": `${options.id}-heat` },
    labels,
    h("div", { class: "plane" }, field, axis),
    waiting,
  );
  container.append(root);

  const seen = near(root);
  const width = widthOf(root);
  const narrow = computed(() => width.value < 560);
  const model = computed(() => options.model());
  const geometry: ReadonlySignal<Geometry> = computed(() => {
    const rows = model.value?.rows.length ?? 0;
    const room = width.value - (narrow.value ? 54 : 152);
    const tall = narrow.value ? 15 : rows > 14 ? 19 : 25;
    return fit(Math.max(64, room), D, rows, tall, narrow.value ? 10 : 8);
  });
  const rowOf = computed(() => {
    const place = state.shown.value;
    const rows = model.value?.rows ?? [];
    if (!place) return -1;
    const exact = rows.findIndex((row) => row.s >= 0 && row.s === place.s);
    return exact >= 0 ? exact : rows.findIndex((row) => row.id === place.id);
  });

  const draw = once(() => {
    const now = model.value;
    const g = geometry.value;
    if (!now) return;
    drawHeat(
      canvas,
      {
        rows: now.rows.length,
        columns: D,
        limit: now.limit,
        values: (r, d) => now.values[(now.rows[r]?.start ?? 0) + d] ?? 0,
      },
      g,
    );
  });
  watch(() => {
    state.look.value;
    model.value;
    geometry.value;
    if (seen.value && width.value > 0) draw();
  });
  watch(() => {
    const empty = !model.value;
    waiting.hidden = !empty;
    root.classList.toggle("empty", empty);
  });
  watch(() => {
    const now = model.value;
    const g = geometry.value;
    root.classList.toggle("narrow", narrow.value);
    root.style.setProperty("--rh", `${g.row}px`);
    root.style.setProperty("--gap", `${g.gap}px`);
    if (!seen.value || width.value === 0) return;
    labels.replaceChildren(
      ...Array.from({ length: now ? g.bands : 0 }, () =>
        h(
          "ol",
          (now?.rows ?? []).map((row) =>
            tie(
              state,
              h("li", row.s >= 0 && h("i", row.s), h("b", pieceMark(state, row.id, row.piece)), h("small", row.id)),
              row.id,
              row.s,
            ),
          ),
        ),
      ),
    );
    const ticks = g.bands === 1 ? [0, 128, 256, 383] : [0, g.perBand - 1];
    axis.style.setProperty("width", `${g.width}px`);
    axis.replaceChildren(
      ...(now && g.bands === 1 ? ticks.map((d) => h("span", d === 0 ? "d = 0" : d)) : []),
      ...(now && g.bands > 1 ? [h("span", `d = 0 … ${g.perBand - 1}`), h("span", `${g.bands} × ${g.perBand} ↓`)] : []),
    );
  });
  watch(() => {
    const g = geometry.value;
    marks.replaceChildren(
      ...(model.value?.marks ?? []).map((mark) => {
        const { x, y } = placeOf(g, mark.row, mark.d);
        return h("div", {
          class: "mark",
          css: { left: `${x}px`, top: `${y}px`, width: `${g.cell}px`, height: `${g.row}px` },
        });
      }),
    );
  });
  watch(() => {
    const place = state.shown.value;
    const g = geometry.value;
    const r = rowOf.value;
    const off = !model.value || !place || r < 0;
    cursor.hidden = off;
    line.hidden = off || !options.line;
    if (off || !place) return;
    const cell = placeOf(g, r, place.d);
    cursor.style.setProperty("transform", `translate(${cell.x}px, ${cell.y}px)`);
    cursor.style.setProperty("width", `${g.cell}px`);
    cursor.style.setProperty("height", `${g.row}px`);
    const first = placeOf(g, r, Math.floor(place.d / LINE) * LINE);
    line.style.setProperty("transform", `translate(${first.x}px, ${first.y}px)`);
    line.style.setProperty("width", `${g.cell * LINE}px`);
    line.style.setProperty("height", `${g.row}px`);
  });

  const placeAt = (event: PointerEvent) => {
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
  canvas.addEventListener("keydown", (event) => {
    const now = model.value;
    const place = state.chosen.value;
    if (!now || !place) return;
    const r = Math.max(0, rowOf.value);
    const steps: { [key: string]: [number, number] } = {
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      PageUp: [0, -LINE],
      PageDown: [0, LINE],
      Home: [0, -D],
      End: [0, D],
    };
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const row = now.rows[Math.max(0, Math.min(now.rows.length - 1, r + step[0]))];
    const d = Math.max(0, Math.min(D - 1, place.d + step[1]));
    state.hover.value = undefined;
    if (row) choose(state, { s: step[0] === 0 && row.s < 0 ? place.s : row.s, id: row.id, d });
  });
}
