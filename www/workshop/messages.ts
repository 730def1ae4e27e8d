// The compiler's messages: where they stand in the reader's text, what they say first, and which of the common ones it is.
import { lineOf } from "./bound";
import type { Message } from "./types";

/** Longest line of a message that is shown at once. */
const LONGEST = 200;

/**
 * The gist of a message. Firefox begins with an empty line and the module's name, draws the source, and for what it calls
 * invalid says why only in the notes below the drawing.
 */
function firstWords(message: string): string {
  const lines = message.split("\n").map((line) => line.trim());
  const [first = ""] = lines
    .filter((line) => line !== "")
    .map((line) => line.replace(/^Shader (?:'[^']*' )?(?:parsing|validation) error: ?/i, ""));
  const notes = lines.flatMap((line) => /^= (?:note: )?(.*)$/.exec(line)?.[1] ?? []);
  const words = (/is invalid$/.test(first) ? notes.at(-1) : undefined) ?? first;
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

/** Line and column of Firefox's drawing, for messages that it gives without a place. */
function drawnAt(source: string, message: string): { line: number; from: number } | undefined {
  const found = /┌─ (?:wgsl)?:(\d+):(\d+)/.exec(message);
  if (!found) return undefined;
  const line = Number(found[1]);
  let from = 0;
  for (let k = 1; k < line; k++) from = source.indexOf("\n", from) + 1;
  // The column counts characters, an offset UTF-16 units.
  const before = [...(source.slice(from).split("\n", 1)[0] ?? "")].slice(0, Number(found[2]) - 1);
  return { line, from: from + before.join("").length };
}

export function toMessages(source: string, given: Iterable<GPUCompilationMessage>): Message[] {
  return [...given].map(({ type, message, lineNum, offset, length }) => {
    const placed = offset > 0 || length > 0 ? undefined : drawnAt(source, message);
    const from = Math.max(0, Math.min(source.length, placed?.from ?? offset));
    return {
      kind: type,
      line: placed?.line ?? (lineNum || lineOf(source, from)),
      from,
      to: Math.min(source.length, from + Math.max(1, length)),
      text: firstWords(message),
      all: message.trim(),
    };
  });
}

/** By both browsers' words; the first that fits. */
const COMMON = [
  ["character", /found "\?"|invalid character/],
  ["unknown", /^unresolved|no definition in scope/],
  ["semicolon", /expected [`'];/],
  ["f16", /[`']f16[`'] (?:type used|enable|extension)|extension [`']f16/],
  ["uniform", /uniform control flow/],
  ["reserved", /reserved keyword/],
  ["redeclared", /^redeclaration|^redefinition/],
  ["access", /read-only type|valid destination for a store/],
  ["assign", /cannot assign to|invalid left-hand side/],
  ["atomic", /atomic/],
  ["returns", /^missing return|^return statement type|`return` expression/],
  ["loop", /loop does not exit/],
  ["const", /const-expression|const context/],
  [
    "arguments",
    /number of arguments|too (?:many|few) arguments|no matching call|wrong type passed|Requires \d+ arguments/,
  ],
  ["pointer", /ptr</],
  ["declare", /expected '=' for assignment|expected assignment or increment/],
  [
    "types",
    /cannot convert|cannot assign|cannot initialize|no matching overload|must be bool|boolean scalar|index must be|Accessing with index|is expected to be|automatic conversion|can't work with|concrete type|Abstract types|representable|cannot be represented/,
  ],
  ["bracket", /expected [`'][)}\]]|unexpected token|expected statement|expected global item|expected expression/],
] as const;

export type Common = (typeof COMMON)[number][0];

export function commonOf({ text }: Message): Common | undefined {
  return COMMON.find(([, pattern]) => pattern.test(text))?.[0];
}
