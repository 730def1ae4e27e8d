// The foot of the page: privacy, sources, and everything to take away.
import { untracked } from "@preact/signals-core";
import { h } from "../dom";
import { records, save } from "../export";
import { lessonOf } from "../lesson";
import { fetchForPaper } from "../paper";
import { settings } from "../settings";
import { D, type State } from "../state";
import { figuresOf } from "./figure";

/** Rows of the output and of the gradient in the file that holds everything; a longer text's first ones. */
const MAX_ROWS = 1024;

export function footView(container: HTMLElement, state: State): void {
  const { t } = lessonOf(state);
  const part = (title: () => string, text: () => string) => h("p", h("b", title), text);
  const button = (id: string, act: () => void, name: () => string) =>
    h("button", { class: "linkish", id, type: "button", onclick: act }, name);
  container.append(
    h(
      "div",
      part(
        () => t.value.foot.privacyTitle,
        () => t.value.foot.privacy,
      ),
      part(
        () => t.value.foot.sourcesTitle,
        () => t.value.foot.sources,
      ),
      h(
        "p",
        { class: "tools" },
        h("b", () => t.value.foot.takeTitle),
        button(
          "export-all",
          () =>
            save(
              "gomme.json",
              JSON.stringify(
                untracked(() => everything(state)),
                number,
                1,
              ),
              "application/json",
            ),
          () => t.value.foot.all,
        ),
        button(
          "print",
          () => void fetchForPaper().then(() => print()),
          () => t.value.foot.print,
        ),
      ),
    ),
  );
}

/** JSON has no word for NaN and Inf: they become texts. */
const number = (_: string, value: unknown) =>
  typeof value === "number" && !Number.isFinite(value) ? String(value) : value;

/** All that the page knows just now: the text, the settings, what the kernels gave, and each figure's table. */
function everything(state: State): object {
  const tokens = state.tokens.value;
  return {
    made: new Date().toISOString(),
    adapter: state.device.value?.adapter ?? null,
    backend: state.device.value?.backend ?? null,
    text: (state.head.value + state.tail.value).slice(0, 200_000),
    settings: Object.fromEntries(settings(state).map((one) => [one.key, one.written() ?? null])),
    dModel: D,
    vocabSize: state.vocabSize.value,
    tokens: tokens && { ids: [...tokens.ids], pieces: tokens.pieces, spans: [...tokens.spans], total: tokens.total },
    output: output(state),
    gradient: gradient(state),
    neighbours: state.neighbours.value ?? null,
    figures: Object.fromEntries([...figuresOf(state)].map(([id, table]) => [id, records(table())])),
  };
}

const rowsOf = (values: Float32Array, many: number) =>
  Array.from({ length: Math.min(many, MAX_ROWS) }, (_, u) => [...values.subarray(u * D, (u + 1) * D)]);

function output(state: State): object | null {
  const lookup = state.lookup.value;
  if (!lookup) return null;
  const { ids } = lookup.tokens;
  return { positions: ids.length, rows: rowsOf(lookup.out, ids.length) };
}

function gradient(state: State): object | null {
  const now = state.gradient.value;
  if (!now) return null;
  const { rows, hits, adds, retries, skipped, grad } = now.result;
  return {
    upstream: state.upstream.value,
    seed: state.seed.value,
    rows: [...rows],
    hits: [...hits],
    adds: [...adds],
    retries: retries ? [...retries] : null,
    skipped,
    grad: rowsOf(grad, rows.length),
  };
}
