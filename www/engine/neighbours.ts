// The rows nearest to the chosen one by cosine, beside the rows whose numbers are next to its own.
import { effect, type ReadonlySignal, untracked } from "@preact/signals-core";
import type { Lab, Tokenizer } from "../pkg/gomme.js";
import type { Neighbour, Neighbours } from "../results";
import { newest, painted } from "../schedule";
import type { State } from "../state";

export function keepNeighbours(state: State, tokenizer: Tokenizer, table: ReadonlySignal<Lab>): void {
  const near = newest(async (stale) => {
    const place = state.chosen.peek();
    // Far from cheap, and of what is further down: after the rest.
    await painted();
    if (stale()) return;
    if (!place) {
      state.neighbours.value = undefined;
      return;
    }
    if (place.id >= tokenizer.vocabSize) {
      state.neighbours.value = { id: place.id, byMeaning: [], byNumber: [], far: [] };
      return;
    }
    state.neighbours.value = neighboursOf(place.id, table.peek(), tokenizer);
  });
  effect(() => {
    state.chosen.value?.id;
    table.value;
    untracked(near);
  });
}

const bare = (piece: string) => piece.replace(/^▁/, "");
/** What case variants have in common; equal for İ and i, I and ı. */
const folded = (piece: string) => bare(piece).toLocaleLowerCase("tr");

function neighboursOf(id: number, lab: Lab, tokenizer: Tokenizer): Neighbours {
  const list = (found: { ids: Uint32Array; cosines: Float32Array }): Neighbour[] =>
    [...found.ids].map((one, i) => ({ id: one, piece: tokenizer.piece(one), cosine: found.cosines[i] ?? 0 }));
  const seen = new Set([folded(tokenizer.piece(id))]);
  const byMeaning: Neighbour[] = [];
  for (const one of list(lab.nearest(id, 40))) {
    const name = folded(one.piece);
    if (seen.has(name) || byMeaning.length === 6) continue;
    seen.add(name);
    byMeaning.push(one);
  }
  const around = [id - 2, id - 1, id + 1, id + 2].filter((one) => one >= 0 && one < tokenizer.vocabSize);
  const byNumber = list(lab.nearest(id, around.length, Uint32Array.from(around))).sort((a, b) => a.id - b.id);
  const single = (word: string) => {
    const { ids } = tokenizer.encode(word);
    return ids.length === 1 && ids[0] !== id ? ids[0] : undefined;
  };
  const others = ["kamyon", "ve"].map(single).filter((one) => one !== undefined);
  return { id, byMeaning, byNumber, far: list(lab.nearest(id, others.length, Uint32Array.from(others))) };
}
