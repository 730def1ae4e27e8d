// The benchmark's modules for Node, so that a script and the page say the same: bundled by esbuild, as the page's are.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const here = dirname(fileURLToPath(import.meta.url));

/** The reference encodings' sentences, as `turkish:lines`. */
export const turkishLines = {
  name: "turkish-lines",
  setup(esbuild) {
    esbuild.onResolve({ filter: /^turkish:lines$/ }, () => ({ path: "turkish:lines", namespace: "turkish-lines" }));
    esbuild.onLoad({ filter: /.*/, namespace: "turkish-lines" }, () => {
      const lines = readFileSync(join(here, "..", "data", "encodings.jsonl"), "utf8")
        .trim()
        .split("\n");
      return { contents: JSON.stringify(lines.map((line) => JSON.parse(line).text)), loader: "json" };
    });
  },
};

/** Versions of the libraries that don't tell theirs, as constants. */
export function versions(rival) {
  const installed = (name) =>
    JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8")).version;
  return {
    JAX_VERSION: JSON.stringify(rival === "jax" ? installed("@jax-js/jax") : ""),
    HF_VERSION: JSON.stringify(rival === "hf" ? installed("@huggingface/tokenizers") : ""),
  };
}

/** Imports a module of this folder. */
export async function bundled(path) {
  const { outputFiles } = await build({
    entryPoints: [join(here, path)],
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    logLevel: "warning",
    plugins: [turkishLines],
    define: versions(/rivals\/(\w+)\.ts$/.exec(path)?.[1]),
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
