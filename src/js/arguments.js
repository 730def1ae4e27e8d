// Arguments as the wasm reads them: typed arrays, and below them what most calls look like at a glance.
//
// Of typed arrays the getters of the class are called, not those of the object: a subclass, a proxy or an own property may say
// anything about its length, or throw. Arrays of another window are as good as this one's, so there is no `instanceof`.

const prototype = Object.getPrototypeOf(Uint8Array.prototype);
const getter = (key) => Object.getOwnPropertyDescriptor(prototype, key).get;
const tag = getter(Symbol.toStringTag);
const buffer = getter("buffer");
const byteOffset = getter("byteOffset");
const length = getter("length");
const { keys } = prototype;

/**
 * Gives a function that gives an array of this class over the memory of its argument; undefined for anything but an array of
 * this class, null for one whose buffer was transferred away or shrunk: it reads as empty, which its owner did not mean.
 */
function reader(Class) {
  return (value) => {
    if (tag.call(value) !== Class.name) return undefined;
    try {
      keys.call(value);
    } catch {
      return null;
    }
    return new Class(buffer.call(value), byteOffset.call(value), length.call(value));
  };
}

export const uint8Array = reader(Uint8Array);
export const int32Array = reader(Int32Array);
export const uint32Array = reader(Uint32Array);
export const float32Array = reader(Float32Array);

/** Whether it is an array, of this window or another; a value that throws is not. */
export function isArray(value) {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

// What follows reads options, rules and objects of the package by one call, without strings on their way into the wasm. Whatever
// looks otherwise than it does in most calls is -1 here and read again by what has the messages for it (src/js/args.rs).

/** Which of two names `options[key]` is, the first one being the default. */
const choice = (key, first, second) => (options) => {
  if (options === undefined || options === null) return 0;
  try {
    const value = typeof options === "object" ? options[key] : NaN;
    if (value === undefined || value === first) return 0;
    return value === second ? 1 : -1;
  } catch {
    return -1;
  }
};

export const output = choice("output", "array", "gpu");
export const method = choice("method", "sorted", "cas");

const RULES = ["sgd", "adagrad", "adam"];
const NUMBERS = ["lr", "eps", "beta1", "beta2"];

/** The index of a rule's name; its numbers go into `numbers`, where those that are left out stay as they are. */
export function rule(options, numbers) {
  try {
    for (const [i, key] of NUMBERS.entries()) {
      const number = options[key];
      if (number === undefined && i > 0) continue;
      if (typeof number !== "number") return -1;
      numbers[i] = number;
    }
    return RULES.indexOf(options.rule);
  } catch {
    return -1;
  }
}

/** A property of an object of one of WebGPU's classes, by the class's own getter; undefined for what only looks like one. */
export function branded(object, name, key) {
  try {
    return Reflect.get(globalThis[name].prototype, key, object);
  } catch {
    return undefined;
  }
}

/** Has an object of one of the package's classes lend what it holds (src/js/shell.rs). */
export function lend(object) {
  try {
    if (typeof object?.__lend === "function") object.__lend();
  } catch {
    // Another class's, which has nothing to lend.
  }
}
