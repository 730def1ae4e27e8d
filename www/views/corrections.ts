// Where the document that the page began with is wrong: its claim, the truth, and what was measured here.
import { type Signal, signal } from "@preact/signals-core";
import { h, icon, rich } from "../dom";
import { count, fixed, megabytes, short } from "../format";
import { type Lesson, lessonOf, plain } from "../lesson";
import { median } from "../models/lockstep";
import { D, type State } from "../state";
import { type Column, table, tableData } from "../ui";
import { figure } from "./figure";
import { chosenRow } from "./rail";

type Key = "sizes" | "loops" | "shift" | "fails" | "ve" | "atomic" | "pointers" | "rms" | "counters";
const KEYS: readonly Key[] = ["sizes", "fails", "ve", "shift", "loops", "atomic", "pointers", "rms", "counters"];

/** Small modules that a browser's compiler takes or refuses. */
const PROBES = {
  loops: `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(1) fn main() { for (var i = 0u; i < 4u; i++) { a[i] = i; } var k = 0u; while (k < 4u) { k++; } a[0] = k; }`,
  atomic: `@group(0) @binding(0) var<storage, read_write> a: array<atomic<f32>>;
@compute @workgroup_size(1) fn main() { atomicAdd(&a[0], 1.0); }`,
  pointers: `@group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>>;
fn bump(p: ptr<storage, atomic<u32>, read_write>) { atomicAdd(p, 1u); }
@compute @workgroup_size(1) fn main() { bump(&a[0]); }`,
};
type Probe = keyof typeof PROBES;
type Verdicts = { readonly [probe in Probe]: boolean };

async function compile(): Promise<Verdicts | undefined> {
  const adapter = await navigator.gpu?.requestAdapter();
  const device = await adapter?.requestDevice();
  if (!device) return undefined;
  const tries = async (code: string) => {
    device.pushErrorScope("validation");
    const module = device.createShaderModule({ label: "gomme probe", code });
    const info = await module.getCompilationInfo();
    const error = await device.popErrorScope();
    return !error && !info.messages.some((message) => message.type === "error");
  };
  const verdicts = {
    loops: await tries(PROBES.loops),
    atomic: await tries(PROBES.atomic),
    pointers: await tries(PROBES.pointers),
  };
  device.destroy();
  return verdicts;
}

export function correctionsView(container: HTMLElement, state: State): void {
  const lesson = lessonOf(state);
  const verdicts = signal<Verdicts | "none" | undefined>(undefined);
  const say = () => lesson.t.value.corrections;
  const here = measuredHere(state, lesson, verdicts);
  const columns: readonly Column<Key>[] = [
    {
      key: "claim",
      label: () => say().claim,
      value: (key) => plain(say()[key].claim),
      show: (key) => rich(say()[key].claim),
    },
    {
      key: "truth",
      label: () => say().truth,
      value: (key) => plain(say()[key].truth),
      show: (key) => rich(say()[key].truth),
    },
    { key: "measured", label: () => say().here, class: "strong", value: (key) => here[key]() },
  ];
  container.append(
    h("h2", { tabindex: -1 }, () => say().title),
    h(
      "div",
      { class: "say" },
      h("p", () => say().say),
    ),
  );
  figure(
    container,
    state,
    {
      id: "corrections-figure",
      title: () => say().claims,
      name: () => say().title,
      isTable: true,
      data: () => tableData(columns, KEYS),
    },
    h("div", { class: "bar" }, probeButton(lesson, verdicts)),
    table(state.lang, {
      id: "corrections-table",
      class: "stack claims",
      caption: () => say().title,
      columns,
      rows: () => KEYS,
      row: (key) => ({ id: `claim-${key}` }),
    }),
  );
}

function probeButton({ t }: Lesson, verdicts: Signal<Verdicts | "none" | undefined>): HTMLElement {
  const isNew = () => verdicts.value === undefined;
  const probe = async () => {
    try {
      verdicts.value = (await compile()) ?? "none";
    } catch {
      verdicts.value = "none";
    }
  };
  return h(
    "button",
    { class: () => (isNew() ? "btn go" : "btn"), id: "probe", type: "button", onclick: probe },
    () => (isNew() ? icon("play", "f") : icon("check")),
    h("span", { class: "keep" }, () => (isNew() ? t.value.corrections.probe : t.value.corrections.probed)),
  );
}

/** What this device, this browser and the reader's text say to each claim. */
function measuredHere(
  state: State,
  { t }: Lesson,
  verdicts: Signal<Verdicts | "none" | undefined>,
): { readonly [key in Key]: () => string } {
  const { lang } = state;
  const say = () => t.value.corrections;
  const c = (value: number) => count(lang.value, value);
  const f = (value: number, digits = 1) => fixed(lang.value, value, digits);

  const probed = (probe: Probe) => {
    const found = verdicts.value;
    if (found === undefined) return say().pending;
    if (found === "none") return say().noGpu;
    return found[probe] ? say().accepts : say().refuses;
  };
  /** CAS beside the sorted sum at the longest length of the last sweep, with what it was measured at. */
  const casHere = () => {
    const sweep = state.sweep.value;
    const n = [...(sweep?.times.get("sorted")?.keys() ?? [])].at(-1) ?? 0;
    const [cas, sorted] = [sweep?.times.get("embed_backward")?.get(n), sweep?.times.get("sorted")?.get(n)];
    if (!sweep || !cas || !sorted) return undefined;
    return say().casHere(f(cas.microseconds / sorted.microseconds), c(n), f(sweep.skew));
  };
  return {
    sizes: () => {
      const bytes = state.vocabSize.value * D;
      return say().sizeHere(megabytes(lang.value, 4 * bytes), megabytes(lang.value, 2 * bytes));
    },
    fails: () => {
      const cell = state.cell.value?.find((point) => point.k === 10);
      const columns = state.contention.value?.find((point) => point.k === 10);
      const parts = [
        cell && say().cellHere(c(median(cell.failures))),
        columns && say().columnsHere(short(lang.value, columns.perCell)),
        casHere(),
      ].filter(Boolean);
      return parts.length ? parts.join("; ") : say().unmeasured("4");
    },
    ve: () => {
      const tokens = state.tokens.value;
      const id = state.engine.value?.encode("ve").ids[0];
      if (!tokens || id === undefined || tokens.total === 0) return say().noText;
      const hits = tokens.counts[id] ?? 0;
      return say().ofText(f((100 * hits) / tokens.total), c(hits), c(tokens.total));
    },
    shift: () => say().notHere,
    loops: () => probed("loops"),
    atomic: () => probed("atomic"),
    pointers: () => probed("pointers"),
    rms: () => {
      const row = chosenRow(state);
      if (!row) return "–";
      let squares = 0;
      for (const v of row) squares += v * v;
      if (squares === 0) return "–";
      const rms = Math.sqrt(squares / D);
      return say().rmsHere(f(Math.sqrt(squares), 2), f(Math.sqrt(squares) / rms, 2));
    },
    counters: () => {
      const result = state.gradient.value?.result;
      if (!result) return "–";
      const retries = Array.from(result.retries ?? []).reduce((sum, one) => sum + one, 0);
      return say().countersHere(c(retries), c(result.skipped.outOfVocab));
    },
  };
}
