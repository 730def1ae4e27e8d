// The table of neighbouring words that training draws from; data/pair_table.py says how it is made and what each byte means.

/** Words by their index, pairs by theirs. */
export interface PairTable {
  /** Row of each word in the embedding table, ascending. */
  readonly ids: Uint32Array;
  /** Share of each word in the text that the language model was made from, in any unit. */
  readonly frequency: Float64Array;
  /** Index of the left and of the right word of each pair. */
  readonly left: Uint32Array;
  readonly right: Uint32Array;
  /** How often each pair is drawn, in any unit. */
  readonly weight: Float64Array;
}

/** Throws a RangeError for bytes that are not such a table, or are cut off. */
export function readPairs(bytes: Uint8Array): PairTable {
  const reader = new Reader(bytes);
  const words = reader.u32();
  const pairs = reader.u32();
  // Each word takes two bytes and each pair two, at least.
  if (2 * (words + pairs) + 8 > bytes.length)
    throw new RangeError(`the table of pairs is cut off: ${bytes.length} bytes`);
  const ids = new Uint32Array(words);
  for (let i = 0, id = 0; i < words; i++) {
    id += reader.varint();
    ids[i] = id;
  }
  const frequency = Float64Array.from({ length: words }, () => 2 ** (reader.byte() / 8));
  const left = new Uint32Array(pairs);
  const right = new Uint32Array(pairs);
  for (let i = 0, key = 0; i < pairs; i++) {
    key += reader.varint();
    left[i] = Math.floor(key / words);
    right[i] = key % words;
    if (key >= words * words) throw new RangeError(`pair ${i} is of no word`);
  }
  const weight = Float64Array.from({ length: pairs }, () => 2 ** (reader.byte() / 2));
  if (!reader.atEnd()) throw new RangeError("there are bytes after the table of pairs");
  return { ids, frequency, left, right, weight };
}

class Reader {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw new RangeError("the table of pairs is cut off");
    this.#at += 1;
    return value;
  }

  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 32; shift += 8) value |= this.byte() << shift;
    return value >>> 0;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 35; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new RangeError("a number of the table of pairs is too long");
  }

  atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}
