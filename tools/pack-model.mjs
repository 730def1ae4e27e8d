// A SentencePiece .model as a smaller file for the network, without loss: gzip does badly on a float between every two
// pieces, and half of what the page must load before its first token is this model.
//
// Layout, little-endian:
//   "GMP1"
//   u32 number of runs; a run is u32 pieces, u8 type, f32 first score, f32 step
//   u32 length in bytes; the pieces' texts, joined by "\n"
//   the rest of the model as it is: trainer, normaliser
// Piece 0 of a run has the score first, piece k first + k · step. src/tokenizer/packed.rs reads it.

/** Packs the bytes of a .model; throws when unpack() would not give back exactly the same. */
export function pack(model) {
  const { pieces, rest } = read(model);
  const runs = [];
  for (const { type, score } of pieces) {
    const run = runs.at(-1);
    if (run !== undefined && run.type === type && (run.count === 1 || same(score, at(run, run.count)))) {
      if (run.count === 1) run.step = Math.fround(score - run.first);
      if (same(score, at(run, run.count))) {
        run.count += 1;
        continue;
      }
      run.step = 0;
    }
    runs.push({ count: 1, type, first: score, step: 0 });
  }
  const text = Buffer.from(pieces.map((piece) => piece.text).join("\n"));
  const head = Buffer.alloc(4 + 4 + runs.length * 13 + 4);
  head.write("GMP1", 0, "latin1");
  head.writeUInt32LE(runs.length, 4);
  for (const [i, { count, type, first, step }] of runs.entries()) {
    head.writeUInt32LE(count, 8 + 13 * i);
    head.writeUInt8(type, 12 + 13 * i);
    head.writeFloatLE(first, 13 + 13 * i);
    head.writeFloatLE(step, 17 + 13 * i);
  }
  head.writeUInt32LE(text.length, head.length - 4);
  const packed = Buffer.concat([head, text, rest]);
  if (!unpack(packed).equals(Buffer.from(model))) throw new Error("this model cannot be packed without loss");
  return packed;
}

/** The bytes of the .model again; the twin of packed.rs. */
export function unpack(packed) {
  const runs = packed.readUInt32LE(4);
  const start = 8 + 13 * runs + 4;
  const length = packed.readUInt32LE(start - 4);
  const texts = packed
    .subarray(start, start + length)
    .toString()
    .split("\n");
  const parts = [];
  let next = 0;
  for (let i = 0; i < runs; i++) {
    const run = {
      type: packed.readUInt8(12 + 13 * i),
      first: packed.readFloatLE(13 + 13 * i),
      step: packed.readFloatLE(17 + 13 * i),
    };
    for (let k = 0; k < packed.readUInt32LE(8 + 13 * i); k++) {
      const text = Buffer.from(texts[next++]);
      const score = Buffer.alloc(4);
      score.writeFloatLE(at(run, k));
      const type = run.type === NORMAL ? [] : [0x18, run.type];
      const body = Buffer.concat([
        Buffer.from([0x0a, ...varint(text.length)]),
        text,
        Buffer.from([0x15]),
        score,
        Buffer.from(type),
      ]);
      parts.push(Buffer.from([0x0a, ...varint(body.length)]), body);
    }
  }
  return Buffer.concat([...parts, packed.subarray(start + length)]);
}

const NORMAL = 1;
const at = ({ first, step }, k) => (k === 0 ? first : Math.fround(first + Math.fround(k * step))); // -0 + 0 is 0
const same = Object.is; // tells -0 from 0, as bytes do

function varint(value) {
  const bytes = [];
  for (; value > 127; value >>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

/** The pieces at the start of a ModelProto, and what follows them. */
function read(model) {
  const bytes = Buffer.from(model);
  let offset = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[offset++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const pieces = [];
  while (bytes[offset] === 0x0a) {
    offset += 1;
    const length = number();
    const end = offset + length;
    const piece = { text: "", score: 0, type: NORMAL };
    while (offset < end) {
      const key = bytes[offset++];
      if (key === 0x0a) {
        const size = number();
        piece.text = bytes.toString("utf8", offset, offset + size);
        offset += size;
      } else if (key === 0x15) {
        piece.score = bytes.readFloatLE(offset);
        offset += 4;
      } else if (key === 0x18) piece.type = number();
      else throw new Error(`a piece has an unknown field, key ${key}`);
    }
    pieces.push(piece);
  }
  return { pieces, rest: bytes.subarray(offset) };
}
