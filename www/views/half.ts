// Section 5, last: the sum of the selected cell's contributions in f16 beside f32, as the text is repeated.
import { computed, effect, signal } from "@preact/signals-core";
import { h, rich } from "../dom";
import { count, exact, percent, short } from "../format";
import type { Lesson } from "../lesson";
import { contributionsTo } from "../models/contributions";
import { type HalfSum, sums } from "../models/half";
import { halfOutcome } from "../models/outcomes";
import { D, type State } from "../state";
import { type Column, slider, table, tableData } from "../ui";
import { figure } from "./figure";

/** Contributions that are summed: what one row of a long text gets. */
const COUNTS = [8, 64, 512, 2048, 4096, 8192];
/** Scales of the contributions, as powers of two; a loss is scaled up in f16 training so that small ones survive. */
const SCALE = { min: -20, max: 12 };

interface HalfRow extends HalfSum {
  readonly contributions: number;
}

export function halfView(container: HTMLElement, state: State, lesson: Lesson): void {
  const { t } = lesson;
  const power = signal(0);
  effect(() => {
    state.resets.value;
    power.value = 0;
  });
  const values = computed(() => {
    const [place, gradient] = [state.chosen.value, state.gradient.value];
    if (!place || !gradient || place.id >= state.vocabSize.value) return [];
    const { ids } = gradient.tokens;
    const [kind, seed] = [state.upstream.value, state.seed.value];
    const source = { ids, upstream: gradient.upstream, width: D, kind, seed };
    return contributionsTo(source, place.id, place.d, COUNTS.at(-1) ?? 0).map((part) => part.value);
  });
  const rows = computed((): HalfRow[] => {
    const scale = 2 ** power.value;
    if (values.value.length === 0) return [];
    return COUNTS.map((contributions) => ({
      contributions,
      ...sums(values.value.slice(0, contributions).map((value) => value * scale)),
    }));
  });
  const columns = halfColumns(state, lesson);
  figure(
    container,
    state,
    {
      id: "half-sum",
      title: () => [t.value.s5.half, " ", h("small", t.value.s5.halfSub)],
      name: () => t.value.s5.half,
      isTable: true,
      data: () => tableData(columns, rows.value),
    },
    h("p", { class: "note" }, () => rich(t.value.s5.halfSay)),
    h(
      "div",
      { class: "dials one" },
      slider({
        id: "half-scale",
        label: () => t.value.s5.halfScale,
        ...SCALE,
        value: () => power.value,
        set: (value) => {
          power.value = value;
        },
        text: () => `× ${short(state.lang.value, 2 ** power.value)}`,
      }),
    ),
    h("p", { class: "verdict", id: "half-note" }, () => rich(halfSays(state, lesson, rows.value.at(-1)))),
    table(state.lang, {
      id: "half-sum-table",
      class: "by-k stack",
      caption: () => t.value.s5.half,
      columns,
      rows: () => rows.value,
      // A single contribution is the same sum in every row.
      hidden: () => (rows.value.at(-1)?.additions ?? 0) < 2,
    }),
    h("p", { class: "note" }, () => t.value.s5.halfWhy),
  );
}

function halfSays(state: State, { t }: Lesson, last: HalfRow | undefined): string {
  const says = t.value.s5.halfSays;
  if (!last) return says.nothing();
  const c = (value: number) => count(state.lang.value, value);
  const [f16, f32] = [exact(state.lang.value, last.f16), exact(state.lang.value, last.f32)];
  const outcome = halfOutcome(last);
  if (outcome === "overflow") return says.overflow(c(last.overflow ?? 0));
  if (outcome === "single" || outcome === "exact") return says[outcome](f16, f32);
  const off = percent(state.lang.value, Math.abs(last.f16 / last.f32 - 1));
  if (outcome === "lost")
    return says.lost(c(last.lost.f16), c(last.additions), f16, f32, off, c(last.rounded), c(last.lost.f32));
  return outcome === "inexact" ? says.inexact(f16, f32, off) : says.nothing();
}

function halfColumns(state: State, { t }: Lesson): readonly Column<HalfRow>[] {
  const c = (value: number) => count(state.lang.value, value);
  const e = (value: number) => exact(state.lang.value, value);
  const numeric = true;
  return [
    {
      key: "contributions",
      label: () => t.value.s5.halfCount,
      numeric,
      value: (row) => row.contributions,
      show: (row) => c(row.contributions),
    },
    { key: "f32", label: () => t.value.s5.half32, numeric, value: (row) => row.f32, show: (row) => e(row.f32) },
    {
      key: "f16",
      label: () => t.value.s5.half16,
      numeric,
      class: "strong",
      value: (row) => row.f16,
      show: (row) => e(row.f16),
    },
    {
      key: "lost_f16",
      label: () => t.value.s5.halfLost,
      numeric,
      value: (row) => row.lost.f16,
      show: (row) => c(row.lost.f16),
    },
    {
      key: "lost_f32",
      label: () => t.value.s5.halfLost32,
      numeric,
      class: "muted",
      value: (row) => row.lost.f32,
      show: (row) => c(row.lost.f32),
    },
    { key: "overflow_at", label: () => "Inf", numeric, only: "files", value: (row) => row.overflow ?? "" },
  ];
}
