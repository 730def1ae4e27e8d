// Short names for what the wasm imports. wasm-bindgen's own (`__wbg_get_1ce9b7e2a1d3f0c4`) are in the wasm and once more in the
// script, and their hashes do not compress: 6 KB on the way to every visitor. Only the script beside the wasm sees them.

const importSection = 2;

/** The same module with every function import of wasm-bindgen renamed, and the names, old to new. */
export function shortenImports(wasm) {
  const names = new Map();
  const parts = [wasm.subarray(0, 8)];
  for (let at = 8; at < wasm.length; ) {
    const [length, start] = varint(wasm, at + 1);
    const end = start + length;
    if (wasm[at] === importSection) {
      const body = imports(wasm, start, names);
      parts.push(Buffer.from([importSection]), encoded(body.length), body);
    } else {
      parts.push(wasm.subarray(at, end));
    }
    at = end;
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

function imports(wasm, start, names) {
  const [count, first] = varint(wasm, start);
  const parts = [encoded(count)];
  let at = first;
  for (let index = 0; index < count; index++) {
    const module = skipName(wasm, at);
    const [length, text] = varint(wasm, module);
    const kind = text + length;
    const name = wasm.toString("utf8", text, kind);
    if (wasm[kind] !== 0) throw new Error(`the import ${name} is no function`);
    const [, end] = varint(wasm, kind + 1);
    if (!names.has(name)) names.set(name, `i${names.size.toString(36)}`);
    const short = Buffer.from(names.get(name));
    parts.push(wasm.subarray(at, module), encoded(short.length), short, wasm.subarray(kind, end));
    at = end;
  }
  return Buffer.concat(parts);
}

function skipName(wasm, at) {
  const [length, start] = varint(wasm, at);
  return start + length;
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
