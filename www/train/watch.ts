// The pairs of words that are watched: some that belong together, and controls, which do not.
import type { Source } from "./source";

export interface Watched {
  /** Indices of words in the source. */
  readonly left: number;
  readonly right: number;
  /** Nothing ties the two, so their cosine must stay low: a run that lifts it learns nothing. */
  readonly control: boolean;
}

export const RELATED = 4;
export const CONTROLS = 2;

/** Words, the most frequent ones, among which a text's pairs are looked for. */
const CANDIDATES = 60;

/** A wish in rows of the tables; `undefined` for a word that is not one piece. */
export interface Wish {
  readonly ids: readonly [number | undefined, number | undefined];
  readonly control: boolean;
}

/**
 * Wished pairs that the source has, and in place of those it lacks its own: the pairs that stood together most beyond
 * chance, and as controls frequent words that have the fewest neighbours in common. `fit` says which rows are fit to show.
 */
export function watched(source: Source, wishes: readonly Wish[], fit: (id: number) => boolean): Watched[] {
  const indexOf = new Map(Array.from(source.ids, (id, index) => [id, index]));
  const place = (id: number | undefined) => (id === undefined ? undefined : indexOf.get(id));
  const granted: Watched[] = [];
  for (const { ids, control } of wishes) {
    const [left, right] = [place(ids[0]), place(ids[1])];
    if (left !== undefined && right !== undefined && left !== right) granted.push({ left, right, control });
  }
  const related = granted.filter((one) => !one.control).slice(0, RELATED);
  const controls = granted.filter((one) => one.control).slice(0, CONTROLS);
  if (related.length === RELATED && controls.length === CONTROLS) return [...related, ...controls];

  const words = [...source.ids.keys()]
    .filter((index) => fit(source.ids[index] as number))
    .sort((a, b) => (source.frequency[b] as number) - (source.frequency[a] as number) || a - b)
    .slice(0, CANDIDATES);
  const company = companyOf(source, words);
  fill(related, RELATED, tied(source, words), false);
  fill(controls, CONTROLS, strangers(company, words), true, related);
  return [...related, ...controls];
}

type Pair = readonly [number, number];

/** Adds pairs whose words are not watched yet, as long as there is room. */
function fill(list: Watched[], room: number, pairs: Iterable<Pair>, control: boolean, others: readonly Watched[] = []) {
  const has = (one: Watched, [left, right]: Pair) =>
    (one.left === left && one.right === right) || (one.left === right && one.right === left);
  for (const pair of pairs) {
    if (list.length === room) return;
    const taken = list.some(
      (one) => one.left === pair[0] || one.right === pair[0] || one.left === pair[1] || one.right === pair[1],
    );
    if (taken || others.some((one) => has(one, pair))) continue;
    list.push({ left: pair[0], right: pair[1], control });
  }
}

/** Pairs of these words by how much heavier they are than chance would have it, heaviest first. */
function tied(source: Source, words: readonly number[]): Pair[] {
  const kept = new Set(words);
  const strength = new Map<number, number>();
  const size = source.ids.length;
  source.weight.forEach((weight, i) => {
    const [a, b] = [source.left[i] as number, source.right[i] as number];
    if (!kept.has(a) || !kept.has(b) || a === b) return;
    const key = Math.min(a, b) * size + Math.max(a, b);
    strength.set(key, (strength.get(key) ?? 0) + weight);
  });
  const gain = (key: number) => {
    const [a, b] = [Math.floor(key / size), key % size];
    return (strength.get(key) as number) / Math.sqrt((source.frequency[a] as number) * (source.frequency[b] as number));
  };
  return [...strength.keys()]
    .map((key) => ({ key, gain: gain(key) }))
    .sort((a, b) => b.gain - a.gain || a.key - b.key)
    .map(({ key }): Pair => [Math.floor(key / size), key % size]);
}

/** Neighbours of each word. */
function companyOf(source: Source, words: readonly number[]): Map<number, Set<number>> {
  const company = new Map(words.map((word) => [word, new Set<number>()]));
  source.weight.forEach((_, i) => {
    const [a, b] = [source.left[i] as number, source.right[i] as number];
    company.get(a)?.add(b);
    company.get(b)?.add(a);
  });
  return company;
}

/** Pairs of these words that never stood together, those with the smallest share of common neighbours first. */
function strangers(company: ReadonlyMap<number, ReadonlySet<number>>, words: readonly number[]): Pair[] {
  const found: { pair: Pair; shared: number }[] = [];
  words.forEach((a, i) => {
    for (const b of words.slice(i + 1)) {
      const [first, second] = [company.get(a), company.get(b)];
      if (!first || !second || first.has(b) || first.size === 0 || second.size === 0) continue;
      const common = [...first].filter((one) => second.has(one)).length;
      found.push({ pair: [a, b], shared: common / Math.sqrt(first.size * second.size) });
    }
  });
  // The sort is stable: among equals the more frequent words stay first.
  return found.sort((a, b) => a.shared - b.shared).map(({ pair }) => pair);
}
