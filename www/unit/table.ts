// One table with its optimiser in plain arrays of f32, as the package's contract has it: what training is tested against.
import { type Batch, startingRows } from "../train/draw";
import { pairGradients } from "../train/pair";
import type { Reading, StepRule, Tables } from "../train/tables";

export class Table {
  readonly rows: Float32Array;
  readonly width: number;
  readonly #accumulated: Float32Array;

  constructor(rows: Float32Array, width: number) {
    this.rows = rows;
    this.width = width;
    this.#accumulated = new Float32Array(rows.length / width);
  }

  embed(ids: Uint32Array): Float32Array {
    const { width } = this;
    const out = new Float32Array(ids.length * width);
    for (const [s, id] of ids.entries()) out.set(this.rows.subarray(id * width, (id + 1) * width), s * width);
    return out;
  }

  /** Sums by row in the order of positions; elements that are no numbers are left out. */
  gradient(ids: Uint32Array, upstream: Float32Array): Map<number, Float32Array> {
    const { width } = this;
    const sums = new Map<number, Float32Array>();
    ids.forEach((id, s) => {
      let sum = sums.get(id);
      if (!sum) {
        sum = new Float32Array(width);
        sums.set(id, sum);
      }
      for (let d = 0; d < width; d++) {
        const value = upstream[s * width + d] as number;
        if (Number.isFinite(value)) sum[d] = (sum[d] as number) + value;
      }
    });
    return sums;
  }

  step(gradient: ReadonlyMap<number, Float32Array>, rule: StepRule): void {
    const { width, rows } = this;
    for (const [id, g] of gradient) {
      let scale = rule.lr;
      if (rule.rule === "adagrad") {
        let squares = 0;
        for (const one of g) squares += one * one;
        this.#accumulated[id] = (this.#accumulated[id] as number) + squares / width;
        scale = rule.lr / (Math.sqrt(this.#accumulated[id] as number) + 1e-8);
      }
      for (let d = 0; d < width; d++) {
        rows[id * width + d] = (rows[id * width + d] as number) - scale * (g[d] as number);
      }
    }
  }
}

/** The two tables of a run; contexts start as zeros. */
export class ArrayTables implements Tables {
  readonly #centres: Table;
  readonly #contexts: Table;
  #losses: number[] = [];
  readonly pairs: number;
  readonly width: number;

  constructor(vocabSize: number, width: number, pairs: number, seed: number) {
    this.pairs = pairs;
    this.width = width;
    this.#centres = new Table(startingRows(vocabSize, width, seed), width);
    this.#contexts = new Table(new Float32Array(vocabSize * width), width);
  }

  async step({ centres, targets }: Batch, rule: StepRule): Promise<void> {
    const made = pairGradients(this.#centres.embed(centres), this.#contexts.embed(targets), this.width);
    this.#losses.push(made.loss);
    const [first, second] = [
      this.#centres.gradient(centres, made.centres),
      this.#contexts.gradient(targets, made.targets),
    ];
    this.#centres.step(first, rule);
    this.#contexts.step(second, rule);
  }

  async read(ids: Uint32Array): Promise<Reading> {
    return { losses: this.#losses.splice(0), rows: this.#centres.embed(ids) };
  }

  async contexts(ids: Uint32Array): Promise<Float32Array> {
    return this.#contexts.embed(ids);
  }

  async isLost(): Promise<boolean> {
    return false;
  }

  free(): void {}
}
