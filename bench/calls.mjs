// What a call whose result stays on the GPU costs on the main thread: kernels of no weight, each call awaited, the wall clock up to the
// last promise, beside a pass recorded by hand. With --churn also what 100,000 calls leave behind.
//
//   node bench/calls.mjs [chromium] [firefox] [--site dist] [--calls 4000] [--churn]

import { join } from "node:path";
import { parseArgs } from "node:util";
import { browsers, launch } from "../tools/browsers.mjs";
import { serve } from "../tools/serve.mjs";
import { here } from "./bundled.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    site: { type: "string", default: join(here, "..", "dist") },
    calls: { type: "string", default: "4000" },
    churn: { type: "boolean", default: false },
  },
});
const site = await serve(values.site);
for (const name of positionals.length > 0 ? positionals : browsers) {
  const preferences = { "privacy.reduceTimerPrecision": false };
  const browser = await launch(name, { preferences, protocolTimeout: 600_000 });
  const page = await browser.newPage();
  await page.goto(`${site.url}bench.html`);
  await page.evaluate(prepare);
  for (const kind of ["by hand", "embed, GpuTokens", "embed, Uint32Array", "embedGrad", "step"]) {
    await page.evaluate((...given) => globalThis.many(...given), kind, 1_000);
    const { low, middle } = await page.evaluate((...given) => globalThis.many(...given), kind, Number(values.calls));
    console.log(
      `${name}  ${kind.padEnd(20)} ${low.toFixed(1).padStart(7)} µs (10%) ${middle.toFixed(1).padStart(7)} µs (median)`,
    );
  }
  if (values.churn)
    console.log(`${name}  100,000 calls: ${JSON.stringify(await page.evaluate(() => globalThis.churn(100_000)))}`);
  await browser.close();
}
await site.close();

/** In the page: small inputs and the calls on them. */
async function prepare() {
  // As on a graphics card, where tokens are grouped by kernels.
  const facts = { vendor: "any", architecture: "", device: "", description: "" };
  for (const [Class, key] of [
    [GPUAdapter, "info"],
    [GPUDevice, "adapterInfo"],
  ]) {
    Object.defineProperty(Class.prototype, key, { get: () => facts });
  }
  const { default: init, Embedding } = await import(new URL("pkg/gomme.js", location.href).href);
  const { memory } = await init();
  const embedding = await Embedding.create({ vocabSize: 64, dModel: 16, backend: "gpu" });
  const { device } = embedding;
  const ids = Uint32Array.from({ length: 16 }, (_, i) => i * 3);
  const tokens = embedding.tokens(ids);
  const stay = { output: "gpu" };
  const gradOut = await embedding.embed(tokens, stay);
  const gradient = await embedding.embedGrad(tokens, gradOut, stay);
  const code =
    "@group(0) @binding(0) var<storage, read_write> a: array<u32>; @compute @workgroup_size(1) fn main() { a[0] = 1u; }";
  const compute = { module: device.createShaderModule({ code }), entryPoint: "main" };
  const pipeline = device.createComputePipeline({ layout: "auto", compute });
  const buffer = device.createBuffer({ size: 256, usage: GPUBufferUsage.STORAGE });
  const entries = [{ binding: 0, resource: { buffer } }];
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  const calls = {
    "by hand": async () => {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(1);
      pass.end();
      device.queue.submit([encoder.finish()]);
    },
    "embed, GpuTokens": async () => (await embedding.embed(tokens, stay)).dispose(),
    "embed, Uint32Array": async () => (await embedding.embed(ids, stay)).dispose(),
    embedGrad: async () => (await embedding.embedGrad(tokens, gradOut, stay)).dispose(),
    step: () => embedding.step(gradient, { rule: "adagrad", lr: 1e-3 }),
  };
  const drain = async () => {
    let waiting = true;
    const done = device.queue.onSubmittedWorkDone().then(() => {
      waiting = false;
    });
    while (waiting) {
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 1))]);
      if (waiting) device.queue.submit([]); // Firefox looks for what is done when something is submitted
    }
  };
  globalThis.many = async (kind, count) => {
    const BATCH = 100;
    const times = [];
    for (let i = 0; i < count; i += BATCH) {
      const start = performance.now();
      for (let k = 0; k < BATCH; k++) await calls[kind]();
      times.push(((performance.now() - start) * 1_000) / BATCH);
      await drain();
    }
    times.sort((a, b) => a - b);
    return { low: times[Math.floor(times.length / 10)], middle: times[Math.floor(times.length / 2)] };
  };
  globalThis.churn = async (count) => {
    const made = [];
    const { createBuffer } = GPUDevice.prototype;
    GPUDevice.prototype.createBuffer = function (descriptor) {
      made.push(descriptor.size);
      return createBuffer.call(this, descriptor);
    };
    const kinds = ["embed, Uint32Array", "embedGrad"];
    for (const kind of kinds) await globalThis.many(kind, 1_000);
    const before = memory.buffer.byteLength;
    made.length = 0;
    for (const kind of kinds) await globalThis.many(kind, count / kinds.length);
    return { wasmMemoryGrewBy: memory.buffer.byteLength - before, buffersMade: made.length };
  };
}
