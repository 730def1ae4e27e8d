// The benchmark's page: a stored report says that it is one, and what is timed is what users get, on a card as on the CPU.

import assert from "node:assert/strict";
import { it } from "node:test";
import { build } from "esbuild";
import { inBothBrowsers, text } from "./harness.mjs";

const { outputFiles } = await build({
  entryPoints: ["bench/devices.ts"],
  bundle: true,
  write: false,
  format: "iife",
  globalName: "watching",
});
const watching = `${outputFiles[0].text};globalThis.watching = watching;`;

/** In the page, before anything else: the adapter's name no longer says that it computes on the CPU. */
function likeACard() {
  const names = {
    vendor: "test",
    architecture: "test",
    device: "test",
    description: "test card",
    isFallbackAdapter: false,
  };
  for (const [key, value] of Object.entries(names)) {
    for (const Class of [globalThis.GPUAdapterInfo, globalThis.GPUAdapter]) {
      if (!Class || !(key in Class.prototype)) continue;
      Object.defineProperty(Class.prototype, key, { configurable: true, get: () => value });
    }
  }
}

/** What each of the calls dispatches for one gradient, `time` in one run. */
const dispatched = (page) =>
  page.evaluate(async () => {
    const { watching } = globalThis;
    const gomme = await import(new URL("pkg/gomme.js", document.baseURI).href);
    await gomme.default();
    const [vocabSize, dModel, n] = [1_000, 16, 600];
    const embedding = await gomme.Embedding.create({ vocabSize, dModel, seed: 1, backend: "gpu" });
    const lab = gomme.Lab.of(embedding);
    const tokens = Uint32Array.from({ length: n }, (_, i) => (i * i) % vocabSize);
    const gradOut = new Float32Array(n * dModel).fill(1);
    const all = async (step) => (await watching.recordPasses(step)).passes.flatMap(({ kernels }) => kernels);
    const timed = await watching.recordPasses(() => lab.time("sorted", tokens, { samples: 1, minMilliseconds: 0 }));
    return {
      software: embedding.adapter.software,
      embedGrad: await all(() => embedding.embedGrad(tokens, gradOut)),
      gradient: await all(() => lab.gradient(tokens, gradOut, "sorted")),
      time: watching.oneRun(timed.passes),
    };
  });

inBothBrowsers("bench", (context) => {
  const open = async (query, prepare) => {
    const page = await context.browser.newPage();
    if (prepare) await page.evaluateOnNewDocument(prepare);
    await page.goto(`${context.url}bench.html${query}`, { waitUntil: "load" });
    return page;
  };

  it("says of a stored report that it is one", async () => {
    for (const [lang, said] of [
      ["tr", /Kayıtlı bir rapor: bu bilgisayarda değil/],
      ["en", /A stored report: .*not on this computer/],
    ]) {
      const page = await open(`?show=bench/results/h200-chromium-targets.json&lang=${lang}`);
      await page.waitForFunction(() => document.documentElement.dataset.state === "ready", { timeout: 30_000 });
      assert.match(await text(page, "#results"), said);
      assert.doesNotMatch(await text(page, "body"), /Measured on this computer|bu bilgisayarda ölçülür/);
      await page.close();
    }
  });

  it("groups in one place for embedGrad, Lab.gradient and Lab.time, on a card and in software", async () => {
    const paths = [];
    for (const prepare of [undefined, likeACard]) {
      const page = await open("", prepare);
      await page.evaluate(watching);
      const { software, embedGrad, gradient, time } = await dispatched(page);
      assert.equal(software, prepare === undefined);
      assert.deepEqual(gradient, embedGrad);
      assert.deepEqual(time, embedGrad);
      paths.push(time);
      await page.close();
    }
    const [onCpu, onGpu] = paths;
    const both = onGpu.filter((kernel) => onCpu.includes(kernel));
    assert.deepEqual(both, [], `on a card ${onGpu}, in software ${onCpu}`);
  });

  it("calls a time checked only if the run dispatched what was compared", async () => {
    // What is timed under the name of the sorted gradient, and what its figure says of it.
    const checked = async (timed) => {
      const page = await open("?parts=targets&n=512&v=16384&samples=1&ms=0&warm=0&rivals=none", likeACard);
      const report = await page.evaluate(async (kernel) => {
        const { Lab } = await import(new URL("pkg/gomme.js", document.baseURI).href);
        const { time } = Lab.prototype;
        Lab.prototype.time = function (name, ...rest) {
          return time.call(this, name === "sorted" ? kernel : name, ...rest);
        };
        document.querySelector("#start").click();
        while (!globalThis.gommeReport) await new Promise((done) => setTimeout(done, 100));
        return globalThis.gommeReport;
      }, timed);
      await page.close();
      assert.equal(report.adapter.software, false);
      const figures = report.figures.filter(({ what, n }) => what === timed && n === 512);
      assert.equal(figures.length, 1, JSON.stringify(report.failures));
      return figures[0].checked;
    };
    assert.equal(await checked("sorted"), true);
    // The same sum over tokens that are grouped on the CPU: other kernels.
    assert.equal(await checked("sorted_parts"), false);
  });
});
