// Finishes the package after wasm-pack has made FOLDER: wasm and script made smaller, the bundled data and the licences
// beside them, and a package.json whose `files` names everything, so that `npm pack` leaves nothing out.
//
//   node tools/package.mjs FOLDER

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { transformSync } from "esbuild";
import { renameImports, shortenImports } from "./shorten-imports.mjs";

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
writeFileSync(wasm, shortened.wasm);
rmSync(`${wasm}.small`);

// What wasm-bindgen writes is for browsers, and counts before the first lookup; the types have its documentation. Names
// stay, so that a console shows an Embedding as one.
const script = transformSync(renameImports(readFileSync(`${folder}/gomme.js`, "utf8"), shortened.names), {
  format: "esm",
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  logLevel: "error",
});
writeFileSync(`${folder}/gomme.js`, script.code);

// wasm-pack's .gitignore would hide everything from tools that read it.
rmSync(`${folder}/.gitignore`, { force: true });
rmSync(`${folder}/data`, { recursive: true, force: true });
mkdirSync(`${folder}/data`);
for (const name of [
  "turkish-16k.pack",
  "turkish-16k.model",
  "turkish-16k-384.i8",
  "turkish-16k-384.scale.f32",
  "README.md",
  "LICENSES",
]) {
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
