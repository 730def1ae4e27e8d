// Section 8's own kernel against its twin on the CPU, on rows of every kind, in both browsers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { assertClean, inBothBrowsers, open } from "./harness.mjs";

const { outputFiles } = await build({
  stdin: {
    contents: `
      import { TARGETS } from "./draw";
      import { PairKernel } from "./kernel";
      import { pairGradients } from "./pair";
      globalThis.training = { PairKernel, pairGradients, TARGETS };`,
    resolveDir: "www/train",
  },
  bundle: true,
  write: false,
  format: "iife",
  loader: { ".wgsl": "text" },
});
const code = outputFiles[0].text;

/** In the page: a few steps on rows of this size, beside the twin; the largest difference, relative to the largest value. */
async function compare({ pairs, scale, steps }) {
  const { PairKernel, pairGradients, TARGETS } = globalThis.training;
  const width = 64;
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const problems = [];
  device.addEventListener("uncapturederror", ({ error }) => problems.push(error.message));
  const kernel = await PairKernel.on(device, pairs);
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const upload = (values) => {
    // Longer than the rows are, as buffers of the package may be.
    const buffer = device.createBuffer({ size: values.byteLength + 4_096, usage: 128 | 8 | 4 });
    device.queue.writeBuffer(buffer, 0, values);
    return { buffer, byteLength: values.byteLength };
  };
  const download = async ({ buffer, byteLength }) => {
    const home = device.createBuffer({ size: buffer.size, usage: 1 | 8 });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, home, 0, buffer.size);
    device.queue.submit([encoder.finish()]);
    await home.mapAsync(1);
    return new Float32Array(home.getMappedRange().slice(0, byteLength));
  };
  let [twin, rows] = [];
  const losses = [];
  for (let step = 0; step < steps; step++) {
    const centres = Float32Array.from({ length: pairs * width }, () => random() * scale);
    const targets = Float32Array.from({ length: pairs * TARGETS * width }, () => random() * scale);
    twin = pairGradients(centres, targets, width);
    losses.push(twin.loss);
    rows = { centres: upload(centres), targets: upload(targets) };
    kernel.run(rows.centres, rows.targets);
  }
  const found = await kernel.losses();
  const gap = (a, b) => {
    let [largest, most] = [0, 1e-30];
    for (let i = 0; i < a.length; i++) {
      largest = Math.max(largest, Math.abs(a[i] - b[i]));
      most = Math.max(most, Math.abs(b[i]));
    }
    return a.length === b.length ? largest / most : Number.NaN;
  };
  const result = {
    centres: gap(await download(rows.centres), twin.centres),
    targets: gap(await download(rows.targets), twin.targets),
    losses: gap(found, losses),
    again: await kernel.losses(),
    problems,
  };
  kernel.free();
  device.destroy();
  return result;
}

inBothBrowsers("pair kernel", (context) => {
  for (const job of [
    { pairs: 1, scale: 1, steps: 1 },
    { pairs: 63, scale: 0.01, steps: 2 },
    { pairs: 65, scale: 0.5, steps: 3 },
    { pairs: 4_096, scale: 0.3, steps: 8 },
    // Scores in the thousands: neither gradient nor loss may overflow.
    { pairs: 100, scale: 30, steps: 1 },
    { pairs: 100, scale: 0, steps: 1 },
  ]) {
    test(`${job.pairs} pairs, rows up to ${job.scale}, ${job.steps} steps`, async (t) => {
      const page = await open(context, { ready: false });
      await page.evaluate(code);
      const { centres, targets, losses, again, problems } = await page.evaluate(compare, job);
      t.diagnostic(
        `${context.name}: gradients ${centres.toExponential(1)} ${targets.toExponential(1)}, loss ${losses.toExponential(1)}`,
      );
      assert.deepEqual(problems, []);
      assert.ok(centres < 2e-5 && targets < 2e-5 && losses < 2e-5, `${centres} ${targets} ${losses}`);
      assert.deepEqual(again, [], "a loss is read once");
      assertClean(page, context.url);
      await page.close();
    });
  }
});
