// Arguments as most calls have them, read by one call from the wasm. Whatever looks otherwise is -1 here and read again by what
// has the messages for it (src/js/args.rs).

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

/** Has an object of one of the package's classes lend what it holds (src/js/shell.rs). */
export function lend(object) {
  try {
    if (typeof object?.__lend === "function") object.__lend();
  } catch {
    // Another class's, which has nothing to lend.
  }
}
