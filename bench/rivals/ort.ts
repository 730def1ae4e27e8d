// ONNX Runtime Web on WebGPU: a model of one `Gather`, and one of `ScatterND` with reduction "add" into zeros.

import * as ort from "onnxruntime-web/webgpu";
import type { Operation } from "../meter";
import { oneNodeModel, type Value } from "./onnx";
import type { Rival } from "./rival";

/** A tensor on the GPU with these values. */
function upload(
  device: GPUDevice,
  { type, dims }: Value,
  values: Float32Array | Int32Array | BigInt64Array | undefined,
): { tensor: ort.Tensor; buffer: GPUBuffer } {
  const size = dims.reduce((product, dim) => product * dim, type === "int64" ? 8 : 4);
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const buffer = device.createBuffer({ label: "bench input", size, usage: STORAGE | COPY_SRC | COPY_DST });
  if (values) device.queue.writeBuffer(buffer, 0, values as BufferSource & ArrayBufferView<ArrayBuffer>);
  return { tensor: ort.Tensor.fromGpuBuffer(buffer as never, { dataType: type, dims }), buffer };
}

async function operation(
  model: Uint8Array,
  inputs: readonly Value[],
  output: Value,
  buffers: Record<string, { tensor: ort.Tensor; buffer: GPUBuffer }>,
  owned: readonly string[],
): Promise<Operation> {
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ["webgpu"],
    preferredOutputLocation: "gpu-buffer",
    // A silent detour over the CPU would be measured as if it were the GPU's: refuse it instead.
    extra: { session: { disable_cpu_ep_fallback: "1" } },
  });
  const feeds = Object.fromEntries(inputs.map(({ name }) => [name, buffers[name]?.tensor as ort.Tensor]));
  const once = async (): Promise<ort.Tensor> => (await session.run(feeds))[output.name] as ort.Tensor;
  return {
    async run(count) {
      for (let i = 0; i < count; i++) (await once()).dispose();
    },
    async read() {
      const result = await once();
      const data = (await result.getData(true)) as Float32Array;
      return data;
    },
    free() {
      void session.release();
      for (const name of owned) buffers[name]?.buffer.destroy();
    },
  };
}

const rival: Rival = {
  name: `ONNX Runtime Web ${ort.env.versions.web ?? ort.env.versions.common}`,
  lookup: "Gather",
  gradient: 'ScatterND, reduction "add"',
  async open({ vocabulary, width }, values) {
    ort.env.wasm.wasmPaths = { wasm: new URL("ort-wasm-simd-threaded.asyncify.wasm", import.meta.url).href };
    ort.env.wasm.numThreads = 1;
    ort.env.logLevel = "error";
    // The library makes its device with its first session and destroys it with its last; only tensors on that device will do.
    const one: Value = { name: "one", type: "float32", dims: [1] };
    const first = await ort.InferenceSession.create(oneNodeModel("Identity", [one], { ...one, name: "out" }, {}), {
      executionProviders: ["webgpu"],
    });
    const device = (await ort.env.webgpu.device) as unknown as GPUDevice;
    const tableValue: Value = { name: "table", type: "float32", dims: [vocabulary, width] };
    const table = upload(device, tableValue, values);
    const zeros = upload(device, tableValue, undefined);
    return {
      device,
      async lookup(tokens) {
        const ids: Value = { name: "ids", type: "int32", dims: [tokens.length] };
        const out: Value = { name: "out", type: "float32", dims: [tokens.length, width] };
        const model = oneNodeModel("Gather", [tableValue, ids], out, { axis: 0 });
        const buffers = { table, ids: upload(device, ids, new Int32Array(tokens)) };
        return operation(model, [tableValue, ids], out, buffers, ["ids"]);
      },
      async gradient(tokens, gradOut) {
        const ids: Value = { name: "ids", type: "int64", dims: [tokens.length, 1] };
        const upstream: Value = { name: "upstream", type: "float32", dims: [tokens.length, width] };
        const out: Value = { ...tableValue, name: "out" };
        const inputs = [tableValue, ids, upstream];
        const model = oneNodeModel("ScatterND", inputs, out, { reduction: "add" });
        const buffers = {
          table: zeros,
          ids: upload(device, ids, BigInt64Array.from(tokens, BigInt)),
          upstream: upload(device, upstream, gradOut),
        };
        return operation(model, inputs, out, buffers, ["ids", "upstream"]);
      },
      close() {
        void first.release();
        table.buffer.destroy();
        zeros.buffer.destroy();
      },
    };
  },
};
export default rival;
