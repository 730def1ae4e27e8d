// The foot of the page: privacy, sources, and everything to take away.
import { h } from "../dom";
import { save } from "../export";
import { D, type State } from "../state";

export function footView(container: HTMLElement, state: State): void {
  const { t } = state;
  const all = () => {
    const gradient = state.gradient.peek();
    const tokens = state.tokens.peek();
    const text = (state.head.peek() + state.tail.peek()).slice(0, 200_000);
    const numbers = {
      made: new Date().toISOString(),
      adapter: state.device.peek()?.adapter ?? null,
      backend: state.device.peek()?.backend ?? null,
      text,
      dModel: D,
      vocabSize: state.vocabSize.peek(),
      tokens: tokens && { ids: [...tokens.ids], pieces: tokens.pieces, spans: [...tokens.spans], total: tokens.total },
      gradient: gradient && {
        upstream: state.upstream.peek(),
        seed: state.seed.peek(),
        rows: [...gradient.result.rows],
        hits: [...gradient.result.hits],
        adds: [...gradient.result.adds],
        retries: gradient.result.retries ? [...gradient.result.retries] : null,
        skipped: gradient.result.skipped,
      },
      neighbours: state.neighbours.peek() ?? null,
    };
    save("gomme.json", JSON.stringify(numbers, null, 1), "application/json");
  };
  container.append(
    h(
      "div",
      h(
        "p",
        h("b", () => t.value.foot.privacyTitle),
        () => t.value.foot.privacy,
      ),
      h(
        "p",
        h("b", () => t.value.foot.sourcesTitle),
        () => t.value.foot.sources,
      ),
      h(
        "p",
        { class: "tools" },
        h("b", () => t.value.foot.takeTitle),
        h("button", { class: "linkish", id: "export-all", type: "button", onclick: all }, () => t.value.foot.all),
        h(
          "button",
          { class: "linkish", id: "print", type: "button", onclick: () => print() },
          () => t.value.foot.print,
        ),
      ),
    ),
  );
}
