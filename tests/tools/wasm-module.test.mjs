// Imports get short names in the wasm and in the script alike, a custom section is added, and nothing else changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { renameImports, shortenImports, withCustomSection } from "../../tools/wasm-module.mjs";

const text = (value) => [value.length, ...Buffer.from(value)];
const section = (id, body) => [id, body.length, ...body];
const first = "__wbg_add_0123456789abcdef";
const second = "__wbindgen_cast_fedcba9876543210";

/** Imports two functions from the bindings and one from a file of its own, and exports the second one as `run`. */
const wasm = Buffer.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, 0x60, 0, 1, 0x7f]),
  ...section(2, [
    ...[3, ...text("./gomme_bg.js"), ...text(first), 0, 0],
    ...[...text("./gomme_bg.js"), ...text(second), 0, 0],
    ...[...text("./own.js"), ...text("own"), 0, 0],
  ]),
  ...section(7, [1, ...text("run"), 0, 1]),
]);
const script = `export default {\n  ${first}: function() { return 1; },\n  ${second}: function() { return 2; },\n};`;

test("a module finds its imports under their short names", async () => {
  const short = shortenImports(wasm);
  assert.equal(short.names.size, 2);
  const renamed = encodeURIComponent(renameImports(script, short.names));
  const { default: imports } = await import(`data:text/javascript,${renamed}`);
  assert.deepEqual(Object.keys(imports), [...short.names.values()]);
  const { instance } = await WebAssembly.instantiate(short.wasm, {
    "./gomme_bg.js": imports,
    "./own.js": { own: () => 3 },
  });
  assert.equal(instance.exports.run(), 2);
});

test("a script that lacks a definition is refused", () => {
  const { names } = shortenImports(wasm);
  assert.throws(() => renameImports(script.replace(second, "another"), names), new RegExp(second));
});

test("a custom section can be read again", async () => {
  const module = await WebAssembly.compile(withCustomSection(wasm, "gomme build", "0123"));
  assert.deepEqual(
    WebAssembly.Module.customSections(module, "gomme build").map((bytes) => Buffer.from(bytes).toString()),
    ["0123"],
  );
  assert.equal(WebAssembly.Module.imports(module).length, 3);
});
