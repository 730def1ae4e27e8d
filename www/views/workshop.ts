// The door of section 7: its head; the workshop behind it is fetched when a reader comes near.
import { signal } from "@preact/signals-core";
import { link } from "../address";
import { h, near, rich, watch } from "../dom";
import { createJob } from "../job";
import type { State } from "../state";
import { notice } from "../ui";
import { fallbackReason } from "./badge";
import { jobButton, jobProgress } from "./job";
import { legend } from "./legend";

const linkTo = (state: State) => link(state, location).href;

/**
 * What the workshop uses of the page's views. It is handed over, not imported: modules that the workshop shared with the
 * first screen alone would be files of their own, which weigh on the first lookup.
 */
const PAGE = { link: linkTo, createJob, jobButton, jobProgress, legend, fallbackReason };
export type Page = typeof PAGE;

export function workshopDoor(container: HTMLElement, state: State): void {
  const { t } = state;
  const failed = signal("");
  container.append(
    h(
      "h2",
      { id: "h7", tabindex: -1 },
      h("span", { class: "n" }, 7),
      h("span", () => t.value.later.seven),
    ),
    h(
      "div",
      { class: "say" },
      h("p", () => rich(t.value.later.sevenSay)),
    ),
    notice({ kind: "warning", text: () => failed.value && `${t.value.failed} ${failed.value}` }),
  );
  container.setAttribute("aria-labelledby", "h7");
  const seen = near(container);
  let opened = false;
  watch(() => {
    if (!seen.value || opened) return;
    opened = true;
    import("../workshop/view").then(
      ({ workshopView }) => workshopView(container, state, PAGE),
      (error: unknown) => {
        failed.value = error instanceof Error ? error.message : String(error);
      },
    );
  });
}
