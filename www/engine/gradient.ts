// Tokens and an upstream gradient → the gradient of the table, with what the kernels counted.
import { batch, computed, effect, untracked } from "@preact/signals-core";
import type { Lab } from "../pkg/gomme.js";
import type { Gradient, Tokens } from "../results";
import { newest } from "../schedule";
import type { State } from "../state";
import { messageOf, surviving } from "./calls";
import { tellDevice } from "./device";
import { settle } from "./tokens";
import { upstreamFor } from "./upstream";

export function keepGradient(state: State, lab: Lab): void {
  const request = newest(async (stale) => {
    const tokens = state.tokens.peek();
    if (!tokens) return;
    await settle(tokens);
    if (stale()) return;
    const made = await upstreamFor(state, tokens, stale);
    if (!made || stale()) return;
    try {
      const result = await surviving(state, () => lab.gradient(tokens.ids, made.upstream, "counted"));
      if (stale()) return;
      const gradient: Gradient = {
        ...made,
        result,
        tokens,
        agrees: agreesWith(result, state, tokens, made.expectedAdds),
      };
      batch(() => {
        state.gradient.value = gradient;
        state.failure.value = undefined;
        state.pending.gradient.value = false;
        tellDevice(state, lab);
        if (state.phase.value === "loading") {
          state.phase.value = "ready";
          performance.mark("gomme:ready");
        }
      });
    } catch (error) {
      batch(() => {
        state.failure.value = messageOf(error);
        if (stale()) return;
        // Nothing rather than the numbers of another text.
        state.gradient.value = undefined;
        state.pending.gradient.value = false;
        if (state.phase.value === "loading") state.phase.value = "failed";
      });
    }
  });
  const position = computed(() => state.chosen.value?.s);
  effect(() => {
    state.tokens.value;
    state.nan.value;
    state.inf.value;
    state.seed.value;
    // After a loss in another call this one tells what computes from then on.
    state.losses.value;
    if (state.ownGradient.value) state.ownTable.value;
    if (state.upstream.value === "single") position.value;
    untracked(() => {
      state.pending.gradient.value = state.gradient.value !== undefined;
      request();
    });
  });
}

/** Does what the GPU counted equal what the ids say? */
function agreesWith(
  result: Gradient["result"],
  state: State,
  tokens: Tokens,
  expectedAdds: ReadonlyMap<number, number>,
): boolean {
  const hits = new Map<number, number>();
  for (const id of tokens.ids) if (id < state.vocabSize.peek()) hits.set(id, (hits.get(id) ?? 0) + 1);
  if (hits.size !== result.rows.length) return false;
  return result.rows.every(
    (id, u) => result.hits[u] === hits.get(id) && result.adds[u] === (expectedAdds.get(id) ?? 0),
  );
}
