// The additions that meet in the shown cell, and the sum that the kernel wrote.
import { computed } from "@preact/signals-core";
import { h } from "../dom";
import { exact, fixed } from "../format";
import { lessonOf } from "../lesson";
import { D, type State } from "../state";
import { type Column, table, tableData } from "../ui";
import { inText, story } from "./cell";
import { figure } from "./figure";
import { chip, pieceOf } from "./token";

/** Contributions on the page at once; the files have them all. */
const WRITERS = 8;

/** Added in this order in f32, without what a kernel skips. */
function sumOf(parts: readonly { readonly value: number }[]): number {
  const added = parts.filter(({ value }) => Number.isFinite(value));
  return added.reduce((sum, { value }) => Math.fround(sum + value), 0);
}

/** The additions that meet in the shown cell. */
export function writersView(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  const words = lessonOf(state).t;
  const here = computed(() => {
    const place = inText(state);
    const gradient = state.gradient.value;
    if (!place || !gradient) return undefined;
    const spots = state.positions.value.get(place.id) ?? [];
    const u = gradient.result.rows.indexOf(place.id);
    const parts = spots.map((s) => ({ s, value: gradient.upstream[s * D + place.d] ?? 0 }));
    return { place, parts, cell: u >= 0 ? gradient.result.grad[u * D + place.d] : undefined };
  });
  type Part = { readonly s: number; readonly value: number };
  const parts = (): readonly Part[] => here.value?.parts ?? [];
  const number = (value: number) => fixed(lang.value, value, 5);
  const columns: Column<Part>[] = [
    { key: "position", label: () => t.value.s1.position, numeric: true, value: (part) => part.s },
    {
      key: "contribution",
      label: () => words.value.s3.contribution,
      numeric: true,
      value: (part) => part.value,
      show: ({ value }) => {
        const skipped = value === 0 || !Number.isFinite(value);
        const text = `${value >= 0 ? "+" : ""}${number(value)}`;
        return skipped ? [h("span", { class: "skipped" }, text), h("small", ` ${words.value.s3.skippedHere}`)] : text;
      },
    },
  ];
  figure(
    container,
    state,
    {
      id: "writers",
      title: () => words.value.s3.writers,
      name: () => words.value.s3.writers,
      isTable: true,
      data: () => tableData(columns, parts()),
    },
    h("p", { class: "cellname", hidden: () => here.value?.cell === undefined }, () => {
      const place = here.value?.place;
      if (!place) return undefined;
      return [
        chip(state, place.id, pieceOf(state, place.id), { tiny: true }),
        h("span", { class: "head-label" }, words.value.s3.writersCell(String(place.id), String(place.d))),
        h("code", `grad_table[${place.id * D + place.d}]`),
      ];
    }),
    table(lang, {
      class: "sum",
      caption: () => words.value.s3.writers,
      columns,
      hidden: () => here.value?.cell === undefined,
      rows: () => parts().slice(0, WRITERS),
      more: () => {
        const more = parts().length - WRITERS;
        return more > 0 && h("tr", h("td", { class: "more", colspan: 2 }, words.value.s3.manyWriters(more)));
      },
      foot: h(
        "tr",
        h("th", { scope: "row" }, () =>
          state.device.value?.backend === "cpu" ? words.value.s3.fromCpu : words.value.s3.fromGpu,
        ),
        h("td", { class: "num", id: "cell-sum" }, () => number(here.value?.cell ?? 0)),
      ),
    }),
    story(state, "writers"),
    h("p", { class: "note" }, () => {
      if (!here.value) return undefined;
      if (here.value.cell === undefined) return words.value.s3.noWriters;
      const [forwards, backwards] = [sumOf(parts()), sumOf([...parts()].reverse())];
      if (forwards === backwards) return undefined;
      return words.value.s3.orderNote(exact(lang.value, forwards), exact(lang.value, backwards));
    }),
  );
}
