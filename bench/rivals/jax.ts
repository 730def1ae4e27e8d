// jax-js on WebGPU: `np.take`, and the gradient that `grad` makes of it. It is lazy: every result is forced.

import { blockUntilReady, defaultDevice, getWebGPUDevice, grad, init, jit, numpy as np } from "@jax-js/jax";
import type { Operation } from "../meter";
import type { Rival } from "./rival";

declare const JAX_VERSION: string;

const rival: Rival = {
  name: `jax-js ${JAX_VERSION}`,
  lookup: "np.take",
  gradient: "grad of np.take",
  async open({ vocabulary, width }, values) {
    const ready = await init("webgpu");
    if (!ready.includes("webgpu")) throw new Error("init('webgpu') made no WebGPU backend");
    defaultDevice("webgpu");
    const table = np.array(values, { shape: [vocabulary, width] });
    await blockUntilReady(table.ref);
    const operation = (inputs: np.Array[], compute: () => np.Array): Operation => ({
      async run(count) {
        const forced: Promise<np.Array>[] = [];
        for (let i = 0; i < count; i++) forced.push(compute().blockUntilReady());
        for (const result of await Promise.all(forced)) result.dispose();
      },
      async read() {
        return (await compute().data()) as Float32Array;
      },
      free() {
        for (const input of inputs) input.dispose();
      },
    });
    const take = jit((rows: np.Array, ids: np.Array) => np.take(rows, ids, 0));
    // d/d(table) of sum(take(table, ids) * upstream) is the scatter-add of `upstream`.
    const scatter = jit(
      grad((rows: np.Array, ids: np.Array, upstream: np.Array) => np.sum(np.take(rows, ids, 0).mul(upstream))),
    );
    return {
      device: getWebGPUDevice(),
      async lookup(tokens) {
        const ids = np.array(new Int32Array(tokens), { shape: [tokens.length], dtype: np.int32 });
        return operation([ids], () => take(table.ref, ids.ref));
      },
      async gradient(tokens, gradOut) {
        const ids = np.array(new Int32Array(tokens), { shape: [tokens.length], dtype: np.int32 });
        const upstream = np.array(gradOut, { shape: [tokens.length, width] });
        return operation([ids, upstream], () => scatter(table.ref, ids.ref, upstream.ref) as np.Array);
      },
      close: () => table.dispose(),
    };
  },
};
export default rival;
