// The one error of this package: an Error whose name is "GommeError" and whose `code` is stable. Made here, for what fails in
// Rust and what fails in JavaScript alike.

export function gommeError(code, message) {
  const error = new Error(message);
  error.name = "GommeError";
  error.code = code;
  return error;
}
