// How www/main.ts becomes JavaScript and www/styles/page.css one style sheet, for the served page and for the single file.

import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

/** A style sheet with what it imports as one text: the page's own, or what a later section carries along. */
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
      {
        // Style sheets that are imported as texts.
        name: "styles",
        setup(build) {
          build.onLoad({ filter: /\.css$/ }, async (file) =>
            file.with.type === "text" ? { contents: await bundleStyles(file.path), loader: "text" } : undefined,
          );
        },
      },
      {
        // www/recorded/*.json as a list of functions that import them, so that a new recording is a new file and no more.
        name: "recordings",
        setup(build) {
          build.onResolve({ filter: /^recorded:files$/ }, ({ path }) => ({ path, namespace: "recordings" }));
          build.onLoad({ filter: /.*/, namespace: "recordings" }, () => {
            const files = existsSync(recorded) ? readdirSync(recorded).filter((name) => name.endsWith(".json")) : [];
            const list = files.sort().map((name) => `() => import("./${name}")`);
            return { contents: `export default [${list}];`, resolveDir: resolve(recorded) };
          });
        },
      },
    ],
  };
}

const recorded = "www/recorded";
