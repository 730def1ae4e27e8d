// The door of a section whose code and styles are loaded when the reader comes near it: a head, and nothing that adds to what is
// loaded before the first lookup. What its code uses of the page's views is handed over, not imported: a module shared with the
// first screen would become a file of its own, loaded before the first lookup.
import { effect, signal, untracked } from "@preact/signals-core";
import { h, near, rich } from "../dom";
import { neededOnPaper } from "../paper";
import type { State } from "../state";
import { notice } from "../ui";

export interface Door {
  readonly n: number;
  readonly title: () => string;
  readonly say: () => string;
  /** Fetches the section's code, which puts what it shows under the head. */
  readonly fetch: () => Promise<() => void>;
}

export function door(container: HTMLElement, state: State, { n, title, say, fetch }: Door): void {
  const failed = signal("");
  container.append(
    h("h2", { id: `h${n}`, tabindex: -1 }, h("span", { class: "n" }, n), h("span", title)),
    h(
      "div",
      { class: "say" },
      h("p", () => rich(say())),
    ),
    notice({ kind: "warning", text: () => failed.value && `${state.t.value.failed} ${failed.value}` }),
  );
  container.setAttribute("aria-labelledby", `h${n}`);
  const seen = near(container);
  let show: (() => void) | undefined;
  const come = async () => {
    show ??= await fetch();
    return show;
  };
  neededOnPaper(come);
  let opened = false;
  effect(() => {
    if (!seen.value || opened) return;
    opened = true;
    // Printing waits for nothing: what was fetched before is shown at once.
    if (show) return untracked(show);
    void come()
      .then((shown) => shown())
      .catch((error: unknown) => {
        failed.value = error instanceof Error ? error.message : String(error);
      });
  });
}
