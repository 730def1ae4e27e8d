// Where the document that the page began with is wrong: its claim, the truth, and what was measured here.
import { signal } from "@preact/signals-core";
import { h, icon, rich } from "../dom";
import { count, fixed, megabytes } from "../format";
import { D, type State } from "../state";
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
  const { t, lang } = state;
  const verdicts = signal<Verdicts | "none" | undefined>(undefined);
  const c = (value: number) => count(lang.value, value);
  const f = (value: number, digits = 1) => fixed(lang.value, value, digits);
  const say = () => t.value.corrections;

  const probed = (probe: Probe) => {
    const found = verdicts.value;
    if (found === undefined) return say().pending;
    if (found === "none") return say().noGpu;
    return found[probe] ? say().accepts : say().refuses;
  };
  const ratio = (a: "embed_lookup" | "embed_backward", b: "fast" | "sorted"): number | undefined => {
    const sweep = state.sweep.value;
    const n = [...(sweep?.times.get(b)?.keys() ?? [])].at(-1);
    const [x, y] = [sweep?.times.get(a)?.get(n ?? 0)?.microseconds, sweep?.times.get(b)?.get(n ?? 0)?.microseconds];
    return x && y ? x / y : undefined;
  };
  const here: { readonly [key in Key]: () => string } = {
    sizes: () => {
      const bytes = state.vocabSize.value * D;
      return say().sizeHere(megabytes(lang.value, 4 * bytes), megabytes(lang.value, 2 * bytes));
    },
    fails: () => {
      const at10 = state.contention.value?.find((point) => point.k === 10)?.perCell;
      const cas = ratio("embed_backward", "sorted");
      const parts = [at10 !== undefined && say().contentionHere(f(at10)), cas && say().casHere(f(cas))].filter(Boolean);
      return parts.length ? parts.join("; ") : say().unmeasured("4");
    },
    ve: () => {
      const tokens = state.tokens.value;
      const id = state.engine.value?.encode("ve").ids[0];
      if (!tokens || id === undefined || tokens.total === 0) return "–";
      const hits = tokens.counts[id] ?? 0;
      return say().ofText(f((100 * hits) / tokens.total), c(hits), c(tokens.total));
    },
    shift: () => {
      const times = ratio("embed_lookup", "fast");
      return times ? say().speedHere(f(times)) : say().unmeasured("6");
    },
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
  container.append(
    h("h2", () => say().title),
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
      data: () => ({
        columns: [
          { key: "claim", label: say().claim },
          { key: "truth", label: say().truth },
          { key: "measured", label: say().here },
        ],
        rows: KEYS.map((key) => [say()[key].claim, say()[key].truth, here[key]()]),
      }),
    },
    h(
      "div",
      { class: "bar" },
      h(
        "button",
        {
          class: () => (verdicts.value === undefined ? "btn go" : "btn"),
          id: "probe",
          type: "button",
          onclick: async () => {
            try {
              verdicts.value = (await compile()) ?? "none";
            } catch {
              verdicts.value = "none";
            }
          },
        },
        () => (verdicts.value === undefined ? icon("play", "f") : icon("check")),
        h("span", { class: "keep" }, () => (verdicts.value === undefined ? say().probe : say().probed)),
      ),
    ),
    h(
      "table",
      { class: "stack claims", id: "corrections-table", role: "table", "aria-label": () => say().title },
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          (["claim", "truth", "here"] as const).map((key) =>
            h("th", { scope: "col", role: "columnheader" }, () => say()[key]),
          ),
        ),
      ),
      h(
        "tbody",
        { role: "rowgroup" },
        KEYS.map((key) =>
          h(
            "tr",
            { id: `claim-${key}`, role: "row" },
            h("th", { scope: "row", role: "rowheader" }, () => rich(say()[key].claim)),
            h(
              "td",
              { role: "cell", "data-l": () => say().truth },
              h("span", () => rich(say()[key].truth)),
            ),
            h(
              "td",
              { class: "strong", role: "cell", "data-l": () => say().here },
              h("span", () => here[key]()),
            ),
          ),
        ),
      ),
    ),
  );
}
