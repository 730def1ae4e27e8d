// Changes to a wasm module that need its sections and nothing else.
//
// Short names for what it imports: wasm-bindgen's own (`__wbg_get_1ce9b7e2a1d3f0c4`) are in the wasm and once more in the script,
// and their hashes do not compress: 6 KB on the way to every visitor. Only the script beside the wasm sees them. (binaryen's
// --minify-imports does this for modules named "env" alone.)

const CUSTOM = 0;
const IMPORTS = 2;
const FUNCTION = 0;

/** The module of imports that wasm-bindgen's script defines; others are files of their own, imported as they are. */
const BINDINGS = "./gomme_bg.js";

/** The same module with every function import of wasm-bindgen renamed, and the names, old to new. */
export function shortenImports(wasm) {
  const names = new Map();
  const parts = [wasm.subarray(0, 8)];
  for (const { id, start, end, whole } of sections(wasm)) {
    parts.push(id === IMPORTS ? section(IMPORTS, renamedImports(wasm.subarray(start, end), names)) : whole);
  }
  return { wasm: Buffer.concat(parts), names };
}

/** The script with the same names; throws where it does not define each of them exactly once. */
export function renameImports(script, names) {
  const missing = new Set(names.keys());
  const renamed = script.replace(/^(\s*)(__wb[a-z]+_\w+)(?=: function)/gm, (whole, indent, name) => {
    if (!names.has(name)) return whole; // wasm-opt found it unused
    if (!missing.delete(name)) throw new Error(`${name} is defined twice`);
    return indent + names.get(name);
  });
  if (missing.size > 0) throw new Error(`no definition of ${[...missing].join(", ")}`);
  return renamed;
}

/** The same module with a custom section of this text. */
export function withCustomSection(wasm, name, text) {
  return Buffer.concat([wasm, section(CUSTOM, Buffer.concat([string(name), Buffer.from(text)]))]);
}

/** Every section: its id, where its content starts and ends, and all of its bytes. */
function* sections(wasm) {
  for (let at = 8; at < wasm.length; ) {
    const [length, start] = varint(wasm, at + 1);
    const end = start + length;
    yield { id: wasm[at], start, end, whole: wasm.subarray(at, end) };
    at = end;
  }
}

function renamedImports(content, names) {
  const [count, first] = varint(content, 0);
  const parts = [encoded(count)];
  let at = first;
  for (let index = 0; index < count; index++) {
    const [module, name] = readString(content, at);
    const [field, kind] = readString(content, name);
    if (content[kind] !== FUNCTION) throw new Error(`the import ${field} is no function`);
    const [, end] = varint(content, kind + 1);
    if (module !== BINDINGS) {
      parts.push(content.subarray(at, end));
    } else {
      if (!names.has(field)) names.set(field, `i${names.size.toString(36)}`);
      parts.push(content.subarray(at, name), string(names.get(field)), content.subarray(kind, end));
    }
    at = end;
  }
  return Buffer.concat(parts);
}

function section(id, content) {
  return Buffer.concat([Buffer.from([id]), encoded(content.length), content]);
}

/** A string and the place behind it. */
function readString(bytes, at) {
  const [length, start] = varint(bytes, at);
  return [bytes.toString("utf8", start, start + length), start + length];
}

function string(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([encoded(bytes.length), bytes]);
}

/** An unsigned LEB128 and the place behind it. */
function varint(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7, at++) {
    value |= (bytes[at] & 127) << shift;
    if (bytes[at] < 128) return [value >>> 0, at + 1];
  }
}

function encoded(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return Buffer.from([...bytes, value]);
}
