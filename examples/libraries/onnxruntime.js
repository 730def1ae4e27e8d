// ONNX Runtime Web as one file, bundled into dist/examples/libraries/ by tools/site.mjs, with its wasm beside it.
import * as ort from "onnxruntime-web/webgpu";

ort.env.wasm.wasmPaths = { wasm: new URL("ort-wasm-simd-threaded.asyncify.wasm", import.meta.url).href };
ort.env.wasm.numThreads = 1;
ort.env.logLevel = "error";

export { oneNodeModel } from "../../bench/rivals/onnx.ts";
export { ort };
