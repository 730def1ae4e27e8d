// TensorFlow.js on WebGPU: `tf.gather`, and `tf.unsortedSegmentSum`, which its own gradient of gather calls.

import type { WebGPUBackend } from "@tensorflow/tfjs-backend-webgpu";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-webgpu";
import type { Operation } from "../meter";
import type { Rival } from "./rival";

/** Work is batched until somebody reads; this sends what is left. */
function submit(backend: WebGPUBackend): void {
  const pending = backend as unknown as { commandEncoder: GPUCommandEncoder | null; endComputePassEncoder(): void };
  if (!pending.commandEncoder) return;
  pending.endComputePassEncoder();
  backend.submitQueue();
}

const rival: Rival = {
  name: `TensorFlow.js ${tf.version_core}`,
  lookup: "tf.gather",
  gradient: "tf.unsortedSegmentSum",
  async open({ vocabulary, width }, values) {
    if (!(await tf.setBackend("webgpu"))) throw new Error("tf.setBackend('webgpu') gave false");
    await tf.ready();
    const backend = tf.backend() as WebGPUBackend;
    const table = tf.tensor2d(values, [vocabulary, width]);
    const operation = (inputs: tf.Tensor[], compute: () => tf.Tensor): Operation => ({
      async run(count) {
        for (let i = 0; i < count; i++) compute().dispose();
        submit(backend);
      },
      async read() {
        const result = compute();
        const data = await result.data<"float32">();
        result.dispose();
        return data;
      },
      free() {
        for (const input of inputs) input.dispose();
      },
    });
    return {
      device: backend.device,
      async lookup(tokens) {
        const ids = tf.tensor1d(new Int32Array(tokens), "int32");
        return operation([ids], () => tf.gather(table, ids));
      },
      async gradient(tokens, gradOut) {
        const ids = tf.tensor1d(new Int32Array(tokens), "int32");
        const upstream = tf.tensor2d(gradOut, [tokens.length, width]);
        return operation([ids, upstream], () => tf.unsortedSegmentSum(upstream, ids, vocabulary));
      },
      close: () => table.dispose(),
    };
  },
};
export default rival;
