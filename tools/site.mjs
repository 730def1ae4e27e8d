// Makes dist/, the static site, from index.html, www/ and pkg/: the page bundled by esbuild, the package beside it as it is,
// the same page in one file (tools/single-file.mjs), and the benchmark page.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { bundleOptions } from "./bundle.mjs";
import { singleFile } from "./single-file.mjs";

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
cpSync("pkg", "dist/pkg", { recursive: true });
cpSync("index.html", "dist/index.html");
cpSync("www/style.css", "dist/style.css");

// The package is not bundled: the page imports it from beside itself, as any other page would.
await build({ ...bundleOptions("beside"), outdir: "dist", splitting: true, chunkNames: "[name]-[hash]" });
await singleFile("dist/gomme.html");

if (existsSync("bench/build.mjs"))
  execFileSync(process.execPath, ["bench/build.mjs", "--rivals", "none"], { stdio: "inherit" });
