// Finishes the package after wasm-pack has made FOLDER: wasm and script made smaller, the types, the bundled data and the
// licences beside them, and a package.json whose `files` names everything, so that `npm pack` leaves nothing out.
//
//   node tools/package.mjs FOLDER

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build as esbuild } from "esbuild";
import { renameImports, shortenImports, withCustomSection } from "./wasm-module.mjs";

const [, , folder] = process.argv;
if (folder === undefined) throw new Error("usage: node tools/package.mjs FOLDER");
const wasm = `${folder}/gomme_bg.wasm`;

// rustc and wasm-bindgen emit these features, and every browser with WebGPU has them.
const features = [
  "bulk-memory",
  "multivalue",
  "mutable-globals",
  "nontrapping-float-to-int",
  "reference-types",
  "sign-ext",
].map((name) => `--enable-${name}`);
execFileSync("node_modules/.bin/wasm-opt", ["-Os", ...features, "--strip-producers", wasm, "-o", `${wasm}.small`], {
  stdio: ["ignore", "inherit", "inherit"],
});
const shortened = shortenImports(readFileSync(`${wasm}.small`));
rmSync(`${wasm}.small`);

// The script: the package's entry and wasm-bindgen's bindings in one file. Names stay, so that a console shows an Embedding as
// one. Of its loading, only the two ends are used: package.js has its own in between.
const bindings = `${renameImports(readFileSync(`${folder}/gomme.js`, "utf8"), shortened.names)}
export { __wbg_get_imports as imports, __wbg_finalize_init as finish };
`;
// Imports are called by short names given in order, so that a script would link with another build's wasm and call the wrong
// functions. So both are given the same id, and package.js compares them before it runs anything.
const build = createHash("sha256").update(bindings).update(shortened.wasm).digest("hex").slice(0, 16);
writeFileSync(wasm, withCustomSection(shortened.wasm, "gomme build", build));
await esbuild({
  entryPoints: ["src/js/package.js"],
  outfile: `${folder}/gomme.js`,
  allowOverwrite: true,
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
  // wasm-bindgen writes a free() of its own into a class before the package's, which is the one that counts; and it names a
  // module of ours once for each function that it imports from there.
  logOverride: { "duplicate-class-member": "silent", "duplicate-object-key": "silent" },
  define: { __BUILD__: JSON.stringify(build) },
  plugins: [
    {
      name: "bindings",
      setup({ onLoad, onResolve }) {
        onResolve({ filter: /^\.\/bindings\.js$/ }, () => ({ path: "bindings.js", namespace: "generated" }));
        onLoad({ filter: /.*/, namespace: "generated" }, () => ({ contents: bindings, resolveDir: resolve(folder) }));
        // The copies that wasm-bindgen makes of src/js are left aside: package.js shares these modules with the bindings.
        onResolve({ filter: /^\.\/snippets\/gomme-\w+\/src\/js\// }, ({ path }) => ({
          path: resolve(path.replace(/^.*?\/src\/js\//, "src/js/")),
        }));
      },
    },
  ],
});
rmSync(`${folder}/snippets`, { recursive: true, force: true });
cpSync("src/api.d.ts", `${folder}/gomme.d.ts`);

// wasm-pack's .gitignore would hide everything from tools that read it.
rmSync(`${folder}/.gitignore`, { force: true });
rmSync(`${folder}/data`, { recursive: true, force: true });
mkdirSync(`${folder}/data`);
for (const name of ["turkish-16k.pack", "turkish-16k-384.i8", "turkish-16k-384.scale.f32", "README.md", "LICENSES"]) {
  cpSync(`data/${name}`, `${folder}/data/${name}`, { recursive: true });
}
for (const name of ["README.md", "README.tr.md", "LICENSE-MIT", "LICENSE-APACHE"]) cpSync(name, `${folder}/${name}`);

const cargo = readFileSync("Cargo.toml", "utf8");
const field = (name) => {
  const value = new RegExp(`^${name} = "(.*)"$`, "m").exec(cargo)?.[1];
  if (value === undefined) throw new Error(`Cargo.toml has no ${name}`);
  return value;
};
const files = readdirSync(folder).filter((name) => name !== "package.json");
writeFileSync(
  `${folder}/package.json`,
  `${JSON.stringify(
    {
      name: field("name"),
      version: field("version"),
      description: field("description"),
      license: field("license"),
      type: "module",
      main: "gomme.js",
      types: "gomme.d.ts",
      sideEffects: false,
      files: files.map((name) => (statSync(`${folder}/${name}`).isDirectory() ? `${name}/` : name)),
    },
    undefined,
    2,
  )}\n`,
);

const bytes = readFileSync(wasm);
console.log(
  `  wasm ${bytes.length.toLocaleString("en")} bytes, ${gzipSync(bytes, { level: 9 }).length.toLocaleString("en")} with gzip -9`,
);
