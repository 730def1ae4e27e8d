// The packed model gives back the very bytes of the .model, also for models with other scores and types.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pack, unpack } from "../../tools/pack-model.mjs";

const field = (key, bytes) => Buffer.concat([Buffer.from([key, bytes.length]), Buffer.from(bytes)]);

/** A ModelProto of these pieces and, as the rest, an empty trainer_spec. */
function model(...pieces) {
  const messages = pieces.map(([text, score, type]) => {
    const value = Buffer.alloc(4);
    value.writeFloatLE(score);
    const body = [field(0x0a, Buffer.from(text)), Buffer.from([0x15]), value];
    if (type !== undefined) body.push(Buffer.from([0x18, type]));
    return field(0x0a, Buffer.concat(body));
  });
  return Buffer.concat([...messages, field(0x12, [])]);
}

test("the bundled model comes back whole, and smaller", () => {
  const bytes = readFileSync("data/turkish-16k.model");
  const packed = pack(bytes);
  assert.ok(unpack(packed).equals(bytes));
  assert.ok(packed.length < 0.6 * bytes.length);
});

test("scores that follow no rule, zeros of both signs and every type", () => {
  const bytes = model(
    ["<unk>", 0, 2],
    ["<s>", -0, 3],
    ["a", -1.5],
    ["b", -1.7],
    ["ğ", -1.7],
    ["▁", 0],
    ["x", -0],
    ["y", -1],
    ["z", -2],
  );
  assert.ok(unpack(pack(bytes)).equals(bytes));
});

test("a model that would come back otherwise is refused", () => {
  const typed = model(["a", -1, 1]); // an ordinary type, spelled out all the same
  assert.throws(() => pack(typed), /without loss/);
  const unknown = Buffer.from([0x0a, 3, 0x28, 0x01, 0x00]);
  assert.throws(() => pack(unknown), /unknown field/);
});
