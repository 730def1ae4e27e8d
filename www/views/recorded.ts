// The switch that shows a recorded graphics card beside the reader's own figures, and where its numbers come from.
import { effect } from "@preact/signals-core";
import { h, type Kid, near } from "../dom";
import type { Lesson } from "../lesson";
import { sourceOf } from "../record/recording";
import type { State } from "../state";
import { type Column, toggle } from "../ui";

export function recordedBar(state: State, { t, recorded }: Lesson, id: string): Kid {
  if (!recorded.some) return undefined;
  const which = (): Kid =>
    recorded.on.value && recorded.all.value.length > 1
      ? recorded.all.value.map((one, i) =>
          h(
            "button",
            {
              class: "btn small",
              type: "button",
              "aria-pressed": String((recorded.which.value || 0) === i),
              onclick: () => {
                recorded.which.value = i;
              },
            },
            one.browser.replace(/ .*/, ""),
          ),
        )
      : undefined;
  const said = () => {
    if (!recorded.on.value) return "";
    if (recorded.failed.value) return t.value.recorded.failed;
    const { shown } = recorded;
    if (!shown.value) return t.value.recorded.loading;
    return t.value.recorded.source(sourceOf(shown.value, state.lang.value), shown.value.commit);
  };
  const bar = h(
    "div",
    { class: "recorded", id },
    h(
      "div",
      { class: "row" },
      toggle({ id: `${id}-on`, label: () => t.value.recorded.show, on: recorded.on }),
      h("span", { class: "row", role: "group", "aria-label": () => t.value.recorded.which }, which),
    ),
    h("p", { class: () => (recorded.shown.value ? "note" : "note screen-only"), role: "status" }, said),
  );
  const seen = near(bar);
  effect(() => {
    if (seen.value && recorded.on.value) void recorded.load();
  });
  return bar;
}

/** Columns of a table that are there only while the recorded card is shown. */
export const recordedColumns = <Row>({ recorded }: Lesson, columns: () => readonly Column<Row>[]) =>
  recorded.shown.value ? columns() : [];
