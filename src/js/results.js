// The one error of this package: an Error whose name is "GommeError" and whose `code` is stable. Failures in Rust and in
// JavaScript are both made here; src/error.rs lists the codes.

export function gommeError(code, message) {
  const error = new Error(message);
  error.name = "GommeError";
  error.code = code;
  return error;
}

// Gradients as JavaScript gets them: plain objects, so that spreading, structuredClone, postMessage and JSON take all of their
// values along (JSON as plain objects in place of the arrays). `toDense` is a function for that reason; as a method it is not enumerable, and no copy has it.

/** Values of the largest Float32Array asked for: 2 GiB, what every browser can make. */
const MAX_DENSE_VALUES = 2 ** 29;

/** Gives a gradient its method; the object is otherwise complete. */
export function withToDense(gradient) {
  return Object.defineProperty(gradient, "toDense", { value: toDenseMethod, writable: true, configurable: true });
}

function toDenseMethod() {
  return toDense(this);
}

/** The V·D values of a gradient, or of a copy of one. */
export function toDense(gradient) {
  const { vocabSize, dModel, rows, grad } = gradient ?? {};
  const fits =
    isSize(vocabSize) &&
    isSize(dModel) &&
    isA(rows, "Uint32Array") &&
    isA(grad, "Float32Array") &&
    grad.length === rows.length * dModel &&
    rows.every((row) => row < vocabSize);
  if (!fits) {
    throw gommeError(
      "invalid-argument",
      "toDense takes a gradient: what embedGrad resolves to, or a copy of that with its arrays, vocabSize and dModel. JSON " +
        "turns the arrays into plain objects: make them again by Uint32Array.from(Object.values(rows)), and grad likewise.",
    );
  }
  const values = vocabSize * dModel;
  if (values > MAX_DENSE_VALUES) {
    throw gommeError(
      "limit-exceeded",
      `The dense gradient has ${values} values, but one array may have ${MAX_DENSE_VALUES}. Use rows and grad.`,
    );
  }
  let dense;
  try {
    dense = new Float32Array(values);
  } catch {
    throw gommeError("limit-exceeded", `The browser has no memory for the ${values} values. Use rows and grad.`);
  }
  for (const [index, row] of rows.entries()) {
    dense.set(grad.subarray(index * dModel, (index + 1) * dModel), row * dModel);
  }
  return dense;
}

const isSize = (value) => Number.isInteger(value) && value > 0;

/** Whether a value is such an array, of this window or another: `instanceof` would know only this one's. */
const isA = (value, name) => ArrayBuffer.isView(value) && value[Symbol.toStringTag] === name;
