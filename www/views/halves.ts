// The table read as f16 beside the f32 one, and what f16 does to the small steps of training.
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals-core";
import { h, icon, type Kid, rich, watch } from "../dom";
import { drawStrip } from "../draw/heat";
import { count, exact, short } from "../format";
import { lessonOf } from "../lesson";
import { bell } from "../random";
import { D, type State } from "../state";
import { type Column, table, tableData } from "../ui";
import { inText } from "./cell";
import { figure } from "./figure";

/** Learning rate of the step that shows why the master table is f32. */
const STEP = 1e-5;

export function halvesView(container: HTMLElement, state: State): void {
  const { lang } = state;
  const words = lessonOf(state).t;
  /** |f32 − f16| of the shown row. */
  const row = computed(() => {
    const half = state.halves.value;
    const s = inText(state)?.s;
    if (!half || s === undefined) return undefined;
    return (s + 1) * D <= half.error.length ? half.error.subarray(s * D, (s + 1) * D) : undefined;
  });
  const f32 = (d: number) => state.lookup.value?.out[(inText(state)?.s ?? 0) * D + d] ?? 0;
  const columns: Column<number>[] = [
    { key: "d", label: () => "d", numeric: true, value: (_, d) => d },
    { key: "f32", label: () => "f32", numeric: true, value: (_, d) => f32(d) },
    { key: "error", label: () => words.value.s2.error, numeric: true, value: (error) => error },
  ];
  figure(
    container,
    state,
    {
      id: "halves",
      title: () => words.value.s2.halves,
      name: () => words.value.s2.halves,
      data: () => tableData(columns, [...(row.value ?? [])]),
    },
    sizes(state),
    h("p", { class: "strip-label" }, () => [
      words.value.s2.halfMap,
      " ",
      row.value && `0 – ${short(lang.value, Math.max(...row.value))}`,
    ]),
    errorStrip(state, row),
    h("p", { class: "note" }, () => largestError(state)),
    h("h4", () => words.value.s2.master),
    masterStep(state),
  );
}

function sizes(state: State): HTMLElement {
  const { lang } = state;
  const words = lessonOf(state).t;
  const bytes = (width: number) => state.vocabSize.value * D * width;
  return table(lang, {
    id: "half-table",
    caption: () => words.value.s2.halves,
    columns: [
      { key: "table", label: () => words.value.s2.table, value: (one) => one.name },
      {
        key: "bytes",
        label: () => words.value.s2.bytes,
        numeric: true,
        value: (one) => bytes(one.width),
        show: (one) => count(lang.value, bytes(one.width)),
      },
      {
        key: "error",
        label: () => words.value.s2.error,
        numeric: true,
        value: (one) => one.error() ?? "",
        show: (one) => {
          const error = one.error();
          return error === undefined ? "–" : short(lang.value, error);
        },
      },
    ],
    rows: () => [
      { name: "f32", width: 4, error: () => 0 },
      { name: "f16", width: 2, error: () => state.halves.value?.largest.value },
    ],
  });
}

function errorStrip(state: State, row: ReadonlySignal<Float32Array | undefined>): HTMLElement {
  const strip = h("canvas", {
    class: "strip",
    role: "img",
    "aria-label": () => lessonOf(state).t.value.s2.halfMapLabel,
  });
  watch(() => {
    state.look.value;
    const own = row.value ?? new Float32Array(0);
    drawStrip(strip, own, own.length ? Math.max(...own) || 1 : 1);
  });
  return strip;
}

function largestError(state: State): Kid {
  const { s1, s2: early } = state.t.value;
  const { s2 } = lessonOf(state).t.value;
  const half = state.halves.value;
  if (state.tokens.value?.ids.length === 0) return s1.empty;
  if (!half) return early.waiting;
  const { value, s, d, read } = half.largest;
  const number = (one: number) => exact(state.lang.value, one);
  const few = half.error.length / D;
  const where =
    value === 0
      ? s2.halfExact
      : s2.halfWhere(String(s), String(d), number(state.lookup.value?.out[s * D + d] ?? 0), number(read));
  return [
    where,
    " ",
    rich(s2.halfKernel(half.kernel === "w16_native")),
    few < half.tokens.ids.length && ` ${s2.halfFew(few)}`,
  ];
}

interface Step {
  readonly lost: number;
  readonly kept: number;
}

function masterStep(state: State): Kid {
  const { lang } = state;
  const words = lessonOf(state).t;
  const step = signal<Step | undefined>(undefined);
  const failed = signal<string | undefined>(undefined);
  // What was counted holds for one row, one gradient and one device.
  effect(() => {
    state.chosen.value?.s;
    state.chosen.value?.id;
    state.seed.value;
    state.device.value?.backend;
    state.ownTable.value;
    state.resets.value;
    step.value = undefined;
    failed.value = undefined;
  });
  const take = async () => {
    const place = state.chosen.peek();
    failed.value = undefined;
    try {
      const found = await takeStep(state);
      const now = state.chosen.peek();
      if (found && now?.s === place?.s && now?.id === place?.id) step.value = found;
    } catch (error) {
      failed.value = error instanceof Error ? error.message : String(error);
    }
  };
  return [
    h("p", { class: "note" }, () => words.value.s2.masterHow),
    h(
      "button",
      {
        class: "btn small",
        id: "master-step",
        type: "button",
        disabled: () => state.vectors.value !== "ready" || !state.chosen.value,
        onclick: () => void take(),
      },
      icon("play", "f"),
      h("span", { class: "keep" }, () => (step.value ? words.value.s2.masterAgain : words.value.s2.masterTry)),
    ),
    h("p", { class: "note", id: "master-note", role: "status" }, () => {
      const found = step.value;
      if (!found) return failed.value;
      const kept = count(lang.value, found.kept);
      return rich(
        found.lost > 0
          ? words.value.s2.masterSay(count(lang.value, found.lost), kept)
          : words.value.s2.masterNone(kept),
      );
    }),
  ];
}

/** A small step on the chosen row, rounded by the package's own cast: how many of its elements stay where they were? */
async function takeStep(state: State): Promise<Step | undefined> {
  const place = state.chosen.peek();
  const out = state.lookup.peek()?.out;
  const engine = state.engine.peek();
  if (!place || !out || !engine) return undefined;
  const both = new Float32Array(2 * D);
  let kept = 0;
  for (let d = 0; d < D; d++) {
    const old = out[place.s * D + d] ?? 0;
    const moved = Math.fround(old - STEP * bell(state.seed.peek(), place.s * D + d));
    if (moved !== old) kept += 1;
    both[d] = old;
    both[D + d] = moved;
  }
  const rounded = await engine.roundTrip(both);
  let lost = 0;
  for (let d = 0; d < D; d++) if (rounded[d] === rounded[D + d] && both[d] !== both[D + d]) lost += 1;
  return { lost, kept };
}
