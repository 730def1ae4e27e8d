// A table of the reader's own in place of the bundled one, for as long as it is wanted.
import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals-core";
import { Embedding, Lab } from "../pkg/gomme.js";
import { newest } from "../schedule";
import { D, type State } from "../state";
import { messageOf } from "./calls";

/** The lab whose table is looked up: the bundled one, or the reader's once it is on the device. */
export function keepTable(state: State, bundled: Lab): ReadonlySignal<Lab> {
  const shown = signal(bundled);
  let made: Embedding | undefined;
  const request = newest(async (stale) => {
    const own = state.ownTable.peek();
    try {
      const { vocabSize, backend } = bundled;
      const next =
        own &&
        (await Embedding.create({ vocabSize, dModel: D, table: widened(own.rows, own.width, vocabSize), backend }));
      if (stale()) return next?.free();
      shown.value = next ? Lab.of(next) : bundled;
      made?.free();
      made = next;
    } catch (error) {
      state.failure.value = messageOf(error);
      state.ownTable.value = undefined;
    }
  });
  let first = true;
  effect(() => {
    state.ownTable.value;
    if (!first) untracked(request);
    first = false;
  });
  return shown;
}

/** Rows made as wide as the bundled ones by zeros, which change no cosine. */
export function widened(rows: Float32Array, width: number, count: number): Float32Array {
  const table = new Float32Array(count * D);
  for (let row = 0; row < count; row++) table.set(rows.subarray(row * width, (row + 1) * width), row * D);
  return table;
}
