// Typed arrays as arguments. The getters of the class are called, not those of the object: a subclass, a proxy or an own property
// may say anything about its length, or throw. Arrays of another window are as good as this one's, so there is no `instanceof`.

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
