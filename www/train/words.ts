// The section's words in the reader's language, and names of pieces as it writes them.
import { computed, type ReadonlySignal } from "@preact/signals-core";
import type { State } from "../state";
import { en } from "./strings/en";
import { type TrainStrings, tr } from "./strings/tr";
import type { Snapshot } from "./training";
import type { Watched } from "./watch";

export const wordsOf = (state: State): ReadonlySignal<TrainStrings> =>
  computed(() => (state.lang.value === "en" ? en : tr));

/** A piece without the sign for a space in front of it. */
export function nameOf(state: State, id: number): string {
  const piece = state.engine.value?.piece(id) ?? "";
  return piece.replace(/^▁/, "") || piece || String(id);
}

export const pairName = (state: State, { source }: Pick<Snapshot, "source">, { left, right }: Watched): string =>
  `${nameOf(state, source.ids[left] ?? 0)} ~ ${nameOf(state, source.ids[right] ?? 0)}`;
