// What can be taken away: the rows of the words that were trained, as a table and as files.
import { computed } from "@preact/signals-core";
import { h } from "../dom";
import type { OwnTable } from "../results";
import type { State } from "../state";
import { factsOf } from "./facts";
import type { Page } from "./page";
import { WIDTH } from "./tables";
import { textGradient } from "./text-gradient";
import type { TrainedTable, Training } from "./training";
import { nameOf, wordsOf } from "./words";

/** Columns on the page; files have all. */
const SHOWN = 6;

export function keepView(container: HTMLElement, state: State, page: Page, training: Training): void {
  const { snapshot } = training;
  const t = wordsOf(state);
  const source = computed(() => snapshot.value?.source);
  const rows = computed(() => snapshot.value?.now);
  const data = (columns: number) => ({
    columns: [
      { key: "piece", label: t.value.piece },
      { key: "id", label: t.value.id, numeric: true },
      ...Array.from({ length: columns }, (_, d) => ({ key: `d${d}`, label: `d = ${d}`, numeric: true })),
    ],
    rows: Array.from(source.value?.ids ?? [], (id, i) => [
      nameOf(state, id),
      id,
      ...(rows.value ?? new Float32Array(0)).subarray(i * WIDTH, i * WIDTH + columns),
    ]),
  });
  page.figure(
    container,
    state,
    {
      id: "trained",
      title: () => t.value.keep,
      name: () => t.value.keep,
      facts: () => factsOf(snapshot.peek()),
      data: () => data(SHOWN),
      full: () => data(WIDTH),
    },
    h("p", { class: "note" }, () => (source.value ? t.value.keepSay(source.value.ids.length, WIDTH) : t.value.noneYet)),
    h(
      "div",
      { class: "bar train-keep" },
      h(
        "button",
        {
          class: "btn",
          id: "train-show",
          type: "button",
          disabled: () =>
            training.job.running.value ||
            training.lost.value !== undefined ||
            !snapshot.value ||
            snapshot.value.step === 0 ||
            state.vectors.value !== "ready",
          onclick: () => {
            training.trained().then(
              (trained) => {
                if (trained) state.ownTable.value = tableOf(trained, state.vocabSize.peek());
              },
              (error: unknown) => {
                state.failure.value = page.messageOf(error);
              },
            );
          },
        },
        () => t.value.show,
      ),
      () =>
        state.ownTable.value &&
        h(
          "button",
          {
            class: "btn",
            id: "train-put-back",
            type: "button",
            onclick: () => {
              state.ownTable.value = undefined;
            },
          },
          () => t.value.putBack,
        ),
    ),
    h("p", { class: "note", id: "train-showing", role: "status" }, () => {
      const own = state.ownTable.value;
      if (own) return [t.value.showing(own.steps), h("a", { href: "#s2" }, t.value.goThere)];
      return state.vectors.value === "failed" ? t.value.needVectors : undefined;
    }),
  );
}

/** The trained rows in their places among all, brought to norm 1; a row that has no direction stays zeros. */
function tableOf({ steps, ...trained }: TrainedTable, vocabSize: number): OwnTable {
  const { source, centres, width } = trained;
  const rows = new Float32Array(vocabSize * width);
  let directed = 0;
  for (const [i, id] of source.ids.entries()) {
    const row = centres.subarray(i * width, (i + 1) * width);
    const norm = Math.hypot(...row);
    if (!(norm > 0 && norm < Number.POSITIVE_INFINITY)) continue;
    rows.set(
      row.map((one) => one / norm),
      id * width,
    );
    directed += 1;
  }
  return { rows, width, trained: directed, steps, gradient: (ids) => textGradient(trained, ids) };
}
