// Bundles the benchmark page into dist/bench.{html,css,js}, and each rival into dist/bench/NAME.js. Leaving a rival out is
// leaving its file out: the page says so and goes on.
//
//   node bench/build.mjs [--out dist] [--rivals tfjs,jax,ort,hf | none]

import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const known = ["tfjs", "jax", "ort", "hf"];
const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(here, "..", "dist") },
    rivals: { type: "string", default: known.join() },
  },
});
const rivals = values.rivals === "none" ? [] : values.rivals.split(",").filter(Boolean);
const unknown = rivals.find((name) => !known.includes(name));
if (unknown !== undefined) {
  console.error(`bench/build.mjs: no rival "${unknown}"; there are ${known.join(", ")}`);
  process.exit(2);
}

const installed = (name) => JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8")).version;

const sentences = join(here, "..", "data", "encodings.jsonl");

/** The reference encodings' sentences, for the tokenizer's speed. */
const turkishLines = {
  name: "turkish-lines",
  setup(esbuild) {
    esbuild.onResolve({ filter: /^turkish:lines$/ }, () => ({ path: "turkish:lines", namespace: "turkish-lines" }));
    esbuild.onLoad({ filter: /.*/, namespace: "turkish-lines" }, () => {
      const lines = readFileSync(sentences, "utf8").trim().split("\n");
      return { contents: JSON.stringify(lines.map((line) => JSON.parse(line).text)), loader: "json" };
    });
  },
};

const shared = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};
const out = values.out;
mkdirSync(out, { recursive: true });
await build({
  ...shared,
  entryPoints: [join(here, "main.ts")],
  outfile: join(out, "bench.js"),
  plugins: [turkishLines],
});
await build({ ...shared, entryPoints: [join(here, "bench.css")], outfile: join(out, "bench.css") });
copyFileSync(join(here, "bench.html"), join(out, "bench.html"));

const rivalsOut = join(out, "bench");
rmSync(rivalsOut, { recursive: true, force: true });
for (const rival of rivals) {
  await build({
    ...shared,
    entryPoints: [join(here, "rivals", `${rival}.ts`)],
    outdir: rivalsOut,
    splitting: true,
    chunkNames: `${rival}-[hash]`,
    define: {
      JAX_VERSION: JSON.stringify(rival === "jax" ? installed("@jax-js/jax") : ""),
      HF_VERSION: JSON.stringify(rival === "hf" ? installed("@huggingface/tokenizers") : ""),
    },
    // Node's side of libraries that run in both.
    external: ["fs", "path", "util", "crypto", "worker_threads", "node:*"],
  });
}
if (rivals.includes("ort")) {
  const wasm = "ort-wasm-simd-threaded.asyncify.wasm";
  copyFileSync(join(here, "node_modules", "onnxruntime-web", "dist", wasm), join(rivalsOut, wasm));
}
// Stored runs, for bench.html?show=bench/results/NAME.json
if (existsSync(join(here, "results"))) cpSync(join(here, "results"), join(rivalsOut, "results"), { recursive: true });
console.log(`bench: ${out}/bench.html, rivals: ${rivals.join(", ") || "none"}`);
