// @huggingface/tokenizers on the same vocabulary: the SentencePiece model read here and handed over in its format.

import { Tokenizer } from "@huggingface/tokenizers";
import type { TokenizerRival } from "./rival";

declare const HF_VERSION: string;

interface Piece {
  piece: string;
  score: number;
  type: number;
}

/** Length-delimited and fixed fields of one protobuf message, in order. */
function* fields(message: Uint8Array): Generator<{ field: number; value: number; bytes: Uint8Array }> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const field = Math.floor(tag / 8);
    let value = 0;
    let bytes = message.subarray(0, 0);
    if (tag % 8 === 0) value = varint();
    else if (tag % 8 === 5) {
      value = view.getFloat32(at, true);
      at += 4;
    } else if (tag % 8 === 1) at += 8;
    else {
      const length = varint();
      bytes = message.subarray(at, at + length);
      at += length;
    }
    yield { field, value, bytes };
  }
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** `tokenizer.json` of a SentencePiece BPE model with byte fallback. */
export function tokenizerJson(model: Uint8Array): object {
  const utf8 = new TextDecoder();
  const pieces: Piece[] = [];
  let charsmap = "";
  for (const { field, bytes } of fields(model)) {
    if (field === 1) {
      const piece: Piece = { piece: "", score: 0, type: 1 };
      for (const part of fields(bytes)) {
        if (part.field === 1) piece.piece = utf8.decode(part.bytes);
        else if (part.field === 2) piece.score = part.value;
        else if (part.field === 3) piece.type = part.value;
      }
      pieces.push(piece);
    } else if (field === 3) {
      for (const part of fields(bytes)) if (part.field === 2) charsmap = base64(part.bytes);
    }
  }
  const vocab = new Map(pieces.map(({ piece }, id) => [piece, id]));
  // Every way to make a piece of two others; the better piece first, as SentencePiece merges.
  const merges = pieces.flatMap(({ piece, score, type }) => {
    if (type !== 1) return [];
    const characters = [...piece];
    return characters.slice(1).flatMap((_, i) => {
      const left = characters.slice(0, i + 1).join("");
      const right = characters.slice(i + 1).join("");
      return vocab.has(left) && vocab.has(right) ? [{ left, right, score }] : [];
    });
  });
  merges.sort((a, b) => b.score - a.score);
  const special = (id: number, content: string): object => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  });
  const normalizers: object[] = charsmap ? [{ type: "Precompiled", precompiled_charsmap: charsmap }] : [];
  normalizers.push({ type: "Replace", pattern: { Regex: " {2,}" }, content: " " });
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: pieces.flatMap(({ piece, type }, id) => (type === 2 || type === 3 ? [special(id, piece)] : [])),
    normalizer: { type: "Sequence", normalizers },
    pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true },
    post_processor: null,
    decoder: null,
    model: {
      type: "BPE",
      dropout: null,
      unk_token: "<unk>",
      fuse_unk: true,
      byte_fallback: true,
      vocab: Object.fromEntries(vocab),
      merges: merges.map(({ left, right }) => [left, right]),
    },
  };
}

const rival: TokenizerRival = {
  name: `@huggingface/tokenizers ${HF_VERSION}`,
  async open(model) {
    const tokenizer = new Tokenizer(tokenizerJson(model) as never, {} as never);
    return (text) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  },
};
export default rival;
