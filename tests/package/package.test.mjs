// What is in the package, and what its types promise.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { projects, unpackTo } from "./packed.mjs";

const { folder, remove } = projects();
const unpacked = join(folder, "gomme");
let tarball;

before(() => {
  tarball = unpackTo(unpacked);
});

after(remove);

function filesBelow(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

test("npm pack leaves nothing out", () => {
  assert.deepEqual(filesBelow(unpacked), filesBelow("pkg"));
  for (const name of ["turkish-16k.pack", "turkish-16k-384.i8", "turkish-16k-384.scale.f32", "README.md"]) {
    assert.deepEqual(readFileSync(join(unpacked, "data", name)), readFileSync(join("data", name)), name);
  }
  assert.ok(
    filesBelow(unpacked).some((name) => name.startsWith("data/LICENSES/")),
    "licences of the data",
  );
  // The tokenizer comes packed; the model that it was packed from stays at home.
  assert.deepEqual(
    filesBelow(unpacked).filter((name) => name.endsWith(".model")),
    [],
  );
});

// Compilers that know WebGPU by themselves and ones that do not, with and without its types; programs for pages, workers, Node.
const newest = resolve("node_modules/.bin/tsc");
const older = resolve("tests/package/node_modules/.bin/tsc");
const programs = [
  ["a new compiler", newest, {}],
  // Whoever has both has to skip the check of libraries: these two contradict each other.
  ["a new compiler and @webgpu/types", newest, { types: ["@webgpu/types"], skipLibCheck: true }],
  ["a new compiler, for Node", newest, { module: "nodenext", moduleResolution: "nodenext" }],
  ["an older compiler", older, {}],
  ["an older compiler and @webgpu/types", older, { types: ["@webgpu/types"] }],
  ["a program for workers", older, { lib: ["es2022", "webworker"] }],
  ["a program with `using`", newest, { lib: ["esnext", "dom"] }],
];

describe("tsc --strict accepts a use of the package and refuses misuse", () => {
  const project = join(folder, "typescript");
  before(() => {
    for (const [from, to] of [
      [unpacked, "gomme"],
      ["tests/package/node_modules/@webgpu", "@webgpu"],
    ]) {
      cpSync(from, join(project, "node_modules", to), { recursive: true });
    }
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    cpSync("tests/package/use.ts", join(project, "use.ts"));
  });
  for (const [name, compiler, options] of programs) {
    test(name, () => {
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        target: "es2022",
        module: "esnext",
        moduleResolution: "bundler",
        types: [],
        ...options,
      };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
      try {
        execFileSync(compiler, ["-p", project], { encoding: "utf8", stdio: "pipe" });
      } catch (error) {
        assert.fail(error.stdout);
      }
    });
  }
});

/** Runs a tool of tests/package; its output is the message when it fails. */
function tool(name, ...args) {
  try {
    return execFileSync(resolve("tests/package/node_modules/.bin", name), args, { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    assert.fail(`${error.stdout}${error.stderr}`);
  }
}

test("publint has nothing to say", () => {
  tool("publint", "run", unpacked, "--strict");
});

test("the types are found whichever way a program resolves modules", () => {
  tool("attw", tarball, "--profile", "esm-only", "--no-emoji");
});

test("every file of the package can be had by its name", async () => {
  const { exports } = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"));
  assert.deepEqual(Object.keys(exports), [".", "./gomme_bg.wasm", "./data/*", "./package.json"]);
  const project = join(folder, "node");
  mkdirSync(join(project, "node_modules"), { recursive: true });
  cpSync(unpacked, join(project, "node_modules/gomme"), { recursive: true });
  const { resolve: from } = createRequire(join(project, "index.js"));
  for (const name of ["gomme_bg.wasm", "data/turkish-16k.pack", "data/turkish-16k-384.i8", "package.json"]) {
    assert.equal(from(`gomme/${name}`), join(project, "node_modules/gomme", name));
  }
  assert.throws(() => from("gomme/gomme.d.ts"), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });
});

test("the README shows what the files weigh", () => {
  const readme = readFileSync(join(unpacked, "README.md"), "utf8");
  const { size } = statSync(join(unpacked, "gomme_bg.wasm"));
  assert.match(readme, new RegExp(`gomme_bg\\.wasm\` \\| ${size.toLocaleString("en")} \\|`));
});
