// The two tables on the GPU: the package looks up, sums gradients by row and steps; the pairs between are a kernel of this
// section, on the package's own device, so that no array comes home but the rows that are watched.
import type { Embedding } from "../pkg/gomme.js";
import { type Batch, startingRows } from "./draw";
import { PairKernel } from "./kernel";
import { type Reading, type StepRule, type Tables, WIDTH } from "./tables";

/** The part of the package that training needs. */
export type Package = { readonly Embedding: Pick<typeof Embedding, "create"> };

/** The tables as they are before the first step. Rejects with the package's errors, and where the kernel cannot be had. */
export async function gpuTables(pkg: Package, vocabSize: number, pairs: number, seed: number): Promise<Tables> {
  const make = (table: Float32Array) => pkg.Embedding.create({ vocabSize, dModel: WIDTH, table, backend: "gpu" });
  const centres = await make(startingRows(vocabSize, WIDTH, seed));
  try {
    const contexts = await make(new Float32Array(vocabSize * WIDTH));
    try {
      const { device } = centres;
      if (!device || device !== contexts.device) throw new Error("the two tables are not on one device");
      return new GpuTables(centres, contexts, await PairKernel.on(device, pairs));
    } catch (error) {
      contexts.free();
      throw error;
    }
  } catch (error) {
    centres.free();
    throw error;
  }
}

/** Both results, each kept as soon as it is there, also where the other call fails. */
async function both<T>(keep: (one: T) => T, ...calls: readonly [Promise<T>, Promise<T>]): Promise<[T, T]> {
  const [one, other] = await Promise.allSettled(calls.map((call) => call.then(keep)));
  if (one?.status !== "fulfilled") throw one?.reason;
  if (other?.status !== "fulfilled") throw other?.reason;
  return [one.value, other.value];
}

class GpuTables implements Tables {
  readonly width = WIDTH;
  readonly #centres: Embedding;
  readonly #contexts: Embedding;
  readonly #kernel: PairKernel;

  constructor(centres: Embedding, contexts: Embedding, kernel: PairKernel) {
    this.#centres = centres;
    this.#contexts = contexts;
    this.#kernel = kernel;
  }

  get pairs(): number {
    return this.#kernel.pairs;
  }

  async step(batch: Batch, rule: StepRule): Promise<void> {
    const [centres, contexts] = [this.#centres, this.#contexts];
    const kept: { dispose(): void }[] = [];
    const keep = <T extends { dispose(): void }>(one: T): T => {
      kept.push(one);
      return one;
    };
    try {
      const centreIds = keep(centres.tokens(batch.centres));
      const contextIds = keep(contexts.tokens(batch.targets));
      // The two lookups go to the device in one submission, and so do the two steps.
      const [centreRows, contextRows] = await both(
        keep,
        centres.embed(centreIds, { output: "gpu" }),
        contexts.embed(contextIds, { output: "gpu" }),
      );
      this.#kernel.run(centreRows, contextRows);
      // Both gradients come before both steps: neither may see what the other changed.
      const [centreGrad, contextGrad] = await both(
        keep,
        centres.embedGrad(centreIds, centreRows, { output: "gpu" }),
        contexts.embedGrad(contextIds, contextRows, { output: "gpu" }),
      );
      await both((nothing) => nothing, centres.step(centreGrad, rule), contexts.step(contextGrad, rule));
    } finally {
      for (const one of kept) one.dispose();
    }
  }

  async read(ids: Uint32Array): Promise<Reading> {
    const losses = this.#kernel.losses();
    // Where a browser answers an idle wait late, the package's own wait keeps it awake for both.
    const [found, rows] = await Promise.all([losses, this.#centres.rows(ids)]);
    return { losses: found, rows };
  }

  contexts(ids: Uint32Array): Promise<Float32Array> {
    return this.#contexts.rows(ids);
  }

  async isLost(error: unknown): Promise<boolean> {
    if (error instanceof Error && "code" in error) return error.code === "device-lost";
    // What a browser says of a call on a lost device differs; that it is lost it says soon after.
    return Promise.race([this.#kernel.lost, new Promise<false>((resolve) => setTimeout(resolve, 200, false))]);
  }

  free(): void {
    this.#kernel.free();
    this.#centres.free();
    this.#contexts.free();
  }
}
