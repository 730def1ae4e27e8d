// TensorFlow.js as one file, bundled into dist/examples/libraries/ by tools/site.mjs.
export { WebGPUBackend } from "@tensorflow/tfjs-backend-webgpu";
export * from "@tensorflow/tfjs-core";
