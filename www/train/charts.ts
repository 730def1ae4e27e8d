// What a run looks like: six cosines side by side, the loss beside its start, and the rows that a step touches.
import { computed, type ReadonlySignal } from "@preact/signals-core";
import { h, rich, svg, watch } from "../dom";
import { count, fixed, type Language, short } from "../format";
import type { State } from "../state";
import { factsOf } from "./facts";
import { drawLine } from "./line";
import type { Page } from "./page";
import { START_LOSS } from "./run";
import type { Source } from "./source";
import type { Training } from "./training";
import { CONTROLS, RELATED, type Watched } from "./watch";
import { nameOf, pairName, wordsOf } from "./words";

/** Lower end of the cosines' scale. */
const LEAST = -0.5;
/** A loss this many times its start needs a logarithmic scale. */
const STEEP = 3;

export function cosinesView(container: HTMLElement, state: State, page: Page, training: Training): void {
  const { snapshot, preview } = training;
  const t = wordsOf(state);
  const { lang } = state;
  // Before a run its pairs are known by name, beside what the bundled table says of them.
  const pairs = computed(() => snapshot.value?.watched ?? preview.value);
  const source = computed(() => snapshot.value?.source ?? training.source.value);
  const bundled = bundledCosines(state, source, pairs);
  const now = (i: number) => snapshot.value?.points.at(-1)?.cosines[i];
  const say = (value: number | undefined) =>
    value === undefined ? "–" : Number.isNaN(value) ? t.value.noCosine : fixed(lang.value, value, 2);
  const chart = (i: number) => {
    const pair = computed(() => pairs.value[i]);
    const name = () => (pair.value && source.value ? pairName(state, { source: source.value }, pair.value) : "…");
    const drawing = svg("svg", {
      class: "curve",
      role: "img",
      "aria-label": () => t.value.chart(name(), say(now(i))),
    });
    watch(() => {
      const points = snapshot.value?.points ?? [];
      drawLine(drawing, {
        points: points.map((one) => ({ x: one.step, y: one.cosines[i] ?? Number.NaN })),
        low: LEAST,
        high: 1,
        end: Math.max(1, points.at(-1)?.step ?? 1),
        levels: [
          { y: 1, style: "one" },
          { y: 0, style: "zero" },
          { y: bundled.value[i], style: "bundled" },
        ],
      });
    });
    return h(
      "div",
      {
        class: () => (pair.value?.control ? "pair control" : "pair"),
        hidden: () => source.value !== undefined && pair.value === undefined,
        "data-pair": i,
      },
      h("h4", name, " ", () => pair.value?.control && h("small", t.value.control)),
      h("b", { class: "mono" }, () => say(now(i))),
      h(
        "div",
        { class: "scale" },
        [1, 0, LEAST].map((y) =>
          h("i", { "aria-hidden": "true", css: { "--from-top": (100 * (1 - y)) / (1 - LEAST) } }, () =>
            fixed(lang.value, y, y === LEAST ? 1 : 0),
          ),
        ),
        drawing,
      ),
      h("span", { class: "said" }, () => {
        const known = bundled.value[i] === undefined ? "" : `${t.value.bundled}: ${say(bundled.value[i])}`;
        return [glossed(t.value.gloss, name()), known].filter(Boolean).join(" · ");
      }),
    );
  };
  page.figure(
    container,
    state,
    {
      id: "train-cosines",
      title: () => [t.value.cosines, " ", h("small", t.value.cosinesSay)],
      name: () => t.value.cosines,
      facts: () => factsOf(snapshot.peek()),
      data: () => ({
        columns: [
          { key: "pair", label: t.value.pair },
          { key: "kind", label: t.value.kindOf },
          { key: "start", label: t.value.atStart, numeric: true },
          { key: "trained", label: t.value.trained, numeric: true },
          { key: "bundled", label: t.value.bundled, numeric: true },
        ],
        rows: (snapshot.value?.watched ?? []).map((one, i) => [
          snapshot.value ? pairName(state, snapshot.value, one) : "",
          one.control ? t.value.control : t.value.related,
          snapshot.value?.points[0]?.cosines[i] ?? Number.NaN,
          now(i) ?? Number.NaN,
          bundled.value[i] ?? "",
        ]),
      }),
    },
    h(
      "div",
      { class: "pairs-grid" },
      Array.from({ length: RELATED + CONTROLS }, (_, i) => chart(i)),
    ),
    h(
      "p",
      { class: "keys train-keys" },
      h("span", h("i", { class: "tick solid" }), () => t.value.keySolid),
      h("span", h("i", { class: "tick dashed" }), () => t.value.keyDashed),
    ),
    h("p", { class: "note" }, () => t.value.controlSay[snapshot.value?.kind ?? state.source.value]),
  );
}

/** The words of a pair in the reader's language, where the list has both. */
function glossed(gloss: { readonly [word: string]: string }, pair: string): string {
  const words = pair.split(" ~ ").map((word) => gloss[word]);
  return words.every(Boolean) ? words.join(" ~ ") : "";
}

/** A loss as the sentences have it, two digits behind the point; short where it is large. */
export const lossText = (lang: Language, loss: number): string =>
  Math.abs(loss) < 1_000 ? fixed(lang, loss, 2) : short(lang, loss);

/** The same pairs in the bundled table, once that is there. */
function bundledCosines(
  state: State,
  source: ReadonlySignal<Source | undefined>,
  pairs: ReadonlySignal<readonly Watched[]>,
): ReadonlySignal<readonly (number | undefined)[]> {
  return computed(() => {
    if (state.vectors.value !== "ready") return [];
    const ids = source.value?.ids ?? new Uint32Array(0);
    return pairs.value.map(({ left, right }) => state.engine.value?.cosine(ids[left] ?? 0, ids[right] ?? 0));
  });
}

export function lossView(container: HTMLElement, state: State, page: Page, { snapshot }: Training): void {
  const t = wordsOf(state);
  const { lang } = state;
  const points = computed(() => snapshot.value?.points ?? []);
  const last = () => points.value.at(-1)?.loss ?? START_LOSS;
  const most = computed(() => Math.max(START_LOSS, ...points.value.map((one) => one.loss).filter(Number.isFinite)));
  const steep = computed(() => most.value > STEEP * START_LOSS);
  const drawing = svg("svg", {
    class: "curve tall",
    role: "img",
    "aria-label": () => t.value.lossLabel(lossText(lang.value, last()), fixed(lang.value, START_LOSS, 2)),
  });
  watch(() => {
    const scale = steep.value ? Math.log10 : (one: number) => one;
    const y = (loss: number) => (Number.isFinite(loss) ? scale(Math.max(loss, 0.01)) : Number.NaN);
    drawLine(drawing, {
      points: points.value.map((one) => ({ x: one.step, y: y(one.loss) })),
      low: steep.value ? -1 : 0,
      high: y(most.value) * 1.05,
      end: Math.max(1, points.value.at(-1)?.step ?? 1),
      levels: [{ y: y(START_LOSS), style: "start" }],
    });
  });
  page.figure(
    container,
    state,
    {
      id: "train-loss",
      title: () => [t.value.loss, " ", h("small", t.value.lossSay)],
      name: () => t.value.loss,
      facts: () => factsOf(snapshot.peek()),
      data: () => ({
        columns: [
          { key: "step", label: t.value.steps, numeric: true },
          { key: "loss", label: t.value.loss, numeric: true },
        ],
        rows: points.value.map((one) => [one.step, one.loss]),
      }),
    },
    h(
      "div",
      { class: "curve-head" },
      h("b", { class: "mono", id: "train-loss-now" }, () => lossText(lang.value, last())),
      h("span", { class: "said" }, () => [t.value.lossStart(START_LOSS), steep.value && ` · ${t.value.logScale}`]),
    ),
    drawing,
    h("p", { class: "said axis-name" }, () => `${count(lang.value, snapshot.value?.pairs ?? 0)} ${t.value.xPairs}`),
  );
}

export function touchedView(container: HTMLElement, state: State, page: Page, { snapshot }: Training): void {
  const t = wordsOf(state);
  const { lang } = state;
  const touched = computed(() => snapshot.value?.touched);
  const hits = () => touched.value?.hits ?? new Uint32Array(0);
  const drawing = svg("svg", {
    class: "curve tall count",
    role: "img",
    "aria-label": () => t.value.touchedLabel(hits().length, hits()[0] ?? 0),
  });
  watch(() => {
    const all = hits();
    // Both axes logarithmic: a law of Zipf is a straight line. Ranks that fall on one place are one point.
    const points: { x: number; y: number }[] = [];
    for (let rank = 1; rank <= all.length; rank = Math.max(rank + 1, Math.round(rank * 1.06))) {
      points.push({ x: Math.log(rank), y: Math.log((all[rank - 1] ?? 1) * 1.2) });
    }
    drawLine(drawing, {
      points,
      low: 0,
      high: Math.log(Math.max(2, (all[0] ?? 1) * 1.4)),
      end: Math.log(Math.max(2, all.length)),
      levels: [],
      filled: true,
    });
  });
  page.figure(
    container,
    state,
    {
      id: "train-touched",
      title: () => t.value.touched,
      name: () => t.value.touched,
      facts: () => factsOf(snapshot.peek()),
      data: () => ({
        columns: [
          { key: "rank", label: t.value.rank, numeric: true },
          { key: "hits", label: t.value.hits, numeric: true },
        ],
        rows: Array.from(hits(), (one, i) => [i + 1, one]),
      }),
    },
    h(
      "div",
      { class: "curve-head" },
      h("b", { class: "mono" }, () => count(lang.value, hits().length)),
      h(
        "span",
        { class: "said" },
        () => `${count(lang.value, hits()[0] ?? 0)} → ${count(lang.value, hits().at(-1) ?? 0)} ${t.value.hits}`,
      ),
    ),
    drawing,
    h("p", { class: "said axis-name" }, () => `${t.value.rank} → · ${t.value.hits} ↑ · ${t.value.logScale}`),
    h("p", { class: "note", id: "train-touched-say" }, () => {
      const now = touched.value;
      if (!now || !snapshot.value) return t.value.noneYet;
      const once = now.hits.reduce((sum, one) => sum + (one === 1 ? 1 : 0), 0);
      const positions = now.hits.reduce((sum, one) => sum + one, 0);
      return [
        rich(t.value.touchedSay(now.hits.length, state.vocabSize.value, positions, snapshot.value.source.ids.length)),
        " ",
        t.value.touchedTop(nameOf(state, now.top), now.hits[0] ?? 0, once),
      ];
    }),
  );
}
