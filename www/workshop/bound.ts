// Puts an end to every loop before a kernel runs: a kernel that runs can't be stopped from outside, and a device that is lost
// twice is not given again.
//
// Each loop has a counter of its own, a `var` right before the outermost loop around it, so that loops inside loops can't
// multiply: a counter counts all turns of its loop in one thread. (One shared by several loops, or a private one, would
// make a barrier non-uniform for Chromium's compiler.) At the end of a counter the loop is left and the number of the loop
// is written into a buffer of our own. Everything is put in on the line where it belongs: line numbers stay.
import { meaningful, type Token } from "./wgsl";

/** Turns of one loop in one thread; a software adapter of Firefox ends every loop by itself after 65,535. */
export const LOOP_LIMIT = 65_000;
/** Where the counter can't outlive a call: a loop in a helper function of a kernel with barriers. */
export const CALLED_LIMIT = 2_000;

export interface Loop {
  /** Line of the reader's text, from 1. */
  readonly line: number;
  readonly keyword: string;
  /** Turns that one thread may do. */
  readonly limit: number;
  /** Loops around it. */
  readonly depth: number;
}

export interface Bounded {
  readonly code: string;
  readonly loops: readonly Loop[];
  /** The offset in the reader's text that an offset in `code` stands for. */
  toSource(offset: number): number;
}

export interface BoundOptions {
  /** Only the thread whose x is in binding 1 of group 1 runs this entry point. */
  readonly alone?: string;
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

interface Fn {
  readonly name: string;
  readonly entry: boolean;
  readonly parameters: readonly Token[];
  /** Text of the type that it returns; empty for none. */
  readonly returns: string;
  /** Indices of `{` and `}` among the tokens. */
  readonly open: number;
  readonly close: number;
}

export function bound(source: string, { alone }: BoundOptions = {}): Bounded {
  const words = meaningful(source);
  const prefix = freePrefix(source);
  const barrier = words.some(
    ({ kind, text }) => kind === "word" && /Barrier$|^workgroupUniformLoad$|^subgroup/.test(text),
  );
  const insertions: Insertion[] = [];
  const loops: Loop[] = [];
  const privates: string[] = [];
  for (const fn of functions(words, source)) {
    if (fn.name === alone && !aloneIn(fn, words, prefix, insertions)) return { ...unbounded(source), loops: [] };
    const first = loops.length;
    const hoist = fn.entry || barrier;
    const limit = fn.entry || !barrier ? LOOP_LIMIT : CALLED_LIMIT;
    boundBlock(words, fn.open, fn.close, (token, body, start, end, depth) => {
      const k = loops.length;
      loops.push({ line: lineOf(source, token.from), keyword: token.text, limit, depth });
      const left = `${prefix}${k}`;
      insertions.push({
        at: body,
        text: ` if (${left} == 0u) { ${prefix}end(${k}u); break; } ${left} -= 1u;`,
      });
      if (!hoist) privates.push(`var<private> ${left}: u32 = ${limit}u;`);
      if (depth > 0) return;
      // Called once the loops inside are known: they follow in `loops`.
      return () => {
        if (!hoist) return;
        const counters = loops.slice(k).map((_, i) => `var ${prefix}${k + i} = ${limit}u;`);
        insertions.push({ at: start, text: `{ ${counters.join(" ")} ` }, { at: end, text: " }" });
      };
    });
    // A loop that could only be left by `return` can now be left, so the function needs a way out behind it.
    if (fn.returns && loops.length > first && !endsInReturn(words, fn)) {
      insertions.push({ at: words[fn.close]?.from ?? 0, text: ` return ${fn.returns}(); ` });
    }
  }
  const rest = [...privates];
  if (loops.length > 0) {
    rest.push(
      `@group(1) @binding(0) var<storage, read_write> ${prefix}ends: array<atomic<u32>>;`,
      `fn ${prefix}end(k: u32) { atomicStore(&${prefix}ends[k], 1u); }`,
    );
  }
  if (alone) rest.push(`@group(1) @binding(1) var<uniform> ${prefix}only: vec4<u32>;`);
  if (rest.length > 0) insertions.push({ at: source.length, text: `\n${rest.join(" ")}\n` });
  return { ...insert(source, insertions), loops };
}

/** Of the loops that were ended, the one to look at: the first, or the innermost inside it, which used up the turns of both. */
export function culprit(loops: readonly Loop[], ended: readonly number[]): Loop | undefined {
  let [at] = ended;
  for (const k of ended.slice(1)) {
    const outer = at === undefined ? undefined : loops[at];
    if (outer && loops.slice((at ?? 0) + 1, k + 1).every(({ depth }) => depth > outer.depth)) at = k;
  }
  return at === undefined ? undefined : loops[at];
}

function unbounded(source: string): Bounded {
  return { code: "", loops: [], toSource: (offset) => Math.min(offset, source.length) };
}

/** A beginning of names that the reader's text has nowhere. */
function freePrefix(source: string): string {
  for (let k = 0; ; k++) {
    const prefix = `gomme${k || ""}_`;
    if (!source.includes(prefix)) return prefix;
  }
}

export function lineOf(source: string, offset: number): number {
  let line = 1;
  for (let at = source.indexOf("\n"); at >= 0 && at < offset; at = source.indexOf("\n", at + 1)) line += 1;
  return line;
}

const PAIRS: { readonly [open: string]: string } = { "(": ")", "{": "}", "[": "]" };

/** Index of the bracket that closes the one at `open`; the end of the text where none does. */
export function closing(words: readonly Token[], open: number): number {
  const [left, right] = [words[open]?.text ?? "", PAIRS[words[open]?.text ?? ""]];
  let depth = 0;
  for (let i = open; i < words.length; i++) {
    if (words[i]?.text === left) depth += 1;
    else if (words[i]?.text === right) depth -= 1;
    if (depth === 0) return i;
  }
  return words.length;
}

function* functions(words: readonly Token[], source: string): Generator<Fn> {
  let declaration = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]?.text;
    if (word === ";" || word === "}") declaration = i + 1;
    if (word === "{") {
      i = closing(words, i);
      declaration = i + 1;
      continue;
    }
    if (word !== "fn" || words[i + 2]?.text !== "(") continue;
    const end = closing(words, i + 2);
    let open = end;
    while (open < words.length && words[open]?.text !== "{") open += 1;
    const close = closing(words, open);
    if (close >= words.length) return;
    yield {
      name: words[i + 1]?.text ?? "",
      entry: words.slice(declaration, i).some(({ text }) => text.replace(/\s/g, "") === "@compute"),
      parameters: words.slice(i + 3, end),
      returns: returned(words.slice(end + 1, open), source),
      open,
      close,
    };
    i = close;
    declaration = i + 1;
  }
}

/** `-> T` without attributes. */
function returned(between: readonly Token[], source: string): string {
  const [first, , from] = between;
  const to = between.at(-1);
  return first?.text === "-" && from && to && from.kind !== "attribute" ? source.slice(from.from, to.to) : "";
}

type Found = (token: Token, body: number, start: number, end: number, depth: number) => (() => void) | undefined;

/** Calls `found` for each loop between two braces: outer ones first, each outermost one closed after those inside it. */
function boundBlock(words: readonly Token[], open: number, close: number, found: Found, depth = 0): void {
  let statement = open + 1;
  for (let i = open + 1; i < close; i++) {
    const word = words[i];
    if (!word) return;
    if (word.text === ";" || word.text === "{" || word.text === "}" || word.text === ":") statement = i + 1;
    if (word.kind !== "word" || !/^(for|while|loop)$/.test(word.text)) continue;
    let body = i + 1;
    while (body < close && words[body]?.text !== "{")
      body = words[body]?.text === "(" ? closing(words, body) + 1 : body + 1;
    const end = closing(words, body);
    const [first, brace, last] = [words[statement], words[body], words[end]];
    if (!first || !brace || !last) return;
    // Attributes of the loop stand before its keyword; anything else there is no statement that could be wrapped.
    const start = first.kind === "attribute" ? first.from : word.from;
    const done = found(word, brace.to, start, last.to, depth);
    boundBlock(words, body, end, found, depth + 1);
    done?.();
    i = end;
    statement = end + 1;
  }
}

function endsInReturn(words: readonly Token[], fn: Fn): boolean {
  let start = fn.open + 1;
  for (let i = fn.open + 1; i < fn.close - 1; i++) {
    const text = words[i]?.text ?? "";
    if (PAIRS[text]) {
      i = closing(words, i);
      if (text === "{") start = i + 1;
    } else if (text === ";") start = i + 1;
  }
  return words[start]?.text === "return";
}

/** Lets one thread alone through; false where the function does not ask for the number of its thread. */
function aloneIn(fn: Fn, words: readonly Token[], prefix: string, insertions: Insertion[]): boolean {
  const at = fn.parameters.findIndex(({ text }) => text === "global_invocation_id");
  const name = fn.parameters[at + 2];
  const open = words[fn.open];
  if (at < 0 || name?.kind !== "word" || !open) return false;
  insertions.push({ at: open.to, text: ` if (${name.text}.x != ${prefix}only.x) { return; }` });
  return true;
}

function insert(source: string, insertions: readonly Insertion[]): { code: string; toSource(offset: number): number } {
  const sorted = insertions.map((one, k) => ({ ...one, k })).sort((a, b) => a.at - b.at || a.k - b.k);
  let code = "";
  let taken = 0;
  /** Where each insertion stands in the new text, and how much has been put in up to its end. */
  const edges: { from: number; to: number; at: number }[] = [];
  for (const { at, text } of sorted) {
    code += source.slice(taken, at);
    edges.push({ from: code.length, to: code.length + text.length, at });
    code += text;
    taken = at;
  }
  code += source.slice(taken);
  return {
    code,
    toSource: (offset) => {
      let shift = 0;
      for (const { from, to, at } of edges) {
        if (offset < from) break;
        if (offset < to) return at;
        shift = to - at;
      }
      return Math.max(0, Math.min(source.length, offset - shift));
    },
  };
}
