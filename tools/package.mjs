// Finishes the package after wasm-pack has made FOLDER: wasm and script made smaller, the types, the bundled data, README and
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
const data = ["data/turkish-16k.pack", "data/turkish-16k-384.i8", "data/turkish-16k-384.scale.f32"];

optimise();
await writeScript();
copyFiles();
writeReadme();
writeManifest();
console.log(`  wasm ${weight(wasm).join(" bytes, ")} with gzip -9`);

function optimise() {
  // rustc and wasm-bindgen emit these features, and every browser with WebGPU has them.
  const features = [
    "bulk-memory",
    "multivalue",
    "mutable-globals",
    "nontrapping-float-to-int",
    "reference-types",
    "sign-ext",
  ].map((name) => `--enable-${name}`);
  const settings = [
    "-Os",
    "--converge",
    // rustc has inlined what pays. Functions with one caller would still be merged into it, however long; small ones after each
    // other are more bytes, but compress to fewer.
    "--one-caller-inline-max-function-size=30",
    // Rust keeps nothing there: its stack ends at 0 and its data begins behind the stack.
    "--low-memory-unused",
    "--strip-producers",
  ];
  execFileSync("node_modules/.bin/wasm-opt", [...settings, ...features, wasm, "-o", wasm], {
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** The package's entry and wasm-bindgen's bindings as one script. */
async function writeScript() {
  const shortened = shortenImports(readFileSync(wasm));
  // Of the bindings' own loading only the two ends are used: package.js has its own in between.
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
    // package.js gives the classes their names back.
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    // wasm-bindgen writes a free() of its own into a class before the package's, which is the one that counts; and it names a
    // module of ours once for each function that it imports from there.
    logOverride: { "duplicate-class-member": "silent", "duplicate-object-key": "silent" },
    define: { __BUILD__: JSON.stringify(build) },
    plugins: [bindingsFrom(bindings)],
  });
  rmSync(`${folder}/snippets`, { recursive: true, force: true });
}

/** Gives package.js its ./bindings.js. */
function bindingsFrom(contents) {
  return {
    name: "bindings",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\.\/bindings\.js$/ }, () => ({ path: "bindings.js", namespace: "generated" }));
      onLoad({ filter: /.*/, namespace: "generated" }, () => ({ contents, resolveDir: resolve(folder) }));
      // wasm-bindgen makes copies of the modules in src/ that Rust imports from. They are left aside, because package.js
      // shares these modules with the bindings.
      onResolve({ filter: /^\.\/snippets\/gomme-\w+\/src\// }, ({ path }) => ({
        path: resolve(path.replace(/^\.\/snippets\/gomme-\w+\//, "")),
      }));
    },
  };
}

function copyFiles() {
  // wasm-pack's .gitignore would hide everything from tools that read it.
  rmSync(`${folder}/.gitignore`, { force: true });
  cpSync("src/api.d.ts", `${folder}/gomme.d.ts`);
  writeFileSync(
    `${folder}/gomme_bg.wasm.d.ts`,
    "/** All that users may rely on; `init` takes the address or the bytes of this file. */\nexport const memory: WebAssembly.Memory;\n",
  );
  mkdirSync(`${folder}/data`, { recursive: true });
  for (const path of [...data, "data/README.md", "data/LICENSES"])
    cpSync(path, `${folder}/${path}`, { recursive: true });
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(name, `${folder}/${name}`);
}

/** src/js/README.md with the sizes of what was built. */
function writeReadme() {
  const rows = ["gomme.js", "gomme_bg.wasm", ...data].map(
    (name) => `| \`${name}\` | ${weight(`${folder}/${name}`).join(" | ")} |`,
  );
  const text = readFileSync("src/js/README.md", "utf8");
  if (!text.includes("\nSIZES\n")) throw new Error("src/js/README.md has no line SIZES");
  writeFileSync(`${folder}/README.md`, text.replace("\nSIZES\n", `\n${rows.join("\n")}\n`));
}

/** Bytes of a file, as it is and with gzip, to be read. */
function weight(path) {
  const bytes = readFileSync(path);
  return [bytes, gzipSync(bytes, { level: 9 })].map(({ length }) => length.toLocaleString("en"));
}

function writeManifest() {
  const cargo = readFileSync("Cargo.toml", "utf8");
  const field = (name) => {
    const value = new RegExp(`^${name} = "(.*)"$`, "m").exec(cargo)?.[1];
    if (value === undefined) throw new Error(`Cargo.toml has no ${name}`);
    return value;
  };
  const files = readdirSync(folder).filter((name) => name !== "package.json");
  const manifest = {
    name: field("name"),
    version: field("version"),
    description: field("description"),
    keywords: ["embedding", "webgpu", "wasm", "tokenizer", "sentencepiece", "gradient", "scatter-add", "turkish"],
    license: field("license"),
    type: "module",
    exports: {
      ".": { types: "./gomme.d.ts", default: "./gomme.js" },
      "./gomme_bg.wasm": { types: "./gomme_bg.wasm.d.ts", default: "./gomme_bg.wasm" },
      "./data/*": "./data/*",
      "./package.json": "./package.json",
    },
    // For tools that do not read `exports`.
    main: "./gomme.js",
    types: "./gomme.d.ts",
    sideEffects: false,
    engines: { node: ">=20" },
    files: files.map((name) => (statSync(`${folder}/${name}`).isDirectory() ? `${name}/` : name)),
  };
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, undefined, 2)}\n`);
}
