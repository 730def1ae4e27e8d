// WGSL as words: enough to colour it, to find its loops and its declarations. No grammar: that is the browser's compiler.

export type Kind = "space" | "comment" | "number" | "word" | "attribute" | "mark";

export interface Token {
  readonly kind: Kind;
  readonly text: string;
  /** UTF-16 offsets. */
  readonly from: number;
  readonly to: number;
}

/** At one place in a line: blank, line comment, attribute, word, number, or any one character. */
const WORD =
  /(\s+)|(\/\/[^\n\v\f\r\u0085\u2028\u2029]*)|(@\s*[\p{ID_Start}_][\p{ID_Continue}]*)|([\p{ID_Start}_][\p{ID_Continue}]*)|(0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?[iufh]?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[iufh]?)|([\s\S])/uy;
const KINDS: readonly Kind[] = ["space", "comment", "attribute", "word", "number", "mark"];

/** One token from `at` on, block comments apart; undefined at the end. */
export function tokenAt(text: string, at: number): Token | undefined {
  WORD.lastIndex = at;
  const found = WORD.exec(text);
  if (!found) return undefined;
  const kind = KINDS[found.slice(1).findIndex((group) => group !== undefined)] ?? "mark";
  return { kind, text: found[0], from: at, to: at + found[0].length };
}

/** The end of a block comment of which `depth` are open at `at` (they nest), and how many stay open. */
export function blockComment(text: string, at: number, depth: number): { to: number; depth: number } {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = at;
  let open = depth;
  for (let found = edge.exec(text); found; found = edge.exec(text)) {
    open += found[0] === "/*" ? 1 : -1;
    if (open === 0) return { to: edge.lastIndex, depth: 0 };
  }
  return { to: text.length, depth: open };
}

export function* tokens(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    if (text.startsWith("/*", at)) {
      const { to } = blockComment(text, at + 2, 1);
      yield { kind: "comment", text: text.slice(at, to), from: at, to };
      at = to;
      continue;
    }
    const token = tokenAt(text, at);
    if (!token) return;
    yield token;
    at = token.to;
  }
}

/** The tokens that mean something to the compiler. */
export function meaningful(text: string): Token[] {
  return [...tokens(text)].filter(({ kind }) => kind !== "space" && kind !== "comment");
}

const KEYWORDS = new Set(
  "alias break case const const_assert continue continuing default diagnostic discard else enable fn for if let loop override requires return struct switch var while".split(
    " ",
  ),
);
const TYPES =
  /^(bool|[iu]32|f(16|32)|vec[234][iufh]?|mat[234]x[234][fh]?|array|atomic|ptr|function|private|workgroup|uniform|storage|read|write|read_write)$/;

export type Role = "comment" | "keyword" | "type" | "number" | "attribute" | "call" | "bool" | undefined;

/** What a token is for a reader's eye; `next` is the character behind it. */
export function roleOf({ kind, text }: Token, next: string): Role {
  if (kind === "comment" || kind === "number" || kind === "attribute") return kind;
  if (kind !== "word") return undefined;
  if (KEYWORDS.has(text)) return "keyword";
  if (text === "true" || text === "false") return "bool";
  if (TYPES.test(text)) return "type";
  return next === "(" ? "call" : undefined;
}
