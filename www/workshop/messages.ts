// The compiler's messages: where they stand in the reader's text, what they say first, and which of the common ones it is.
import { lineOf } from "./bound";
import type { Message } from "./types";

/** Firefox's message begins with an empty line and the name of the module, and goes on with a drawing of the source. */
function firstWords(message: string): string {
  const lines = message
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [first = "", ...rest] = lines.map((line) =>
    line.replace(/^Shader '[^']*' (parsing|validation) error: ?/i, "").replace(/^(error|warning): /i, ""),
  );
  return first || rest.find((line) => line !== "") || message.trim();
}

export function toMessages(source: string, given: Iterable<GPUCompilationMessage>): Message[] {
  return [...given].map(({ type, message, lineNum, offset, length }) => {
    const from = Math.max(0, Math.min(source.length, offset));
    return {
      kind: type,
      line: lineNum || lineOf(source, from),
      from,
      to: Math.min(source.length, from + Math.max(1, length)),
      text: firstWords(message),
      all: message.trim(),
    };
  });
}

export type Common =
  | "unknown"
  | "semicolon"
  | "bracket"
  | "types"
  | "assign"
  | "returns"
  | "atomic"
  | "uniform"
  | "pointer"
  | "f16"
  | "reserved"
  | "const"
  | "arguments"
  | "access"
  | "redeclared"
  | "loop";

/** By both browsers' words; the first that fits. */
const COMMON: readonly (readonly [RegExp, Common])[] = [
  [
    /expected ';'|expected `;`|expected ';' for|expected .?;.? ?, found|operator.*, found "(let|var|if|for|loop|return)"/i,
    "semicolon",
  ],
  [
    /unresolved (value|identifier|type|call|function)|no definition in scope|unknown (identifier|type|function)/i,
    "unknown",
  ],
  [/uniform control flow|uniformity|non-uniform/i, "uniform"],
  [/f16|shader-f16/i, "f16"],
  [/atomic/i, "atomic"],
  [/reserved (word|keyword|identifier)|is a reserved|name .* is reserved/i, "reserved"],
  [/redeclar|redefinition|already declared/i, "redeclared"],
  [/missing return|must return|return type|returned? .*value|does not exit|function .*return/i, "returns"],
  [/does not exit|infinite loop/i, "loop"],
  [/cannot assign|cannot store|invalid left-hand|not assignable|immutable|cannot modify/i, "assign"],
  [/read-only|access mode|cannot be written|InvalidStorePointer|store/i, "access"],
  [/pointer|address-of|reference/i, "pointer"],
  [
    /no matching (overload|constructor|call)|wrong number of arguments|too (many|few) arguments|expects .*arguments/i,
    "arguments",
  ],
  [
    /cannot (convert|be converted|be represented)|type mismatch|no matching|operand|automatic conversion|types? (must|differ|of)|expected .*type|Abstract/i,
    "types",
  ],
  [/const-expression|constant expression|must be a const/i, "const"],
  [/expected [`'"]?[})\]]|unmatched|missing [})\]]|end of file|unexpected token|expected .*\}/i, "bracket"],
];

export function commonOf({ all }: Message): Common | undefined {
  return COMMON.find(([pattern]) => pattern.test(all))?.[1];
}
