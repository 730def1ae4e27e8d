// A section whose code and style come when the reader comes near it: nothing of it weighs on the first lookup.
import { effect } from "@preact/signals-core";
import { h, near } from "../dom";
import type { State } from "../state";
import { notice } from "../ui";

type View = (container: HTMLElement, state: State) => void;

export interface LazySection {
  readonly n: number;
  /** What stands there until then. */
  readonly title: () => string;
  readonly say: () => string;
  readonly load: () => Promise<View>;
  /** File name of its style sheet. */
  readonly style: string;
}

export function lazySection(container: HTMLElement, state: State, { n, title, say, load, style }: LazySection): void {
  container.append(
    h("h2", { id: `h${n}`, tabindex: -1 }, h("span", { class: "n" }, n), h("span", title)),
    h("div", { class: "say" }, h("p", say)),
  );
  container.setAttribute("aria-labelledby", `h${n}`);
  const seen = near(container);
  effect(() => {
    if (seen.value) void open();
  });

  async function open(): Promise<void> {
    try {
      const [view] = await Promise.all([load(), loadStyle(style)]);
      // The title has the focus where a link led here.
      const focused = container.contains(document.activeElement);
      container.replaceChildren();
      view(container, state);
      if (focused) document.getElementById(`h${n}`)?.focus({ preventScroll: true });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      container.append(notice({ kind: "warning", text: () => `${state.t.value.failed} ${why}` }));
    }
  }
}

/** The one-file page has all styles in it, and links none. */
async function loadStyle(name: string): Promise<void> {
  if (!document.querySelector("link[rel=stylesheet]")) return;
  const link = h("link", { rel: "stylesheet", href: name });
  await new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", () => reject(new Error(`${link.href}?`)));
    document.head.append(link);
  });
}
