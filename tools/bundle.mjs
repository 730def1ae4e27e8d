// How www/main.ts becomes JavaScript and www/styles/page.css one style sheet, for the served page and for the single file.

import { resolve } from "node:path";
import { build } from "esbuild";

/** The page's style sheet as one text. */
export async function bundleStyles() {
  const { outputFiles } = await build({
    entryPoints: ["www/styles/page.css"],
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
    // wasm-bindgen writes a free() of its own into a class before the package's, which is the one that counts.
    logOverride: { "duplicate-class-member": "silent" },
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
