// The two tables without a GPU: the package's CPU twin looks up, sums and steps, and the pairs are summed in pair.ts.
import type { Embedding } from "../pkg/gomme.js";
import { pause } from "../schedule";
import { type Batch, startingRows } from "./draw";
import type { Package } from "./gpu";
import { pairGradients } from "./pair";
import { type Reading, type StepRule, type Tables, WIDTH } from "./tables";

export async function cpuTables(pkg: Package, vocabSize: number, pairs: number, seed: number): Promise<Tables> {
  const make = (table: Float32Array) => pkg.Embedding.create({ vocabSize, dModel: WIDTH, table, backend: "cpu" });
  const centres = await make(startingRows(vocabSize, WIDTH, seed));
  return new CpuTables(centres, await make(new Float32Array(vocabSize * WIDTH)), pairs);
}

class CpuTables implements Tables {
  readonly width = WIDTH;
  readonly pairs: number;
  readonly #centres: Embedding;
  readonly #contexts: Embedding;
  #losses: number[] = [];

  constructor(centres: Embedding, contexts: Embedding, pairs: number) {
    this.#centres = centres;
    this.#contexts = contexts;
    this.pairs = pairs;
  }

  /** Input and painting come between its parts, which share the page's thread. */
  async step(batch: Batch, rule: StepRule): Promise<void> {
    const [first, second] = [this.#centres, this.#contexts];
    const rows = await first.embed(batch.centres);
    const others = await second.embed(batch.targets);
    await pause();
    const made = pairGradients(rows, others, WIDTH);
    this.#losses.push(made.loss);
    await pause();
    const one = await first.embedGrad(batch.centres, made.centres);
    const other = await second.embedGrad(batch.targets, made.targets);
    await pause();
    await first.step(one, rule);
    await second.step(other, rule);
  }

  async read(ids: Uint32Array): Promise<Reading> {
    return { losses: this.#losses.splice(0), rows: await this.#centres.rows(ids) };
  }

  contexts(ids: Uint32Array): Promise<Float32Array> {
    return this.#contexts.rows(ids);
  }

  async isLost(): Promise<boolean> {
    return false;
  }

  free(): void {
    this.#centres.free();
    this.#contexts.free();
  }
}
