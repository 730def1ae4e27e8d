// Section 1, second half: words that fall into unexpected pieces, and why.
import { computed } from "@preact/signals-core";
import { h, rich, watch } from "../dom";
import { lessonOf, plain } from "../lesson";
import type { State } from "../state";
import { figure, question } from "./figure";
import { chip, gloss } from "./token";

/** Words that fall into unexpected pieces, cut by the tokenizer just now. */
export function splitsView(container: HTMLElement, state: State): void {
  const { t } = state;
  const lesson = lessonOf(state).t;
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
          h("b", { translate: "no" }, word, gloss(state, word)),
          h(
            "span",
            { class: "row" },
            [...(all[i]?.ids ?? [])].map((id, k) => chip(state, id, all[i]?.pieces[k] ?? "", { tiny: true })),
          ),
          h("p", () => rich(lesson.value.s1.splits[why])),
        ),
      ),
    );
  });
  figure(
    container,
    state,
    {
      id: "splits",
      title: () => rich(lesson.value.s1.why),
      name: () => lesson.value.s1.why.replaceAll("`", ""),
      data: () => ({
        columns: [
          { key: "text", label: lesson.value.s1.splitWord },
          { key: "pieces", label: lesson.value.s1.splitPieces },
          { key: "ids", label: t.value.s1.id },
          { key: "why", label: lesson.value.s1.splitWhy },
        ],
        rows: words.map(([word, why], i) => [
          word,
          (cut.value?.[i]?.pieces ?? []).join(" "),
          [...(cut.value?.[i]?.ids ?? [])].join(" "),
          plain(lesson.value.s1.splits[why]),
        ]),
      }),
    },
    list,
  );
  question(
    container,
    () => rich(lesson.value.s1.ask),
    () => rich(lesson.value.s1.answer),
    () => t.value.question,
  );
}
