// Section 3, second half: hits, additions and retries of each row as the GPU's atomics counted them, and what was skipped.
import { computed, signal } from "@preact/signals-core";
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

export function hitsView(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  const words = lessonOf(state).t;
  const sort = signal<Key>("hits");
  const c = (value: number) => count(lang.value, value);
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
  const head = (key: Key, label: () => string, number: boolean) =>
    h(
      "th",
      {
        class: number ? "num" : "",
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
        () => (sort.value === key ? (key === "token" ? " ↑" : " ↓") : ""),
      ),
    );
  const meter = (value: number, most: number) =>
    h("span", {
      class: "meter",
      css: {
        "--p": most ? (100 * value) / most : 0,
        "--bar": `var(--count-${1 + Math.ceil((4 * value) / Math.max(1, most))})`,
      },
    });

  const body = h("tbody", { id: "hits-rows" });
  watch(() => {
    const all = rows.value;
    const chosen = state.chosen.value?.id;
    const shown = all.slice(0, ROWS);
    const own = all.find((row) => row.id === chosen);
    if (own && !shown.includes(own)) shown.push(own);
    const most = top.value;
    const line = (row: (typeof all)[number]) =>
      tie(
        state,
        h(
          "tr",
          h(
            "th",
            { scope: "row" },
            h("button", { class: "pick", type: "button", "data-pick": row.id }, pieceMark(state, row.id, row.piece)),
            h("small", row.id),
          ),
          h("td", { class: "mh" }, meter(row.hits, most.hits)),
          h("td", { class: "num hits", css: { "--p": (100 * row.hits) / most.hits } }, c(row.hits)),
          h("td", { class: "num adds" }, c(row.adds)),
          h("td", { class: "mh" }, meter(row.retries, most.retries)),
          h("td", { class: "num retries", css: { "--p": (100 * row.retries) / most.retries } }, c(row.retries)),
        ),
        row.id,
      );
    const rest = all.length - shown.length;
    const total = (list: typeof all, key: "hits" | "adds" | "retries") => list.reduce((sum, row) => sum + row[key], 0);
    const others = all.filter((row) => !shown.includes(row));
    body.replaceChildren(
      ...shown.map(line),
      ...(rest > 0
        ? [
            h(
              "tr",
              { class: "rest" },
              h("th", { scope: "row" }, words.value.s3.others(rest)),
              h("td", { class: "mh" }),
              h("td", { class: "num" }, c(total(others, "hits"))),
              h("td", { class: "num" }, c(total(others, "adds"))),
              h("td", { class: "mh" }),
              h("td", { class: "num" }, c(total(others, "retries"))),
            ),
          ]
        : []),
    );
  });
  const sum = (key: "hits" | "adds" | "retries") => () => c(rows.value.reduce((all, row) => all + row[key], 0));

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
        rows: rows.value.map((row) => [row.id, pieceText(state, row.id, row.piece), row.hits, row.adds, row.retries]),
      }),
    },
    h(
      "table",
      { class: "hits", id: "hits-table" },
      h("caption", { class: "sr" }, () => words.value.s3.hits),
      h(
        "thead",
        h(
          "tr",
          head("token", () => words.value.s2.token, false),
          h("td", { class: "mh", "aria-hidden": "true" }, () => `0 – ${c(top.value.hits)}`),
          head("hits", () => words.value.s3.hit, true),
          head("adds", () => words.value.s3.add, true),
          h("td", { class: "mh", "aria-hidden": "true" }, () => `0 – ${c(top.value.retries)}`),
          head("retries", () => words.value.s3.retry, true),
        ),
      ),
      body,
      h(
        "tfoot",
        h(
          "tr",
          h("th", { scope: "row" }, () => words.value.s3.total),
          h("td", { class: "mh" }),
          h("td", { class: "num", id: "total-hits" }, sum("hits")),
          h("td", { class: "num", id: "total-adds" }, sum("adds")),
          h("td", { class: "mh" }),
          h("td", { class: "num", id: "total-retries" }, sum("retries")),
        ),
      ),
    ),
    h(
      "p",
      { class: () => `check ${state.gradient.value?.agrees === false ? "bad" : "good"}`, id: "hits-check" },
      (): Kid => {
        const gradient = state.gradient.value;
        if (!gradient) return undefined;
        if (!gradient.agrees) return [icon("warn"), words.value.s3.differs];
        return [icon("check"), state.device.value?.backend === "cpu" ? words.value.s3.twin : words.value.s3.agrees];
      },
    ),
    h("p", { class: "note", id: "retries-note" }, () => {
      if (!state.gradient.value || rows.value.length === 0) return undefined;
      if (state.device.value?.backend === "cpu") return words.value.s3.retriesCpu;
      const worst = rows.value.reduce((a, b) => (b.retries > a.retries ? b : a));
      const most = rows.value.reduce((a, b) => (b.hits > a.hits ? b : a));
      if (worst.retries === 0) return words.value.s3.retriesNone(words.value.s3.positions(most.hits));
      return words.value.s3.retriesSome(spoken(state, worst.id, worst.piece), c(worst.hits), c(worst.retries));
    }),
    why(state),
  );
  question(
    container,
    () => rich(words.value.s3.ask),
    () => rich(words.value.s3.answer),
    () => t.value.question,
  );
}

function why(state: State): Kid {
  const words = lessonOf(state).t;
  const skipped = computed(() => state.gradient.value?.result.skipped);
  const item = (id: string, name: () => string, amount: () => string, text: () => Kid, hit: () => boolean) =>
    h("div", { class: () => (hit() ? "hit" : ""), id }, h("dt", name), h("dd", amount), h("dd", text));
  const where = () => {
    const gradient = state.gradient.value;
    if (!gradient) return [];
    return (
      [
        ["NaN", gradient.planted.nan],
        ["Inf", gradient.planted.inf],
      ] as const
    ).flatMap(([what, i]) => {
      if (i === undefined) return [];
      const s = Math.floor(i / D);
      const id = gradient.tokens.ids[s] ?? 0;
      if (id >= state.vocabSize.value) return [];
      return [
        ` ${words.value.s3.nonFiniteAt(what, String(s), String(i % D), spoken(state, id, gradient.tokens.pieces[s] ?? ""))}`,
      ];
    });
  };
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
      () => [words.value.s3.nonFiniteSay, ...where()],
      () => (skipped.value?.nonFinite ?? 0) > 0,
    ),
  );
}
