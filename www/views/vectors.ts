// Section 2: the rows that the GPU looked up, the thread behind each cell, neighbours, and the f16 twin.
import { computed, effect, signal } from "@preact/signals-core";
import { h, icon, type Kid, rich, watch } from "../dom";
import { drawStrip } from "../draw/heat";
import { colourOf, cssOf, diverging } from "../draw/scale";
import { count, exact, fixed, short } from "../format";
import { bell } from "../random";
import type { Neighbour } from "../results";
import { D, GROUP, LINE, type State } from "../state";
import { notice, table } from "../ui";
import { figure, question } from "./figure";
import { type HeatModel, heatmap } from "./heatmap";
import { legend } from "./legend";
import { pager } from "./pager";
import { sectionHead } from "./section";
import { byteOf, pieceMark, pieceOf, pieceText, spoken, tie } from "./token";

/** Positions in a picture at once. */
export const ROWS = 24;
/** Value at both ends of the scale for the table's rows, whose norm is about 1. */
const LIMIT = 0.15;
/** Learning rate of the step that shows why the master table is f32. */
const STEP = 1e-5;

export function vectorsView(container: HTMLElement, state: State): void {
  const { t } = state;
  const length = () => state.tokens.value?.ids.length ?? 0;
  sectionHead(container, state, {
    n: 2,
    title: () => t.value.s2.title,
    say: () => t.value.s2.say(state.vocabSize.value, length(), Math.ceil((length() * D) / GROUP)),
    formula: () => t.value.s2.formula,
  });

  const putBack = h(
    "button",
    {
      class: "btn small",
      id: "put-back",
      type: "button",
      onclick: () => {
        state.ownTable.value = undefined;
      },
    },
    () => t.value.s2.putBack,
  );
  container.append(
    notice(
      {
        id: "notice-own",
        kind: "note",
        text: () => {
          const own = state.ownTable.value;
          return own && rich(t.value.s2.own(own.steps, own.trained, own.width, D));
        },
      },
      putBack,
    ),
  );

  const page = computed(() => Math.floor((state.chosen.value?.s ?? 0) / ROWS));
  const model = computed((): HeatModel | undefined => {
    const lookup = state.lookup.value;
    if (!lookup) return undefined;
    const { tokens, out } = lookup;
    const from = Math.min(page.value * ROWS, Math.max(0, tokens.ids.length - 1));
    const to = Math.min(tokens.ids.length, from + ROWS);
    return {
      values: out,
      limit: LIMIT,
      rows: Array.from({ length: to - from }, (_, i) => ({
        s: from + i,
        id: tokens.ids[from + i] ?? 0,
        piece: tokens.pieces[from + i] ?? "",
        start: (from + i) * D,
      })),
    };
  });
  const summary = (s: number) => {
    const row = state.lookup.value?.out.subarray(s * D, (s + 1) * D) ?? [];
    let [sum, low, high] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const v of row) {
      sum += v * v;
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    return [Math.sqrt(sum), low, high];
  };
  const name = (id: number, piece: string) =>
    id >= state.vocabSize.value ? t.value.s1.outside : byteOf(piece) ? piece : pieceText(state, id, piece);
  const map = h("div");
  figure(
    container,
    state,
    {
      id: "output",
      title: () => [t.value.s2.out, " ", h("small", t.value.s2.shape(length()))],
      name: () => t.value.s2.out,
      legend: legend(state, () => LIMIT),
      data: () => ({
        columns: [
          { key: "position", label: t.value.s1.position, numeric: true },
          { key: "piece", label: t.value.s1.piece },
          { key: "id", label: t.value.s1.id, numeric: true },
          { key: "norm", label: t.value.s2.norm, numeric: true },
          { key: "min", label: t.value.s2.least, numeric: true },
          { key: "max", label: t.value.s2.most, numeric: true },
          ...[0, 1, 2, 3].map((d) => ({ key: `d${d}`, label: `d = ${d}`, numeric: true })),
        ],
        rows: (model.value?.rows ?? []).map((row) => [
          row.s,
          name(row.id, row.piece),
          row.id,
          ...summary(row.s),
          ...[0, 1, 2, 3].map((d) => model.value?.values[row.start + d] ?? 0),
        ]),
      }),
      full: () => ({
        columns: [
          { key: "position", label: "" },
          { key: "piece", label: "" },
          { key: "id", label: "" },
          ...Array.from({ length: D }, (_, d) => ({ key: `d${d}`, label: "" })),
        ],
        rows: (model.value?.rows ?? []).map((row) => [
          row.s,
          name(row.id, row.piece),
          row.id,
          ...(model.value?.values.subarray(row.start, row.start + D) ?? []),
        ]),
      }),
    },
    map,
    pager(state, ROWS, () => t.value.s2.out),
    cell(state),
  );
  heatmap(map, state, {
    id: "output",
    label: () => t.value.s2.map,
    model: () => model.value,
    waiting: () => t.value.s2.waiting,
    line: true,
    describedBy: "cell",
  });

  const two = h("div", { class: "two" });
  container.append(two);
  neighbours(two, state);
  halves(two, state);
  question(
    container,
    () => rich(t.value.s2.ask),
    () => rich(t.value.s2.answer),
    () => t.value.question,
  );
}

/** The thread that made the shown cell, and the line of memory that it shares with its neighbours. */
function cell(state: State): Kid {
  const { t, lang } = state;
  const facts = computed(() => {
    const place = state.shown.value;
    const lookup = state.lookup.value;
    if (!place) return undefined;
    const s = place.s >= 0 ? place.s : (state.positions.value.get(place.id)?.[0] ?? -1);
    if (s < 0) return undefined;
    const fresh = lookup && lookup.tokens.ids[s] === place.id;
    const piece = state.tokens.value?.pieces[s] ?? "";
    const i = s * D + place.d;
    return { s, d: place.d, id: place.id, piece, i, row: fresh ? lookup.out.subarray(s * D, (s + 1) * D) : undefined };
  });
  const item = (name: string, value: Kid, under: Kid) => h("div", h("dt", name), h("dd", value), h("dd", under));
  const readout = h(
    "dl",
    { class: "cell", id: "cell", "aria-live": "polite", "aria-label": () => t.value.s2.cell },
    () => {
      const f = facts.value;
      if (!f) return undefined;
      state.look.value;
      const s2 = t.value.s2;
      const value = f.row?.[f.d];
      const outside = f.id >= state.vocabSize.value;
      return [
        item("i", count(lang.value, f.i), s2.element),
        item("s = i / D", f.s, `${f.i} / ${D}`),
        item("d = i % D", f.d, `${f.i} % ${D}`),
        item(s2.group, Math.floor(f.i / GROUP), `${f.i} / ${GROUP}`),
        item(s2.thread, f.i % GROUP, `${f.i} % ${GROUP}`),
        item(s2.token, pieceMark(state, f.id, f.piece), f.id),
        item(
          s2.value,
          value === undefined
            ? "–"
            : [
                h("span", { class: "sw", css: { background: cssOf(colourOf(diverging(), value, LIMIT)) } }),
                fixed(lang.value, value, 5),
              ],
          outside ? s2.outsideRow : `table[${f.id * D + f.d}]`,
        ),
      ];
    },
  );
  const strip = h("div", { class: "lanes32", "aria-hidden": "true" });
  for (let k = 0; k < LINE; k++) strip.append(h("i"));
  watch(() => {
    const f = facts.value;
    state.look.value;
    const first = f ? Math.floor(f.d / LINE) * LINE : 0;
    for (let k = 0; k < LINE; k++) {
      const square = strip.children[k] as HTMLElement;
      const value = f?.row?.[first + k];
      square.style.setProperty(
        "background",
        value === undefined ? "var(--sunken)" : cssOf(colourOf(diverging(), value, LIMIT)),
      );
      square.classList.toggle("at", f !== undefined && first + k === f.d);
    }
  });
  return [
    readout,
    h(
      "div",
      { class: "memline", id: "memory-line" },
      h("h4", () => t.value.s2.line),
      strip,
      h("p", { class: "note" }, () => {
        const f = facts.value;
        if (!f) return undefined;
        if (f.id >= state.vocabSize.value) return t.value.s2.lineOutside;
        const first = Math.floor(f.d / LINE) * LINE;
        const byte = (f.id * D + first) * 4;
        const c = (value: number) => count(lang.value, value);
        return t.value.s2.lineSay(c(f.s * D + first), c(f.s * D + first + LINE - 1), c(byte), c(byte + LINE * 4 - 1));
      }),
    ),
  ];
}

function neighbours(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  const chosenPiece = () => {
    const near = state.neighbours.value;
    return near ? spoken(state, near.id, pieceOf(state, near.id)) : "…";
  };
  const list = (items: readonly Neighbour[], style: string) =>
    h(
      "ul",
      { class: `near ${style}` },
      items.map((one) =>
        tie(
          state,
          h(
            "li",
            h("span", pieceMark(state, one.id, one.piece), style === "number" && h("small", one.id)),
            h("span", { class: "meter", css: { "--p": Math.max(0, one.cosine) * 100 } }),
            h("em", fixed(lang.value, one.cosine, 3)),
          ),
          one.id,
        ),
      ),
    );
  const rows = () => {
    const near = state.neighbours.value;
    const part = (items: readonly Neighbour[] | undefined, kind: string) =>
      (items ?? []).map((one) => [kind, one.piece, one.id, one.cosine] as const);
    return [
      ...part(near?.byMeaning, t.value.s2.cosine),
      ...part(near?.far, t.value.s2.far),
      ...part(near?.byNumber, t.value.s1.id),
    ];
  };
  figure(
    container,
    state,
    {
      id: "neighbours",
      title: () => [t.value.s2.meaning, " ", h("small", chosenPiece())],
      name: () => t.value.s2.meaning,
      data: () => ({
        columns: [
          { key: "list", label: t.value.s2.list },
          { key: "piece", label: t.value.s1.piece },
          { key: "id", label: t.value.s1.id, numeric: true },
          { key: "cosine", label: t.value.s2.cosine, numeric: true },
        ],
        rows: rows(),
      }),
    },
    h("div", { id: "near" }, () => {
      const near = state.neighbours.value;
      if (state.tokens.value?.ids.length === 0) return h("p", { class: "note" }, t.value.s1.empty);
      if (!near) return h("p", { class: "note" }, t.value.s2.waiting);
      if (near.id >= state.vocabSize.value) return h("p", { class: "note" }, t.value.s2.noRow);
      const known = (near.byMeaning[0]?.cosine ?? 0) > 0.35;
      return [
        list(near.byMeaning, ""),
        list(near.far, "far"),
        !known && h("p", { class: "note" }, t.value.s2.randomRow),
        h("h4", t.value.s2.number),
        list(near.byNumber, "number"),
        h(
          "p",
          { class: "note" },
          t.value.s2.numberSay(
            String(near.id),
            String(near.byNumber.find((one) => one.id > near.id)?.id ?? near.id - 1),
          ),
        ),
      ];
    }),
  );
}

function halves(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  const step = signal<{ lost: number; kept: number } | undefined>(undefined);
  // What was counted holds for one row, one gradient and one device.
  effect(() => {
    state.chosen.value?.s;
    state.chosen.value?.id;
    state.seed.value;
    state.device.value?.backend;
    state.resets.value;
    step.value = undefined;
  });
  const strip = h("canvas", { class: "strip", role: "img", "aria-label": () => t.value.s2.halfMapLabel });
  const row = computed(() => {
    const half = state.halves.value;
    const place = state.shown.value;
    if (!half || !place) return undefined;
    const s = place.s >= 0 ? place.s : (state.positions.value.get(place.id)?.[0] ?? -1);
    return s >= 0 && (s + 1) * D <= half.error.length ? half.error.subarray(s * D, (s + 1) * D) : undefined;
  });
  watch(() => {
    state.look.value;
    const own = row.value ?? new Float32Array(0);
    drawStrip(strip, own, own.reduce((a: number, b: number) => Math.max(a, b), 0) || 1);
  });
  const v = () => state.vocabSize.value;
  const largest = () => state.halves.value?.largest;
  const asF32 = () => {
    const at = largest();
    return at ? exact(lang.value, state.lookup.value?.out[at.s * D + at.d] ?? 0) : "–";
  };
  const asF16 = () => exact(lang.value, largest()?.read ?? 0);
  figure(
    container,
    state,
    {
      id: "halves",
      title: () => t.value.s2.halves,
      name: () => t.value.s2.halves,
      data: () => {
        const out = state.lookup.value?.out;
        return {
          columns: [
            { key: "d", label: "d", numeric: true },
            { key: "f32", label: "f32", numeric: true },
            { key: "error", label: t.value.s2.error, numeric: true },
          ],
          rows: Array.from(row.value ?? [], (error, d) => [d, out?.[(state.shown.value?.s ?? 0) * D + d] ?? 0, error]),
        };
      },
    },
    table(lang, {
      id: "half-table",
      caption: () => t.value.s2.halves,
      columns: [
        { key: "table", label: () => t.value.s2.table, value: (one) => one.name },
        {
          key: "bytes",
          label: () => t.value.s2.bytes,
          numeric: true,
          value: (one) => v() * D * one.width,
          show: (one) => count(lang.value, v() * D * one.width),
        },
        {
          key: "error",
          label: () => t.value.s2.error,
          numeric: true,
          value: (one) => one.error() ?? "",
          show: (one) => {
            const error = one.error();
            return error === undefined ? "–" : short(lang.value, error);
          },
        },
      ],
      rows: () => [
        { name: "f32", width: 4, error: () => 0 },
        { name: "f16", width: 2, error: () => largest()?.value },
      ],
    }),
    h("p", { class: "strip-label" }, () => [
      t.value.s2.halfMap,
      " ",
      row.value
        ? `0 – ${short(
            lang.value,
            row.value.reduce((a, b) => Math.max(a, b), 0),
          )}`
        : "",
    ]),
    strip,
    h("p", { class: "note" }, () => {
      const half = state.halves.value;
      if (state.tokens.value?.ids.length === 0) return t.value.s1.empty;
      if (!half) return t.value.s2.waiting;
      const few = half.error.length / D;
      return [
        half.largest.value === 0
          ? t.value.s2.halfExact
          : t.value.s2.halfWhere(String(half.largest.s), String(half.largest.d), asF32(), asF16()),
        " ",
        rich(t.value.s2.halfKernel(half.kernel === "w16_native")),
        few < half.tokens.ids.length && ` ${t.value.s2.halfFew(few)}`,
      ];
    }),
    h("h4", () => t.value.s2.master),
    h(
      "button",
      {
        class: "btn small",
        id: "master-step",
        type: "button",
        disabled: () => state.vectors.value !== "ready",
        onclick: () => void takeStep(),
      },
      icon("play", "f"),
      h("span", { class: "keep" }, () => (step.value ? t.value.s2.masterAgain : t.value.s2.masterTry)),
    ),
    h("p", { class: "note", id: "master-note", role: "status" }, () => {
      const found = step.value;
      return found
        ? rich(t.value.s2.masterSay(count(lang.value, found.lost), count(lang.value, found.kept)))
        : undefined;
    }),
  );
  /** A small step on the chosen row, rounded by the package's own cast: how many of its elements stay where they were? */
  async function takeStep(): Promise<void> {
    const place = state.chosen.peek();
    const out = state.lookup.peek()?.out;
    const engine = state.engine.peek();
    if (!place || !out || !engine) return;
    const both = new Float32Array(2 * D);
    let kept = 0;
    for (let d = 0; d < D; d++) {
      const old = out[place.s * D + d] ?? 0;
      const moved = Math.fround(old - STEP * bell(state.seed.peek(), place.s * D + d));
      if (moved !== old) kept += 1;
      both[d] = old;
      both[D + d] = moved;
    }
    const rounded = await engine.roundTrip(both);
    const now = state.chosen.peek();
    if (now?.s !== place.s || now.id !== place.id) return;
    let lost = 0;
    for (let d = 0; d < D; d++) if (rounded[d] === rounded[D + d]) lost += 1;
    step.value = { lost, kept };
  }
}
