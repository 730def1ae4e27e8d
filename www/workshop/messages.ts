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
  ["atomicType", /only supports 'i32', 'u32'|SHADER_FLOAT32_ATOMIC/],
  ["atomicPlain", /pointer to a non-atomic|no matching call to 'atomic\w+\(ptr<\w+, (?!atomic)/],
  ["atomicValue", /no matching call to 'atomic\w+\(ptr<\w+, atomic</],
  ["exchange", /atomic_compare_exchange_result/],
  ["access", /read-only type|valid destination for a store|must have 'read_write'|incorrectly as GlobalUse\(READ \| W/],
  ["character", /found "(?:[?#]|\\")|invalid character/],
  ["range", /cannot be represented|cannot represent|representable/],
  ["unknown", /^unresolved|no definition in scope/],
  ["semicolon", /expected [`'];/],
  ["f16", /[`']f16[`'] (?:type used|enable|extension)|extension [`']f16/],
  ["uniform", /uniform control flow/],
  ["reserved", /reserved keyword/],
  ["redeclared", /^redeclaration|^redefinition/],
  ["assign", /cannot assign to|cannot modify 'let'|invalid left-hand side|increment\/decrement operation requires/],
  ["atomic", /atomic/],
  ["returns", /^missing return|^return statement type|`return` expression/],
  ["loop", /loop does not exit/],
  ["const", /const-expression|const context/],
  [
    "arguments",
    /number of arguments|too (?:many|few) arguments|no matching call|wrong type passed|Requires \d+ arguments/,
  ],
  ["pointer", /ptr<|address of|`&` operator|`\*` operator|cannot dereference/],
  ["forLoop", /'\(' for for loop/],
  ["braces", /expected [`']\{/],
  ["statement", /expected '=' for assignment|expected assignment or increment|must_use|return value of/],
  [
    "declare",
    /for 'let' declaration|needs a type specifier|requires a type or initializer|operation \(`=`\)|expected identifier, found "="/,
  ],
  ["mixing", /^mixing|Operation (?:And|InclusiveOr|ExclusiveOr) can't work/],
  ["field", /swizzle|field accessor|cannot index into/],
  ["local", /function-scope 'var'|address space for local/],
  ["index", /out of bounds|negative index/],
  ["call", /as call target|expected function name/],
  ["outside", /^module-scope|outside of function|expected global item|expected declaration|address space Handle/],
  [
    "types",
    /cannot convert|cannot assign|cannot initialize|no matching overload|must be bool|boolean scalar|index must be|Accessing with index|is expected to be|automatic conversion|can't work with|concrete type|Abstract types|Incompatible operands/,
  ],
  ["bracket", /expected [`'][)}\]]|unexpected token|expected statement|expected expression|unable to parse/],
] as const;

/**
 * Habits of other languages, by the names that are not defined and by the line that they stand in: there the compiler's
 * words lead astray.
 */
const NAMES = [
  ["print", /^(?:printf?|println|console|log)$/],
  ["typeName", /^(?:int|uint|float|double|long|short|char|[iu](?:8|16|64)|f64|str)$/],
  ["isNan", /^(?:is_?(?:nan|inf|finite)|nan|inf|infinity)$/i],
  ["length", /^(?:len|length|size|range)$/],
  ["words", /^(?:not|True|False|None|null)$/],
] as const;
const LINES = [
  ["atomicValue", /\batomic\w+\(/, /automatic conversion/],
  ["exchange", /\batomicCompareExchangeWeak\b/, /boolean scalar/],
  ["words", /\b(?:and|or|not)\b/, /expected [`'][){;]/],
  ["elseIf", /\b(?:elif|elsif|elseif)\b/, /expected [`'];/],
  ["forLoop", /\bfor\s+\w+\s+in\b/, /expected [`']\(/],
  ["equality", /===|!==/, /expression/],
  ["equality", /\b(?:if|while)\s*\([^=]*[^=!<>]=(?!=)/, /expected [`']\)/],
  ["outside", /^\s*[}\w]/, /^unexpected token/],
  ["power", /\*\*/, /dereference|`\*` operator|expression/],
  ["increment", /\+\+|--/, /expected [`'];/],
  ["cast", /\((?:float|int|uint|double|[iuf]32)\)\s*[\w(]/, /expected [`'];/],
  ["division", /^(?:(?!\/\/)[^\n])*[^\s;{},(]\s*\/\//m, /expected [`'];/],
  ["declare", /\b(?:int|uint|float|double|bool|auto|[iu]32|f32)\s+\w+\s*[=;[]/, /assignment/],
] as const;

export type Common = (typeof COMMON | typeof NAMES | typeof LINES)[number][0];

/** The line of a message; for what is missing at the end of a line, with the last one before it that says something. */
function around(source: string, { line, text }: Message): string {
  const lines = source.split("\n").slice(0, line);
  const here = lines.pop() ?? "";
  if (!/expected [`'];/.test(text)) return here;
  const before = lines.filter((one) => !/^\s*(?:\/\/.*)?$/.test(one)).pop() ?? "";
  return `${before}\n${here}`;
}

export function commonOf(source: string, message: Message): Common | undefined {
  const { text } = message;
  const [, name] = /^(?:unresolved|no definition)[^'`]*['`]([^'`]+)['`]/.exec(text) ?? [];
  const named = name && NAMES.find(([, pattern]) => pattern.test(name))?.[0];
  if (named) return named;
  const here = around(source, message);
  const habit = LINES.find(([, pattern, told]) => told.test(text) && pattern.test(here))?.[0];
  return habit ?? COMMON.find(([, pattern]) => pattern.test(text))?.[0];
}
