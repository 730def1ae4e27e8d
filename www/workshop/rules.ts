// What no run can show: a race that this device did not lose, a sum that happened to come in the same order three times.
import { meaningful } from "./wgsl";

export type Rule = "needs-atomic" | "no-atomic" | "no-exchange";

export interface RuleBreak {
  readonly rule: Rule;
}

/** The first rule that the text breaks; comments don't count. */
export function brokenRule(rules: readonly Rule[], source: string): RuleBreak | undefined {
  const words = meaningful(source).map(({ text }) => text);
  const atomics = words.some((word) => word === "atomic" || /^atomic[A-Z]/.test(word));
  const broken = (rule: Rule) => {
    if (rule === "needs-atomic") return !atomics;
    if (rule === "no-atomic") return atomics;
    return words.some((word) => word.startsWith("atomicCompareExchange"));
  };
  const rule = rules.find(broken);
  return rule && { rule };
}
