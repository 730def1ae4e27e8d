// The one error of this package: an Error whose name is "GommeError" and whose `code` is stable. Failures in Rust and in
// JavaScript are both made here; src/error.rs lists the codes.

export function gommeError(code, message) {
  const error = new Error(message);
  error.name = "GommeError";
  error.code = code;
  return error;
}
