// Steps through positions a page at a time.
import { computed } from "@preact/signals-core";
import { h, icon, type Kid, watch } from "../dom";
import { choose, type State } from "../state";

/** Steps through the positions a page at a time; the page is the one that the chosen position is on. */
export function pager(state: State, size: number, label: () => string): Kid {
  const at = computed(() => Math.floor((state.chosen.value?.s ?? 0) / size));
  const all = computed(() => state.tokens.value?.ids.length ?? 0);
  const step = (by: number, name: () => string, flip: string) =>
    h(
      "button",
      {
        class: "btn small",
        type: "button",
        "aria-label": name,
        disabled: () => (by < 0 ? at.value === 0 : (at.value + 1) * size >= all.value),
        onclick: () => choose(state, { s: Math.max(0, Math.min(all.value - 1, (at.value + by) * size)) }),
      },
      icon("play", `f ${flip}`),
    );
  const root = h(
    "div",
    { class: "pager", role: "group", "aria-label": label },
    step(-1, () => state.t.value.page.before, "flip"),
    h("span", () => {
      const from = at.value * size;
      return state.t.value.page.of(from, Math.min(all.value, from + size) - 1, all.value);
    }),
    step(1, () => state.t.value.page.after, ""),
  );
  watch(() => {
    root.hidden = all.value <= size;
  });
  return root;
}
