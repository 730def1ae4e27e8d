// What a file says of the run that its numbers are of: enough to train the same table again.
import type { Snapshot } from "./training";

/** The reader's text goes along only where the table was trained on it. */
export function factsOf(snapshot: Snapshot | undefined): { [name: string]: string | number | undefined } {
  if (!snapshot) return { text: undefined };
  const { kind, seed, step, pairs, rule, rate, source } = snapshot;
  return {
    ...(kind === "text" ? {} : { text: undefined }),
    ...{ corpus: kind, words: source.ids.length, seed, steps: step, pairs, optimizer: rule },
    rate: rate ?? "changed on the way",
  };
}
