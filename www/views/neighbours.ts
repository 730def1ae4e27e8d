// The rows nearest to the chosen one, and those whose ids are next to its id: a near id is not a near meaning, and where it
// happens to be both, the page says so.
import { h, type Kid, rich } from "../dom";
import { fixed } from "../format";
import { lessonOf } from "../lesson";
import type { Neighbour, Neighbours } from "../results";
import type { State } from "../state";
import { type Column, tableData } from "../ui";
import { figure } from "./figure";
import { gloss, pieceMark, pieceOf, pieceText, spoken, tie } from "./token";

/** Cosine from which on two rows are called near; rows of random numbers stay far below. */
const NEAR = 0.35;

interface Listed extends Neighbour {
  readonly list: string;
}

export function neighboursView(container: HTMLElement, state: State): void {
  const { t } = state;
  const words = lessonOf(state).t;
  const listed = (): Listed[] => {
    const near = state.neighbours.value;
    const part = (items: readonly Neighbour[] | undefined, list: string) =>
      (items ?? []).map((one) => ({ ...one, list }));
    return [
      ...part(near?.byMeaning, words.value.s2.cosine),
      ...part(near?.far, words.value.s2.far),
      ...part(near?.byNumber, t.value.s1.id),
    ];
  };
  const columns: Column<Listed>[] = [
    { key: "list", label: () => words.value.s2.list, value: (one) => one.list },
    { key: "piece", label: () => t.value.s1.piece, value: (one) => pieceText(state, one.id, one.piece) },
    { key: "id", label: () => t.value.s1.id, numeric: true, value: (one) => one.id },
    { key: "cosine", label: () => words.value.s2.cosine, numeric: true, value: (one) => one.cosine },
  ];
  figure(
    container,
    state,
    {
      id: "neighbours",
      title: () => {
        const near = state.neighbours.value;
        return [words.value.s2.meaning, " ", near && h("small", spoken(state, near.id, pieceOf(state, near.id)))];
      },
      name: () => words.value.s2.meaning,
      data: () => tableData(columns, listed()),
    },
    h("div", { id: "near" }, (): Kid => {
      const near = state.neighbours.value;
      if (state.tokens.value?.ids.length === 0) return h("p", { class: "note" }, t.value.s1.empty);
      if (!near) return h("p", { class: "note" }, t.value.s2.waiting);
      if (near.id >= state.vocabSize.value) return h("p", { class: "note" }, words.value.s2.noRow);
      const all = [...near.byMeaning, ...near.byNumber];
      // A row of zeros has the cosine 0 with every other; among rows of numbers none has it exactly.
      if (all.length > 0 && all.every((one) => one.cosine === 0))
        return h("p", { class: "note" }, words.value.s2.zeroRow);
      return lists(state, near);
    }),
  );
}

function lists(state: State, near: Neighbours): Kid {
  const { lang } = state;
  const words = lessonOf(state).t;
  const best = near.byMeaning[0]?.cosine ?? 0;
  const cosine = (value: number) => fixed(lang.value, value, 3);
  const far = near.far.map((one) => spoken(state, one.id, one.piece)).join(", ");
  return [
    list(state, near.byMeaning, ""),
    list(state, near.far, "far"),
    h(
      "p",
      { class: "note" },
      best < NEAR && !state.ownTable.value ? words.value.s2.randomRow(cosine(best)) : undefined,
    ),
    h("p", { class: "note" }, far && words.value.s2.farSay(far)),
    h("h4", words.value.s2.number),
    list(state, near.byNumber, "number"),
    h("p", { class: "note", id: "number-note" }, rich(numbersSay(state, near))),
  ];
}

/** Of the neighbours by number the nearest by cosine: is it near in meaning as well? */
function numbersSay(state: State, near: Neighbours): string {
  const { s2 } = lessonOf(state).t.value;
  const beside = near.byNumber.filter((one) => Math.abs(one.id - near.id) === 1);
  const closest = near.byNumber.reduce<Neighbour | undefined>((a, b) => (a && a.cosine >= b.cosine ? a : b), undefined);
  const say = (one: Neighbour | undefined, words: (a: string, b: string, cosine: string) => string) =>
    one ? words(String(near.id), String(one.id), fixed(state.lang.value, one.cosine, 3)) : "";
  if (closest && closest.cosine >= NEAR) return say(closest, s2.numberToo);
  return say(beside.at(-1), s2.numberSay);
}

function list(state: State, items: readonly Neighbour[], style: string): HTMLElement {
  const line = (one: Neighbour) =>
    h(
      "li",
      { translate: "no" },
      h(
        "span",
        h("span", pieceMark(state, one.id, one.piece), gloss(state, one.piece)),
        style === "number" && h("small", one.id),
      ),
      h("span", { class: "meter", css: { "--p": Math.max(0, one.cosine) * 100 } }),
      h("em", fixed(state.lang.value, one.cosine, 3)),
    );
  return h(
    "ul",
    { class: `near ${style}` },
    items.map((one) => tie(state, line(one), one.id)),
  );
}
