// Texts in pieces that a reader would not call broken: cut between characters with all their marks, with one kind of line end.

let characters: Intl.Segmenter | undefined;

/** Longest character with its marks that is kept whole, in UTF-16 units; past it only surrogate pairs are. */
const LONGEST = 256;

/** The last place at or before `wish` where no character with its marks is cut. */
export function cutBefore(text: string, wish: number): number {
  if (wish >= text.length) return text.length;
  if (wish <= 0) return 0;
  // The first segmenter of a page takes its browser 14 ms, and between two of these nothing is ever joined.
  if (isPlain(text.charCodeAt(wish - 1)) && isPlain(text.charCodeAt(wish))) return wish;
  characters ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  // A window, since a segmenter reads all that it is given.
  const from = pairBefore(text, Math.max(0, wish - LONGEST));
  const window = text.slice(from, wish + LONGEST);
  const at = from + (characters.segment(window).containing(wish - from)?.index ?? 0);
  return at > from || from === 0 ? at : pairBefore(text, wish);
}

/** A character without marks, from space to the last of Latin Extended-B. */
const isPlain = (code: number) => code >= 0x20 && code < 0x250;

/** `at`, or the place before it where that would cut a surrogate pair. */
function pairBefore(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000 ? at - 1 : at;
}

/** One kind of line end, the one that a text area has: positions in the text are then positions in the box. */
export function oneLineEnd(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/**
 * Separators that the tokenizer would swallow or spell as bytes become spaces: form feed, vertical tab, next line, the
 * information separators, line and paragraph separator. Each is one unit long, so that spans stay what they are.
 */
export function plainSpaces(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
  return text.replace(/[\v\f\x1c-\x1f\x85\u2028\u2029]/g, " ");
}

const percent = (c: string) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * A value for the part of a link after #. Spaces are %20, for mail programs spoil a plus sign; what programs take for the
 * end of a link (brackets, quotes, stops at its end) is spelled out too. Half a surrogate pair can't travel: U+FFFD.
 */
export function encodeValue(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"))
    .replace(/[!'()*~]/g, percent)
    .replace(/[-._]$/, percent);
}

/** The longest beginning of a text whose `encodeValue` has at most `room` characters, cut between characters. */
export function fitting(text: string, room: number): string {
  if (12 * text.length <= room || (text.length <= room && encodeValue(text).length <= room)) return text;
  let used = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    // The last character may be one that only there is spelled out.
    const last = /[-._]/.test(String.fromCodePoint(code)) ? 3 : 0;
    used += encodedLength(code);
    if (used > room || (last && used + 2 > room)) break;
    at += code > 0xffff ? 2 : 1;
  }
  return text.slice(0, at < text.length ? cutBefore(text, at) : at);
}

function encodedLength(code: number): number {
  if (code < 0x80) return /[\w.-]/.test(String.fromCharCode(code)) ? 1 : 3;
  return code < 0x800 ? 6 : code < 0x1_0000 ? 9 : 12;
}
