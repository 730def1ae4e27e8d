// What a step of training would push at each position of a text: the gradient that section 3 then carries to the table.
import { bits } from "../zipf";
import { aliasTable, pick } from "./alias";
import { NEGATIVES } from "./draw";
import { pairGradients } from "./pair";
import type { Source } from "./source";

export interface Trained {
  readonly source: Source;
  /** Rows of the source's words in both tables. */
  readonly centres: Float32Array;
  readonly contexts: Float32Array;
  readonly width: number;
  readonly seed: number;
}

/** Random words that a pair uses up. */
const WORDS = 2 * NEGATIVES;

/**
 * dL/d(row) at each position, a row of `width` a position: the sum over the pieces beside it, with negatives drawn by the
 * seed. Zeros at a piece that was not trained, and at one that has no trained piece beside it.
 */
export function textGradient(
  { source, centres, contexts, width, seed }: Trained,
  ids: ArrayLike<number>,
): Float32Array {
  const indexOf = new Map(Array.from(source.ids, (id, index) => [id, index]));
  const words = Array.from(ids, (id) => indexOf.get(id));
  const noise = aliasTable(source.noise);
  const pairs: (readonly [position: number, centre: number, targets: readonly number[]])[] = [];
  words.forEach((centre, s) => {
    if (centre === undefined) return;
    for (const beside of [words[s - 1], words[s + 1]]) {
      if (beside === undefined) continue;
      const first = pairs.length * WORDS;
      const negatives = Array.from({ length: NEGATIVES }, (_, k) => {
        const word = pick(noise, bits(seed, first + 2 * k), bits(seed, first + 2 * k + 1));
        return word === beside ? (word + 1) % source.ids.length : word;
      });
      pairs.push([s, centre, [beside, ...negatives]]);
    }
  });
  const rowsOf = (table: Float32Array, list: readonly number[]) => {
    const out = new Float32Array(list.length * width);
    for (const [i, word] of list.entries()) out.set(table.subarray(word * width, (word + 1) * width), i * width);
    return out;
  };
  const made = pairGradients(
    rowsOf(
      centres,
      pairs.map(([, centre]) => centre),
    ),
    rowsOf(
      contexts,
      pairs.flatMap(([, , targets]) => targets),
    ),
    width,
  );
  const out = new Float32Array(words.length * width);
  for (const [i, [s]] of pairs.entries()) {
    for (let d = 0; d < width; d++) {
      out[s * width + d] = (out[s * width + d] as number) + (made.centres[i * width + d] as number);
    }
  }
  return out;
}
