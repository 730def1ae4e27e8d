// Cutting, line ends, separators, and values for links.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { cutBefore, encodeValue, fitting, oneLineEnd, plainSpaces } = await load("text.ts");

test("cuts between characters with all their marks", () => {
  const s = `${"a".repeat(5999)}s\u0327b`;
  assert.equal(cutBefore(s, 6000), 5999, "not between a letter and its mark");
  assert.equal(cutBefore(s, 6001), 6001);
  assert.equal(cutBefore(`${"a".repeat(5999)}😀`, 6000), 5999, "not inside a surrogate pair");
  const family = "👩‍👩‍👧";
  for (let at = 1; at < family.length; at++) assert.equal(cutBefore(`ab${family}c`, 2 + at), 2);
  assert.equal(cutBefore("kedi", 9), 4);
  assert.equal(cutBefore("kedi", 0), 0);
});

test("cuts between plain characters where a segmenter would", () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (let a = 0x20; a < 0x250; a++) {
    // Some before, some behind, and all characters in two orders: what stands beside each changes.
    for (const b of [0x20, 0x41, 0x131, 0xa9, 0xad, 0x24f, a]) {
      const text = String.fromCharCode(0x600, a, b, 0x200d, 0x1f);
      for (let at = 1; at < text.length; at++) {
        assert.equal(cutBefore(text, at), segmenter.segment(text).containing(at).index, `${text} at ${at}`);
      }
    }
  }
});

test("cuts somewhere in a heap of marks without end, and never inside a pair", () => {
  const zalgo = `a${"\u0308".repeat(5000)}`;
  assert.ok(cutBefore(zalgo, 3000) > 0);
  const pairs = "😀".repeat(10);
  for (let at = 0; at <= 20; at++) assert.equal(cutBefore(pairs, at) % 2, 0);
});

test("has one kind of line end, and spaces for what separates without being seen", () => {
  assert.equal(oneLineEnd("a\r\nb\rc\nd"), "a\nb\nc\nd");
  const odd = "sayfa\fkedi\vköpek\u2028kuş\u0085at\u001ffare";
  assert.equal(plainSpaces(odd), "sayfa kedi köpek kuş at fare");
  assert.equal(plainSpaces(odd).length, odd.length, "spans stay what they are");
});

test("writes values that mail and chat programs leave alone", () => {
  assert.equal(encodeValue("kedi uyur evde"), "kedi%20uyur%20evde");
  for (const end of [".", "!", ")", "'", "*", "~", "-", "_", "?", ",", ";", ":", "…", "”"]) {
    const value = encodeValue(`kedi${end}`);
    assert.match(value, /[0-9A-Za-z]$/, `ends in a letter or a digit: ${value}`);
    assert.equal(decodeURIComponent(value), `kedi${end}`);
  }
  assert.equal(encodeValue("1.5"), "1.5");
  assert.equal(encodeValue("a\ud800b"), "a%EF%BF%BDb");
});

test("takes as much of a text as fits into so many characters of a link", () => {
  for (const [text, room] of [
    ["kedi köpek ".repeat(100), 300],
    ["ş".repeat(6000), 6000],
    [`${"a".repeat(99)}😀`, 100],
    ["a.b.c.", 5],
    ["a".repeat(10), 10],
    ["", 5],
    ["ş", 2],
  ]) {
    const part = fitting(text, room);
    assert.ok(text.startsWith(part));
    assert.ok(encodeValue(part).length <= room, `${encodeValue(part).length} > ${room}`);
    assert.ok(!part.includes("\ufffd"));
  }
  assert.equal(fitting("ş".repeat(6000), 6000).length, 1000);
  assert.equal(fitting("a".repeat(10), 10).length, 10);
  assert.equal(fitting(`${"a".repeat(9)}s\u0327`, 12), "a".repeat(9), "no letter without its mark");
});
