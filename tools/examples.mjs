// examples/ as part of the site: the pages as they are, and the libraries that two of them meet, bundled from bench/node_modules.
// Without these (`npm ci --prefix bench` puts them there) the two pages say what they miss.

import { cpSync, existsSync } from "node:fs";
import { build } from "esbuild";

const libraries = "examples/libraries";
const modules = "bench/node_modules";
/** What ONNX Runtime Web fetches from beside itself. */
const runtime = "ort-wasm-simd-threaded.asyncify.wasm";

export async function examples(out) {
  cpSync("examples", out, { recursive: true, filter: (path) => path !== libraries });
  if (!existsSync(modules)) return;
  await build({
    entryPoints: [`${libraries}/tensorflow.js`, `${libraries}/onnxruntime.js`],
    outdir: `${out}/libraries`,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "eof",
    logLevel: "warning",
    nodePaths: [modules],
    // Node's side of libraries that run in both.
    external: ["fs", "path", "util", "crypto", "worker_threads", "node:*"],
  });
  cpSync(`${modules}/onnxruntime-web/dist/${runtime}`, `${out}/libraries/${runtime}`);
}
