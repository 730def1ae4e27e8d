// What training draws from: words, pairs of them that stood side by side, and how often each is drawn.
import type { PairTable } from "./pairs";

export interface Source {
  /** Row of each word in the tables. Everything below names words by their index here. */
  readonly ids: Uint32Array;
  /** Weight of each word as a negative, its share to the power of 3/4. */
  readonly noise: Float64Array;
  readonly left: Uint32Array;
  readonly right: Uint32Array;
  readonly weight: Float64Array;
  /** Share of each word, in any unit. */
  readonly frequency: Float64Array;
}

/** word2vec's exponent: rare words come as negatives more often than they stand in a text. */
const SMOOTHING = 0.75;

/** Positions on either side of a piece that count as its neighbours in a text. */
export const WINDOW = 3;

/** As word2vec's t, for short texts: a piece of share f is drawn as if it stood there sqrt(t / f) times as often. */
const SUBSAMPLING = 1e-3;

export function fromPairs(table: PairTable): Source {
  return { ...table, noise: table.frequency.map((one) => one ** SMOOTHING) };
}

/** Pairs of a text of token ids; ids from `vocabSize` on are left out. */
export function fromTokens(tokens: ArrayLike<number>, vocabSize: number): Source {
  const inside = Array.from(tokens).filter((id) => id < vocabSize);
  const ids = Uint32Array.from(new Set(inside)).sort();
  const indexOf = new Map(Array.from(ids, (id, index) => [id, index]));
  const places = inside.map((id) => indexOf.get(id) ?? 0);
  const frequency = new Float64Array(ids.length);
  for (const word of places) frequency[word] = (frequency[word] ?? 0) + 1 / places.length;
  const keep = frequency.map((share) => Math.min(1, Math.sqrt(SUBSAMPLING / share)));
  const counts = new Map<number, number>();
  places.forEach((left, i) => {
    for (const right of places.slice(i + 1, i + 1 + WINDOW)) {
      // A piece beside itself says nothing of what it goes with.
      if (left === right) continue;
      const key = left * ids.length + right;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  });
  const keys = [...counts.keys()].sort((a, b) => a - b);
  const left = Uint32Array.from(keys, (key) => Math.floor(key / ids.length));
  const right = Uint32Array.from(keys, (key) => key % ids.length);
  const weight = Float64Array.from(
    keys,
    (key, i) => (counts.get(key) ?? 0) * (keep[left[i] ?? 0] ?? 0) * (keep[right[i] ?? 0] ?? 0),
  );
  return { ids, frequency, left, right, weight, noise: frequency.map((one) => one ** SMOOTHING) };
}

/** There are two words to tell apart, and a pair. */
export function canTrain(source: Source): boolean {
  return source.ids.length > 1 && source.weight.length > 0;
}
