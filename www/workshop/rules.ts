// What no run can show: a race that this device did not lose, a sum that happened to come in the same order three times.
import { meaningful } from "./wgsl";

export type Rule = "needs-atomic" | "no-atomic" | "no-exchange";

/** The first rule that the text breaks; comments don't count. */
export function brokenRule(rules: readonly Rule[], source: string): Rule | undefined {
  const words = meaningful(source).map(({ text }) => text);
  const atomics = words.some((word) => word === "atomic" || /^atomic[A-Z]/.test(word));
  const broken = (rule: Rule) => {
    if (rule === "needs-atomic") return !atomics;
    if (rule === "no-atomic") return atomics;
    return words.some((word) => word.startsWith("atomicCompareExchange"));
  };
  return rules.find(broken);
}

/** No look at the bits: a NaN that was told from a number here was told by comparing floats. */
export function comparesFloats(source: string): boolean {
  const words = meaningful(source).map(({ text }) => text);
  const readsBits = words.some(
    (word, i) => word === "grad_out" && words[i + 1] === ":" && words.slice(i, i + 5).includes("u32"),
  );
  const castsValue = words.some(
    (word, i) => word === "bitcast" && words[i + 2] === "u32" && words[i + 5] !== "bitcast" && words[i + 5] !== "f32",
  );
  return !readsBits && !castsValue;
}
