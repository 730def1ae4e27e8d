// Turkish text for the tokenizer: real sentences, put there when the page is built (build.mjs).

import lines from "turkish:lines";
import { bits } from "./workload";

export { lines };

/** At least `bytes` bytes of UTF-8: the sentences in random order, again and again. */
export function turkish(bytes: number): string {
  const encoder = new TextEncoder();
  const sizes = lines.map((line) => encoder.encode(line).length + 1);
  const chosen: string[] = [];
  for (let i = 0, size = 0; size < bytes; i++) {
    const line = bits(3, i) % lines.length;
    chosen.push(lines[line] as string);
    size += sizes[line] as number;
  }
  return chosen.join("\n");
}
