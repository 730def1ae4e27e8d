// Lines of a shader's own text, for showing the very code that runs.

/** The lines from the first that contains `from` to the next that is `to`, without their common indentation and comments. */
export function linesOf(source: string, from: string, to: (line: string) => boolean): string[] {
  const all = source.split("\n");
  const first = all.findIndex((line) => line.includes(from));
  if (first < 0) return [];
  const length = all.slice(first).findIndex(to);
  const kept = all.slice(first, length < 0 ? undefined : first + length + 1);
  const indent = /^\s*/.exec(kept[0] ?? "")?.[0].length ?? 0;
  return kept.map((line) => line.slice(indent).replace(/\s*\/\/.*$/, ""));
}

/** The compare-exchange loop: from reading the cell to the end of the loop. */
export function exchangeLines(source: string): string[] {
  return linesOf(source, "var old_bits = atomicLoad", (line) => line === "    }");
}

/** The racy kernel's one statement that reads, adds and writes, with the index above it. */
export function racyLines(source: string): string[] {
  return linesOf(source, "let dst_idx", (line) => line.includes("grad_table[dst_idx] ="));
}
