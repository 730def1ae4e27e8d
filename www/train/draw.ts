// The pairs and negatives of each step: a function of seed and step alone, so that a run can be had again.
import { bits } from "../zipf";
import { aliasTable, pick } from "./alias";
import type { Source } from "./source";

/** Words that did not stand beside the centre, drawn for each that did. */
export const NEGATIVES = 5;
/** Targets of a pair: the neighbour, and then its negatives. */
export const TARGETS = NEGATIVES + 1;

export interface Batch {
  /** Row of each pair's centre. */
  readonly centres: Uint32Array;
  /** Rows of each pair's targets, the true one first: TARGETS a pair. */
  readonly targets: Uint32Array;
}

/** Random words that each pair uses up; more are at hand for a negative that has to be drawn again. */
const WORDS = 16;
/** Draws of a negative before the next word is taken instead. */
const TRIES = 8;

/** Gives the batch of each step. Its arrays are written anew by the next call. */
export function sampler(source: Source, pairs: number, seed: number): (step: number) => Batch {
  const beside = aliasTable(source.weight);
  const noise = aliasTable(source.noise);
  const centres = new Uint32Array(pairs);
  const targets = new Uint32Array(pairs * TARGETS);
  const { ids, left, right } = source;
  const words = ids.length;
  const stream = Math.imul(seed, 0x85ebca6b) ^ 0x27d4eb2f;
  const again = stream ^ 0x165667b1;

  const negative = (place: number, positive: number): number => {
    let word = pick(noise, bits(stream, place), bits(stream, place + 1));
    for (let i = 0; word === positive && i < TRIES; i++) {
      const place2 = place * TRIES + 2 * i;
      word = pick(noise, bits(again, place2), bits(again, place2 + 1));
    }
    return word === positive ? (word + 1) % words : word;
  };

  return (step) => {
    for (let b = 0; b < pairs; b++) {
      const first = (step * pairs + b) * WORDS;
      const pair = pick(beside, bits(stream, first), bits(stream, first + 1));
      // Either word of a pair is the other's neighbour.
      const turned = (bits(stream, first + 2) & 1) === 1;
      const centre = (turned ? right[pair] : left[pair]) as number;
      const positive = (turned ? left[pair] : right[pair]) as number;
      centres[b] = ids[centre] as number;
      const at = b * TARGETS;
      targets[at] = ids[positive] as number;
      for (let k = 1; k < TARGETS; k++) {
        targets[at + k] = ids[negative(first + 2 * k + 1, positive)] as number;
      }
    }
    return { centres, targets };
  };
}

/** Starting rows of the centres: uniform over ±1/(2·width), as word2vec has it; the contexts begin as zeros. */
export function startingRows(rows: number, width: number, seed: number): Float32Array {
  const stream = Math.imul(seed, 0xc2b2ae35) ^ 0x3c6ef372;
  return Float32Array.from({ length: rows * width }, (_, i) => ((bits(stream, i) + 0.5) / 2 ** 32 - 0.5) / width);
}
