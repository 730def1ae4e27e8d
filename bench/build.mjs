// Bundles the benchmark page into dist/bench.{html,css,js}, and each rival into dist/bench/NAME.js. Leaving a rival out is
// leaving its file out: the page says so and goes on.
//
//   node bench/build.mjs [--out dist] [--rivals tfjs,jax,ort,hf | none]

import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { here, turkishLines, versions } from "./bundled.mjs";

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

const shared = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  loader: { ".wgsl": "text" },
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
    define: versions(rival),
    // Node's side of libraries that run in both.
    external: ["fs", "path", "util", "crypto", "worker_threads", "node:*"],
  });
}
if (rivals.includes("ort")) {
  const wasm = "ort-wasm-simd-threaded.asyncify.wasm";
  copyFileSync(join(here, "node_modules", "onnxruntime-web", "dist", wasm), join(rivalsOut, wasm));
}
// The other tokenizer reads the model as it was published; the package has it packed.
if (rivals.includes("hf")) {
  copyFileSync(join(here, "..", "data", "turkish-16k.model"), join(rivalsOut, "turkish-16k.model"));
}
// Stored runs, for bench.html?show=bench/results/NAME.json
if (existsSync(join(here, "results"))) cpSync(join(here, "results"), join(rivalsOut, "results"), { recursive: true });
console.log(`bench: ${out}/bench.html, rivals: ${rivals.join(", ") || "none"}`);
