// Makes dist/, the static site, from index.html, www/ and pkg/: the page bundled by esbuild, the package beside it as it is,
// the same page in one file (tools/single-file.mjs), the recording page, the examples, and the benchmark page.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { bundleOptions, bundleStyles } from "./bundle.mjs";
import { examples } from "./examples.mjs";
import { singleFile } from "./single-file.mjs";

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
cpSync("pkg", "dist/pkg", { recursive: true });
writeFileSync("dist/style.css", await bundleStyles());

// The pairs of section 8, with where they come from.
for (const name of ["turkish-pairs.bin", "README.md", "LICENSES"]) {
  cpSync(`data/${name}`, `dist/data/${name}`, { recursive: true });
}

// The package is not bundled: the page imports it from beside itself, as any other page would.
const page = {
  ...bundleOptions("beside"),
  outdir: "dist",
  splitting: true,
  chunkNames: "[name]-[hash]",
  metafile: true,
};
const { metafile } = await build(page);
writeFileSync("dist/index.html", withPreloads(readFileSync("index.html", "utf8"), metafile));
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

/**
 * The page with links to what its first lookup needs, all asked for at once: otherwise the browser learns of the modules from
 * main.js, of the wasm from a module, and of the model from the wasm. The vectors, 6 MB, keep their turn.
 */
function withPreloads(page, { outputs }) {
  const modules = new Set();
  const follow = (path) => {
    for (const { path: needed, kind } of outputs[path]?.imports ?? []) {
      const address = needed.replace(/^(dist|\.)\//, "");
      if (kind !== "import-statement" || modules.has(address)) continue;
      modules.add(address);
      follow(needed);
    }
  };
  follow("dist/main.js");
  const fetched = ["pkg/gomme_bg.wasm", "pkg/data/turkish-16k.pack"];
  const links = [
    ...[...modules].map((address) => `<link rel="modulepreload" href="${address}">`),
    ...fetched.map((address) => `<link rel="preload" as="fetch" crossorigin href="${address}">`),
  ];
  const place = '<link rel="stylesheet" href="style.css">\n';
  if (page.split(place).length !== 2) throw new Error("index.html must link style.css exactly once");
  return page.replace(place, `${place}${links.join("\n")}\n`);
}

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
