// The nearest five words by name, before the first step and now.
import { computed, signal } from "@preact/signals-core";
import { h } from "../dom";
import { fixed } from "../format";
import type { State } from "../state";
import { type Near, nearest } from "./cosine";
import { factsOf } from "./facts";
import type { Page } from "./page";
import { WIDTH } from "./tables";
import type { Training } from "./training";
import { nameOf, wordsOf } from "./words";

const MOST = 5;

export function nearView(container: HTMLElement, state: State, page: Page, { snapshot }: Training): void {
  const t = wordsOf(state);
  const { lang } = state;
  /** Index of the word that is asked for, among those that are watched. */
  const asked = signal(0);
  const source = computed(() => snapshot.value?.source);
  const watched = computed(() => snapshot.value?.watched);
  const words = computed(() => [...new Set((watched.value ?? []).flatMap(({ left, right }) => [left, right]))]);
  const word = computed(() => words.value[Math.min(asked.value, words.value.length - 1)]);
  const rows = { before: computed(() => snapshot.value?.before), now: computed(() => snapshot.value?.now) };
  const found = (which: "before" | "now") =>
    computed((): readonly Near[] => {
      const { value } = rows[which];
      return value && word.value !== undefined ? nearest(value, WIDTH, word.value, MOST) : [];
    });
  const lists = { before: found("before"), now: found("now") };
  const name = (index: number | undefined) => (index === undefined ? "" : nameOf(state, source.value?.ids[index] ?? 0));
  const list = (which: "before" | "now") =>
    h("ol", { class: "near", id: `train-near-${which}` }, () =>
      lists[which].value.map((one) =>
        h(
          "li",
          h("span", name(one.index)),
          h("span", { class: "meter", css: { "--p": Math.max(0, one.cosine) * 100 } }),
          h("em", fixed(lang.value, one.cosine, 2)),
        ),
      ),
    );
  page.figure(
    container,
    state,
    {
      id: "train-near",
      title: () => [t.value.near, " ", h("small", name(word.value))],
      name: () => t.value.near,
      facts: () => factsOf(snapshot.peek()),
      data: () => ({
        columns: [
          { key: "when", label: t.value.when },
          { key: "word", label: t.value.word },
          { key: "neighbour", label: t.value.neighbour },
          { key: "cosine", label: t.value.cosine, numeric: true },
        ],
        rows: (["before", "now"] as const).flatMap((which) =>
          lists[which].value.map((one) => [
            which === "before" ? t.value.nearBefore : t.value.nearNow(snapshot.value?.nowAt ?? 0),
            name(word.value),
            name(one.index),
            one.cosine,
          ]),
        ),
      }),
    },
    h("div", { class: "bar train-words", id: "train-words", role: "group", "aria-label": () => t.value.nearOf }, () =>
      words.value.map((index, i) =>
        h(
          "button",
          {
            class: "btn small",
            type: "button",
            "aria-pressed": () => String(word.value === index),
            onclick: () => {
              asked.value = i;
            },
          },
          () => {
            const meaning = t.value.gloss[name(index)];
            return meaning ? `${name(index)} (${meaning})` : name(index);
          },
        ),
      ),
    ),
    h("p", { class: "note", hidden: () => snapshot.value !== undefined }, () => t.value.noneYet),
    h(
      "div",
      { class: "two train-near", hidden: () => snapshot.value === undefined },
      h(
        "div",
        h("h4", () => t.value.nearBefore),
        list("before"),
      ),
      h(
        "div",
        h("h4", () => t.value.nearNow(snapshot.value?.nowAt ?? 0)),
        list("now"),
      ),
    ),
  );
}
