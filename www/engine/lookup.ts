// Tokens → rows of the table, and the same rows read from its f16 twin.
import { batch, effect, type ReadonlySignal, untracked } from "@preact/signals-core";
import type { Lab } from "../pkg/gomme.js";
import type { Halves, Tokens } from "../results";
import { newest, pause } from "../schedule";
import { D, type State } from "../state";
import { messageOf, surviving } from "./calls";
import { settle } from "./tokens";

/** Positions whose f16 twin is looked up for the comparison. */
const HALF_LIMIT = 256;

export function keepLookup(state: State, table: ReadonlySignal<Lab>): void {
  // With a table the same device runs the lookup kernels too.
  const device = state.device.peek();
  if (device) state.device.value = { ...device, kernels: table.peek().kernels };

  const request = newest(async (stale) => {
    const tokens = state.tokens.peek();
    const lab = table.peek();
    if (!tokens) return;
    await settle(tokens);
    if (stale()) return;
    try {
      const { out } = await surviving(state, () => lab.lookup(tokens.ids, "embed_lookup"));
      if (stale()) return;
      batch(() => {
        state.lookup.value = { out, tokens };
        state.pending.lookup.value = false;
        if (tokens.ids.length === 0) state.halves.value = undefined;
        if (state.vectors.value !== "ready") {
          state.vectors.value = "ready";
          requestAnimationFrame(() => setTimeout(() => performance.mark("gomme:first-lookup")));
        }
      });
      await pause();
      if (stale() || tokens.ids.length === 0) return;
      const kernel = lab.kernels.includes("w16_native") ? "w16_native" : "w16_packed";
      const few = tokens.ids.slice(0, HALF_LIMIT);
      const half = await surviving(state, () => lab.lookup(few, kernel));
      if (stale()) return;
      state.halves.value = compare(out, half.out, tokens, kernel);
    } catch (error) {
      batch(() => {
        state.failure.value = messageOf(error);
        if (!stale()) {
          state.lookup.value = undefined;
          state.halves.value = undefined;
          state.pending.lookup.value = false;
        }
        if (state.vectors.value === "loading") state.vectors.value = "failed";
      });
    }
  });
  effect(() => {
    state.tokens.value;
    table.value;
    untracked(() => {
      state.pending.lookup.value = state.lookup.value !== undefined;
      request();
    });
  });
}

function compare(out: Float32Array, half: Float32Array, tokens: Tokens, kernel: Halves["kernel"]): Halves {
  const error = new Float32Array(half.length);
  let largest = { value: 0, s: 0, d: 0, read: half[0] ?? 0 };
  for (let i = 0; i < half.length; i++) {
    const gap = Math.abs((out[i] ?? 0) - (half[i] ?? 0));
    error[i] = gap;
    if (gap > largest.value) largest = { value: gap, s: Math.floor(i / D), d: i % D, read: half[i] ?? 0 };
  }
  return { tokens, error, largest, kernel };
}
