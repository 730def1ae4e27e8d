// Makes dist/, the static site, from index.html, www/ and pkg/: the page bundled by esbuild, the package beside it as it is,
// the same page in one file (tools/single-file.mjs), the recording page, the examples, and the benchmark page.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { bundleOptions, bundleStyles } from "./bundle.mjs";
import { examples } from "./examples.mjs";
import { singleFile } from "./single-file.mjs";

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
cpSync("pkg", "dist/pkg", { recursive: true });
cpSync("index.html", "dist/index.html");
writeFileSync("dist/style.css", await bundleStyles());

// The pairs of section 8, with where they come from.
for (const name of ["turkish-pairs.bin", "README.md", "LICENSES"]) {
  cpSync(`data/${name}`, `dist/data/${name}`, { recursive: true });
}

// The package is not bundled: the page imports it from beside itself, as any other page would.
await build({ ...bundleOptions("beside"), outdir: "dist", splitting: true, chunkNames: "[name]-[hash]" });
await singleFile("dist/gomme.html");
await examples("dist/examples");

// The recording page makes www/recorded/*.json on a computer with a graphics card.
await build({
  ...bundleOptions("beside"),
  entryPoints: { record: "www/record/main.ts" },
  outdir: "dist",
  define: { COMMIT: JSON.stringify(commit()) },
});
cpSync("www/record/record.html", "dist/record.html");

if (existsSync("bench/build.mjs"))
  execFileSync(process.execPath, ["bench/build.mjs", "--rivals", "none"], { stdio: "inherit" });

/** The commit that is built, "+" for changes on top of it; "" outside a repository. */
function commit() {
  try {
    return execFileSync("git", ["describe", "--always", "--exclude=*", "--dirty=+"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "";
  }
}
