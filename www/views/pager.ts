// Steps through a long list a page at a time.
import { computed, type ReadonlySignal } from "@preact/signals-core";
import { h, icon, watch } from "../dom";
import { choose, type State } from "../state";

export interface PageOptions {
  readonly size: number;
  /** Index of the chosen one, and how many there are. */
  readonly at: ReadonlySignal<number>;
  readonly all: ReadonlySignal<number>;
  /** Chooses the one at an index. */
  readonly go: (at: number) => void;
  readonly label: () => string;
}

/** Steps through the positions; the page is the one that the chosen position is on. */
export function pager(state: State, size: number, label: () => string): HTMLElement {
  return pagesOf(state, {
    size,
    at: computed(() => state.chosen.value?.s ?? 0),
    all: computed(() => state.tokens.value?.ids.length ?? 0),
    go: (s) => choose(state, { s }),
    label,
  });
}

export function pagesOf(state: State, { size, at, all, go, label }: PageOptions): HTMLElement {
  const page = computed(() => Math.floor(at.value / size));
  const step = (by: number, name: () => string, flip: string) =>
    h(
      "button",
      {
        class: "btn small",
        type: "button",
        "aria-label": name,
        disabled: () => (by < 0 ? page.value === 0 : (page.value + 1) * size >= all.value),
        onclick: () => go(Math.max(0, Math.min(all.value - 1, (page.value + by) * size))),
      },
      icon("play", `f ${flip}`),
    );
  const root = h(
    "div",
    { class: "pager", role: "group", "aria-label": label },
    step(-1, () => state.t.value.page.before, "flip"),
    h("span", () => {
      const from = page.value * size;
      return state.t.value.page.of(from, Math.min(all.value, from + size) - 1, all.value);
    }),
    step(1, () => state.t.value.page.after, ""),
  );
  watch(() => {
    root.hidden = all.value <= size;
  });
  return root;
}
