// Section 3, second half: hits, additions and retries of each row as the GPU's atomics counted them, and what was skipped.
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
import { h, icon, type Kid, rich, watch } from "../dom";
import { count } from "../format";
import { lessonOf } from "../lesson";
import { D, type State } from "../state";
import { figure, question } from "./figure";
import { countLegend } from "./legend";
import { pieceMark, pieceOf, pieceText, spoken, tie } from "./token";

/** Rows of the table on the page; the rest is summed in one line. */
const ROWS = 12;

type Key = "token" | "hits" | "adds" | "retries";

/** Positions that write to a row: those whose gradient is skipped don't. */
const writersOf = ({ adds }: { readonly adds: number }) => Math.ceil(adds / D);

interface Row {
  readonly id: number;
  readonly piece: string;
  readonly hits: number;
  readonly adds: number;
  readonly retries: number;
}

interface Hits {
  readonly sort: Signal<Key>;
  /** All used rows, sorted. */
  readonly rows: ReadonlySignal<readonly Row[]>;
  /** The longest bars. */
  readonly top: ReadonlySignal<{ readonly hits: number; readonly retries: number }>;
}

const total = (rows: readonly Row[], key: "hits" | "adds" | "retries") => rows.reduce((sum, row) => sum + row[key], 0);

export function hitsView(container: HTMLElement, state: State): void {
  const { t } = state;
  const words = lessonOf(state).t;
  const hits = createHits(state);
  figure(
    container,
    state,
    {
      id: "hits",
      title: () => words.value.s3.hits,
      name: () => words.value.s3.hits,
      legend: countLegend(
        () => words.value.s3.few,
        () => words.value.s3.many,
      ),
      isTable: true,
      data: () => ({
        columns: [
          { key: "id", label: t.value.s1.id, numeric: true },
          { key: "piece", label: t.value.s1.piece },
          { key: "hits", label: words.value.s3.hit, numeric: true },
          { key: "adds", label: words.value.s3.add, numeric: true },
          { key: "retries", label: words.value.s3.retry, numeric: true },
        ],
        rows: hits.rows.value.map((row) => [
          row.id,
          pieceText(state, row.id, row.piece),
          row.hits,
          row.adds,
          row.retries,
        ]),
      }),
    },
    h(
      "table",
      { class: "hits", id: "hits-table" },
      h("caption", { class: "sr" }, () => words.value.s3.hits),
      tableHead(state, hits),
      tableBody(state, hits),
      tableFoot(state, hits),
    ),
    h("p", { class: () => `check ${state.gradient.value?.agrees === false ? "bad" : "good"}`, id: "hits-check" }, () =>
      agreement(state),
    ),
    h("p", { class: "note", id: "retries-note" }, () => retriesNote(state, hits.rows.value)),
    why(state),
  );
  question(
    container,
    () => rich(words.value.s3.ask),
    () => rich(words.value.s3.answer),
    () => t.value.question,
  );
}

function createHits(state: State): Hits {
  const sort = signal<Key>("hits");
  const rows = computed(() => {
    const result = state.gradient.value?.result;
    if (!result) return [];
    const all = Array.from(result.rows, (id, u) => ({
      id,
      piece: pieceOf(state, id),
      hits: result.hits[u] ?? 0,
      adds: result.adds[u] ?? 0,
      retries: result.retries?.[u] ?? 0,
    }));
    const first = (id: number) => state.positions.value.get(id)?.[0] ?? 0;
    const by = sort.value;
    return all.sort((a, b) =>
      by === "token" ? first(a.id) - first(b.id) : b[by] - a[by] || b.hits - a.hits || first(a.id) - first(b.id),
    );
  });
  const top = computed(() => ({
    hits: rows.value.reduce((most, row) => Math.max(most, row.hits), 1),
    retries: rows.value.reduce((most, row) => Math.max(most, row.retries), 1),
  }));
  return { sort, rows, top };
}

function tableHead(state: State, { sort, top }: Hits): HTMLElement {
  const words = lessonOf(state).t;
  const arrow = (key: Key) => (key === "token" ? " ↑" : " ↓");
  const head = (key: Key, label: () => string) =>
    h(
      "th",
      {
        class: key === "token" ? "" : "num",
        scope: "col",
        "aria-sort": () => (sort.value === key ? (key === "token" ? "ascending" : "descending") : undefined),
      },
      h(
        "button",
        {
          class: "sort",
          type: "button",
          "data-sort": key,
          onclick: () => {
            sort.value = key;
          },
        },
        label,
        () => (sort.value === key ? arrow(key) : ""),
      ),
    );
  const scale = (key: "hits" | "retries") =>
    h("td", { class: "meter-cell", "aria-hidden": "true" }, () => `0 – ${count(state.lang.value, top.value[key])}`);
  return h(
    "thead",
    h(
      "tr",
      head("token", () => words.value.s2.token),
      scale("hits"),
      head("hits", () => words.value.s3.hit),
      head("adds", () => words.value.s3.add),
      scale("retries"),
      head("retries", () => words.value.s3.retry),
    ),
  );
}

/** The first rows, the chosen one, and the sum of the others. */
function tableBody(state: State, { rows, top }: Hits): HTMLElement {
  const words = lessonOf(state).t;
  const c = (value: number) => count(state.lang.value, value);
  const body = h("tbody", { id: "hits-rows" });
  watch(() => {
    const all = rows.value;
    const chosen = state.chosen.value?.id;
    const shown = all.slice(0, ROWS);
    const own = all.find((row) => row.id === chosen);
    if (own && !shown.includes(own)) shown.push(own);
    const most = top.value;
    const others = all.filter((row) => !shown.includes(row));
    body.replaceChildren(...shown.map((row) => tie(state, rowLine(state, row, most), row.id)));
    if (others.length === 0) return;
    body.append(
      h(
        "tr",
        { class: "rest" },
        h("th", { scope: "row" }, words.value.s3.others(others.length)),
        h("td", { class: "meter-cell" }),
        h("td", { class: "num" }, c(total(others, "hits"))),
        h("td", { class: "num" }, c(total(others, "adds"))),
        h("td", { class: "meter-cell" }),
        h("td", { class: "num" }, c(total(others, "retries"))),
      ),
    );
  });
  return body;
}

function rowLine(state: State, row: Row, most: { readonly hits: number; readonly retries: number }): HTMLElement {
  const c = (value: number) => count(state.lang.value, value);
  const meter = (value: number, longest: number) =>
    h("span", {
      class: "meter",
      css: {
        "--p": longest ? (100 * value) / longest : 0,
        "--bar": `var(--count-${1 + Math.ceil((4 * value) / Math.max(1, longest))})`,
      },
    });
  return h(
    "tr",
    h(
      "th",
      { scope: "row" },
      h("button", { class: "pick", type: "button", "data-pick": row.id }, pieceMark(state, row.id, row.piece)),
      h("small", row.id),
    ),
    h("td", { class: "meter-cell" }, meter(row.hits, most.hits)),
    h("td", { class: "num hits", css: { "--p": (100 * row.hits) / most.hits } }, c(row.hits)),
    h("td", { class: "num adds" }, c(row.adds)),
    h("td", { class: "meter-cell" }, meter(row.retries, most.retries)),
    h("td", { class: "num retries", css: { "--p": (100 * row.retries) / most.retries } }, c(row.retries)),
  );
}

function tableFoot(state: State, { rows }: Hits): HTMLElement {
  const words = lessonOf(state).t;
  const sum = (key: "hits" | "adds" | "retries") =>
    h("td", { class: "num", id: `total-${key}` }, () => count(state.lang.value, total(rows.value, key)));
  return h(
    "tfoot",
    h(
      "tr",
      h("th", { scope: "row" }, () => words.value.s3.total),
      h("td", { class: "meter-cell" }),
      sum("hits"),
      sum("adds"),
      h("td", { class: "meter-cell" }),
      sum("retries"),
    ),
  );
}

/** Whether the GPU's counters agree with the ids. */
function agreement(state: State): Kid {
  const { s3 } = lessonOf(state).t.value;
  const gradient = state.gradient.value;
  if (!gradient) return undefined;
  if (!gradient.agrees) return [icon("warn"), s3.differs];
  return [icon("check"), h("span", rich(state.device.value?.backend === "cpu" ? s3.twin : s3.agrees))];
}

function retriesNote(state: State, rows: readonly Row[]): Kid {
  const { s3 } = lessonOf(state).t.value;
  const c = (value: number) => count(state.lang.value, value);
  if (!state.gradient.value || rows.length === 0) return undefined;
  if (state.device.value?.backend === "cpu") return s3.retriesCpu;
  const worst = rows.reduce((a, b) => (b.retries > a.retries ? b : a));
  if (worst.retries > 0)
    return s3.retriesSome(spoken(state, worst.id, worst.piece), c(writersOf(worst)), c(worst.retries));
  const said = s3.retriesNone(s3.positions(Math.max(...rows.map(writersOf))));
  return rich(`${said} ${lessonOf(state).hardware.value ? s3.retriesMore : s3.retriesSoftware}`);
}

/** What was skipped, and why. */
function why(state: State): Kid {
  const words = lessonOf(state).t;
  const skipped = computed(() => state.gradient.value?.result.skipped);
  const item = (id: string, name: () => string, amount: () => string, text: () => Kid, hit: () => boolean) =>
    h("div", { class: () => (hit() ? "hit" : ""), id }, h("dt", name), h("dd", amount), h("dd", text));
  return h(
    "dl",
    { class: "why", id: "skipped", "aria-label": () => words.value.s3.skipped },
    item(
      "skipped-outside",
      () => words.value.s3.outside,
      () => words.value.s3.positions(skipped.value?.outOfVocab ?? 0),
      () => words.value.s3.outsideSay,
      () => (skipped.value?.outOfVocab ?? 0) > 0,
    ),
    item(
      "skipped-zero",
      () => words.value.s3.zero,
      () => words.value.s3.elements(skipped.value?.zero ?? 0),
      () => words.value.s3.zeroSay,
      () => false,
    ),
    item(
      "skipped-nonfinite",
      () => words.value.s3.nonFinite,
      () => words.value.s3.elements(skipped.value?.nonFinite ?? 0),
      () => [words.value.s3.nonFiniteSay, ...plantedPlaces(state)],
      () => (skipped.value?.nonFinite ?? 0) > 0,
    ),
  );
}

/** Where the NaN and the Inf are that the reader put into the gradient. */
function plantedPlaces(state: State): string[] {
  const { s3 } = lessonOf(state).t.value;
  const gradient = state.gradient.value;
  if (!gradient) return [];
  const places = [
    ["NaN", gradient.planted.nan],
    ["Inf", gradient.planted.inf],
  ] as const;
  return places.flatMap(([what, i]) => {
    if (i === undefined) return [];
    const s = Math.floor(i / D);
    const id = gradient.tokens.ids[s] ?? 0;
    if (id >= state.vocabSize.value) return [];
    const piece = spoken(state, id, gradient.tokens.pieces[s] ?? "");
    return [` ${s3.nonFiniteAt(what, String(s), String(i % D), piece)}`];
  });
}
