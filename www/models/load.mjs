// Loads a TypeScript module of the page into Node, as esbuild bundles it, for tests that need no browser.
import { build } from "esbuild";

export async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [new URL(path, import.meta.url).pathname],
    bundle: true,
    format: "esm",
    write: false,
    loader: { ".wgsl": "text" },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
