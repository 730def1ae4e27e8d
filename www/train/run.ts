// One run of training: steps, and what is read of it every few of them.
import { cosine } from "./cosine";
import { type Batch, NEGATIVES, sampler } from "./draw";
import type { Source } from "./source";
import type { StepRule, Tables } from "./tables";
import type { Watched } from "./watch";

/** Loss of a pair before the first step, when every score is 0. */
export const START_LOSS = (NEGATIVES + 1) * Math.LN2;

/** Points that a run keeps; past that every other one goes. */
const MAX_POINTS = 400;

/** What was read after a step. */
export interface Point {
  /** Steps done. */
  readonly step: number;
  /** Mean loss of a pair over the steps since the last point. */
  readonly loss: number;
  /** Of the watched pairs, in their order; NaN where a row has no direction. */
  readonly cosines: readonly number[];
  /** A check sum over the bits of the rows that were read and of the last step's loss: equal for equal runs. */
  readonly print: number;
}

/** Which rows of the contexts a step wrote. */
export interface Touched {
  readonly step: number;
  /** Positions of each row that was used, most first. */
  readonly hits: Uint32Array;
  /** The row with the most. */
  readonly top: number;
}

export class Run {
  readonly source: Source;
  readonly tables: Tables;
  readonly watched: readonly Watched[];
  readonly seed: number;
  points: readonly Point[] = [];
  touched: Touched | undefined;
  readonly #draw: (step: number) => Batch;
  /** Rows that a reading brings home, and where in it each watched word is. */
  readonly #ids: Uint32Array;
  readonly #places: ReadonlyMap<number, number>;
  #step = 0;

  constructor(source: Source, tables: Tables, watched: readonly Watched[], seed: number) {
    this.source = source;
    this.tables = tables;
    this.watched = watched;
    this.seed = seed;
    this.#draw = sampler(source, tables.pairs, seed);
    const words = [...new Set(watched.flatMap(({ left, right }) => [left, right]))];
    this.#places = new Map(words.map((word, i) => [word, i]));
    this.#ids = Uint32Array.from(words, (word) => source.ids[word] as number);
  }

  /** Steps done. */
  get step(): number {
    return this.#step;
  }

  /** Cosines before the first step. */
  async begin(): Promise<void> {
    if (this.points.length > 0) return;
    const { rows } = await this.tables.read(this.#ids);
    this.points = [{ step: 0, loss: START_LOSS, cosines: this.#cosines(rows), print: printOf(rows) }];
  }

  /** So many steps by the rule that `rule` gives before each one, and a point; `rest` is waited for after each step. */
  async advance(steps: number, rule: () => StepRule, rest: () => Promise<void> = async () => {}): Promise<Point> {
    for (let i = 0; i < steps; i++) {
      const batch = this.#draw(this.#step);
      if (i === steps - 1) this.touched = touchedBy(batch, this.#step + 1);
      await this.tables.step(batch, rule());
      this.#step += 1;
      await rest();
    }
    const { losses, rows } = await this.tables.read(this.#ids);
    const point = {
      step: this.#step,
      loss: losses.reduce((sum, one) => sum + one, 0) / losses.length,
      cosines: this.#cosines(rows),
      print: printOf(rows, Float64Array.of(losses.at(-1) ?? 0)),
    };
    const kept = this.points.length < MAX_POINTS ? this.points : this.points.filter((_, i) => i % 2 === 0);
    this.points = [...kept, point];
    return point;
  }

  /** Rows of all words of the source, in its order. */
  async words(): Promise<Float32Array> {
    return (await this.tables.read(this.source.ids)).rows;
  }

  #cosines(rows: Float32Array): number[] {
    const place = (word: number) => this.#places.get(word) as number;
    return this.watched.map(({ left, right }) => cosine(rows, this.tables.width, place(left), place(right)));
  }
}

/** FNV-1a over 32-bit words. */
function printOf(...arrays: (Float32Array | Float64Array)[]): number {
  let hash = 0x811c9dc5;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    for (const word of new Uint32Array(buffer, byteOffset, byteLength / 4)) hash = Math.imul(hash ^ word, 0x01000193);
  }
  return hash >>> 0;
}

function touchedBy({ targets }: Batch, step: number): Touched {
  const counts = new Uint32Array(targets.reduce((most, id) => Math.max(most, id), 0) + 1);
  for (const id of targets) counts[id] = (counts[id] as number) + 1;
  const hits = counts
    .filter((count) => count > 0)
    .sort()
    .reverse();
  return { step, hits, top: hits.length > 0 ? counts.indexOf(hits[0] as number) : 0 };
}
