// Checks of the text for faults that no run can show: a race that lost nothing on this device, a sum that happened to be added in
// the same order three times.
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

/** The code never looks at the bits: if it recognised a NaN, it did so by comparing floats. */
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
