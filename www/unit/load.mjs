// Modules of the page that need no browser, for tests in Node: bundled by esbuild, the package left out (types only).

import { build } from "esbuild";

/** The exports of a module of `www/`, given by its path there. */
export async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [`www/${path}`],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["*/pkg/gomme.js"],
    loader: { ".wgsl": "text" },
    logLevel: "warning",
  });
  const source = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${source}`);
}
