// How www/main.ts becomes JavaScript and www/styles/page.css one style sheet, for the served page and for the single file.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

/** Style sheets of the sections that are loaded when they are opened, by the names that these ask for. */
export const lazyStyles = Object.entries({
  "train.css": "www/train/train.css",
  "workshop.css": "www/workshop/workshop.css",
}).filter(([, path]) => existsSync(path));

/** The page's style sheet, or another, as one text. */
export async function bundleStyles(path = "www/styles/page.css") {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    logLevel: "warning",
  });
  return outputFiles[0].text;
}

/**
 * Options for esbuild. `www/` imports the package as `pkg/gomme.js` from wherever it stands; the page finds it "beside"
 * itself at run time, the single file has it "inside".
 */
export function bundleOptions(where) {
  return {
    entryPoints: ["www/main.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    loader: { ".wgsl": "text" },
    legalComments: "none",
    logLevel: "warning",
    // What wasm-bindgen writes: see tools/package.mjs.
    logOverride: { "duplicate-class-member": "silent", "duplicate-object-key": "silent" },
    plugins: [
      {
        name: "package",
        setup(build) {
          build.onResolve({ filter: /(^|\/)pkg\/gomme\.js$/ }, () =>
            where === "beside" ? { path: "./pkg/gomme.js", external: true } : { path: resolve("pkg/gomme.js") },
          );
        },
      },
    ],
  };
}
