// Rebuilds the page whenever something in www/, shaders/ or index.html changes, and serves it; the wasm stays as ./build.sh made it.
//
//   node tools/watch.mjs [PORT]        (by ./build.sh watch)

import { cpSync, rmSync, watch, writeFileSync } from "node:fs";
import { context } from "esbuild";
import { bundleOptions, bundleStyles } from "./bundle.mjs";
import { serve } from "./serve.mjs";

/** Editors save a file in several steps: wait for the last of them. */
const SETTLE_MILLISECONDS = 60;

// Readable in the browser's debugger.
const scripts = await context({
  ...bundleOptions("beside"),
  outdir: "dist",
  splitting: true,
  chunkNames: "[name]-[hash]",
  minify: false,
  sourcemap: "linked",
  metafile: true,
});
let written = [];

async function rebuild() {
  const start = performance.now();
  try {
    cpSync("index.html", "dist/index.html");
    writeFileSync("dist/style.css", await bundleStyles());
    const { metafile } = await scripts.rebuild();
    const now = Object.keys(metafile.outputs);
    // A chunk that changed has another name: the old one goes.
    for (const path of written.filter((one) => !now.includes(one))) rmSync(path, { force: true });
    written = now;
    console.log(`built in ${Math.round(performance.now() - start)} ms; reload the page`);
  } catch (error) {
    // esbuild has printed what is wrong with which line; the next change tries again.
    if (!error.errors) console.error(String(error));
  }
}

await rebuild();
let timer;
let building = Promise.resolve();
for (const path of ["www", "shaders", "index.html"]) {
  watch(path, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(rebuild);
    }, SETTLE_MILLISECONDS);
  });
}
const { url } = await serve("dist", { port: Number(process.argv[2] ?? 8080) });
console.log(`\nGömme is at ${url}, rebuilt on every change\n(Ctrl-C ends it)`);
