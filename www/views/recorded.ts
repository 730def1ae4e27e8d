// The switch that shows a recorded graphics card beside the reader's own figures, and where its numbers come from.
import { effect } from "@preact/signals-core";
import { h, type Kid, near } from "../dom";
import type { Lesson } from "../lesson";
import { type Recording, sourceOf } from "../record/recording";
import type { State } from "../state";
import { type Column, toggle } from "../ui";

/** The recording, where its times are of the skew that section 6 shows. */
export function recordedTimes(state: State, { recorded }: Lesson): Recording | undefined {
  const one = recorded.shown.value;
  return one && Math.abs(one.speed.skew - shownSkew(state)) < 0.05 ? one : undefined;
}

export const shownSkew = (state: State) => state.sweep.value?.skew ?? state.skew.value;

export function recordedBar(state: State, { t, recorded }: Lesson, id: string, full = false): Kid {
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
    const source = sourceOf(shown.value, state.lang.value);
    // Said at length where it comes first.
    return full ? t.value.recorded.source(source, shown.value.commit) : t.value.recorded.again(source);
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

/** Columns that are there only with something in them: measured here, or recorded. */
export const columnsIf = <Row>(there: boolean, columns: () => readonly Column<Row>[]) => (there ? columns() : []);
