// The entry of the package: `init`, and what every export does before `init` or on an object it was not made for. What
// wasm-bindgen generates (./bindings.js, put there by tools/package.mjs) knows neither: it reads properties of undefined, or
// follows a null pointer.

import {
  Embedding,
  embedGrad as embedGradUnguarded,
  embed as embedUnguarded,
  finish,
  GpuArray,
  GpuGradient,
  GpuTokens,
  imports,
  Lab,
  Tokenizer,
} from "./bindings.js";
import { checkStatus, fetchFile, htmlInstead, looksLikeHtml, messageOf, useData, viewOf } from "./data.js";
import { gommeError } from "./results.js";

export { toDense } from "./results.js";

/** Members that return a promise: these reject where others throw. */
const promising = {
  Tokenizer: ["turkish"],
  Embedding: ["turkish", "create", "embed", "embedBag", "embedGrad", "step", "rows"],
  GpuArray: ["read"],
  GpuGradient: ["read"],
  GpuTokens: [],
  Lab: ["create", "lookup", "gradient", "time"],
};

for (const Class of [GpuArray, GpuGradient, GpuTokens]) releaseAtOnce(Class);
for (const [name, Class] of Object.entries({ Tokenizer, Embedding, GpuArray, GpuGradient, GpuTokens, Lab }))
  guardClass(Class, name);

export { Embedding, GpuArray, GpuGradient, GpuTokens, Lab, Tokenizer };
export const embed = guarded("embed", embedUnguarded, { promises: true });
export const embedGrad = guarded("embedGrad", embedGradUnguarded, { promises: true });

/** The custom section of the wasm that holds the id of its build, and the id that this script was built with. */
const BUILD_SECTION = "gomme build";
const BUILD = __BUILD__;

let ready = false;
let starting;

export default async function init(given) {
  const { module_or_path, data } = readOptions(given);
  if (data !== undefined) useData(data);
  starting ??= start(module_or_path);
  try {
    return await starting;
  } catch (error) {
    starting = undefined;
    throw error;
  }
}

/** `init` takes an object of options, or what wasm-bindgen's takes: the wasm itself, its address, a Response, a promise. */
function readOptions(given) {
  const plain =
    typeof given === "object" && given !== null && Object.prototype.toString.call(given) === "[object Object]";
  const options = plain ? given : { module_or_path: given };
  const { module_or_path, data } = options;
  if (data !== undefined && typeof data !== "function") {
    throw gommeError(
      "invalid-argument",
      "init's data must be a function that takes a file's name and gives its bytes or address.",
    );
  }
  return { module_or_path, data };
}

async function start(source) {
  try {
    const module = await compile((await source) ?? new URL("gomme_bg.wasm", import.meta.url));
    const [section] = WebAssembly.Module.customSections(module, BUILD_SECTION);
    const build = section && new TextDecoder().decode(section);
    if (build !== BUILD) {
      throw new Error(
        `gomme.js is of the build ${BUILD}, this wasm of ${build ?? "none that gomme.js knows"}. Take both from one ` +
          "package; a cache may hold the older one of them.",
      );
    }
    const exports = finish(await WebAssembly.instantiate(module, imports()), module);
    ready = true;
    return exports;
  } catch (error) {
    if (error?.name === "GommeError") throw error;
    const policy = /\bCSP\b|content security policy|wasm-(unsafe-)?eval/i.test(messageOf(error))
      ? ". The page's Content-Security-Policy forbids wasm: add 'wasm-unsafe-eval' to its script-src."
      : "";
    throw gommeError("not-initialized", `init failed: ${messageOf(error)}${policy}`);
  }
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  let bytes = viewOf(source);
  if (bytes === undefined) {
    const response = source instanceof Response ? source : await fetchWasm(source);
    checkStatus(response);
    const type = response.headers.get("content-type") ?? "";
    if (WebAssembly.compileStreaming && /^application\/wasm\b/i.test(type))
      return WebAssembly.compileStreaming(response);
    bytes = new Uint8Array(await response.arrayBuffer());
    if (looksLikeHtml(bytes)) throw new Error(htmlInstead(`${response.url} is HTML, not gomme_bg.wasm`));
  }
  return WebAssembly.compile(bytes);
}

async function fetchWasm(address) {
  try {
    return await fetchFile(
      address,
      'module_or_path: await readFile(new URL(import.meta.resolve("gomme/gomme_bg.wasm")))',
    );
  } catch (error) {
    throw new Error(`gomme_bg.wasm could not be loaded: ${messageOf(error)}`);
  }
}

/**
 * Has `dispose` give back what an object holds in wasm memory as well; otherwise a hundred thousand results would keep it until the
 * browser collects them. What was disposed of then points to the first that was, which stays and says so.
 */
function releaseAtOnce({ prototype }) {
  const { free, dispose } = prototype;
  let first;
  const release = function () {
    if (this.__wbg_ptr === first?.__wbg_ptr) return;
    dispose.call(this);
    first ??= this;
    if (this === first) return;
    free.call(this);
    this.__wbg_ptr = first.__wbg_ptr;
  };
  for (const key of ["dispose", "free", Symbol.dispose]) {
    if (key !== undefined)
      Object.defineProperty(prototype, key, { value: release, writable: true, configurable: true });
  }
}

function guardClass(Class, name) {
  Object.defineProperty(Class, "name", { value: name }); // a bundler may have changed it
  for (const target of [Class, Class.prototype]) {
    for (const key of Reflect.ownKeys(target)) {
      const property = Object.getOwnPropertyDescriptor(target, key);
      // What begins with two underscores is wasm-bindgen's, and no function of ours is called `constructor` or `prototype`.
      if (!property.configurable || key === "constructor" || String(key).startsWith("__")) continue;
      const kind = property.get ? "get" : "value";
      if (typeof property[kind] !== "function") continue;
      property[kind] = guarded(`${name}.${String(key)}`, property[kind], {
        promises: promising[name].includes(key),
        of: target === Class ? undefined : Class,
      });
      Object.defineProperty(target, key, property);
    }
  }
}

/** The same function, which refuses with a GommeError before `init` and on a `this` that is not a living `of`. */
function guarded(name, method, { promises, of }) {
  const refused = (self) => {
    if (!ready) {
      return gommeError("not-initialized", `${name} was called before init() was done. First: await init();`);
    }
    if (of !== undefined && !isA(self, of)) {
      return gommeError(
        "invalid-argument",
        `${name} was called on something that is not ${/^[AEIOU]/.test(of.name) ? "an" : "a"} ${of.name}. Call it as a ` +
          "method of what the class's own functions gave.",
      );
    }
  };
  return function (...args) {
    let error = refused(this);
    if (error === undefined) {
      try {
        return method.apply(this, args);
      } catch (thrown) {
        error = coded(name, thrown);
      }
    }
    if (promises) return Promise.reject(error);
    throw error;
  };
}

/** Through a proxy and in a subclass, too. */
function isA(value, Class) {
  try {
    return value instanceof Class && value.__wbg_ptr > 0;
  } catch {
    return false;
  }
}

/** What a method threw: our own errors and bugs as they are, what an argument threw while it was read with a code. */
function coded(name, thrown) {
  if (thrown?.name === "GommeError" || thrown instanceof WebAssembly.RuntimeError) return thrown;
  return gommeError("invalid-argument", `An argument of ${name} could not be read: ${messageOf(thrown)}`);
}
