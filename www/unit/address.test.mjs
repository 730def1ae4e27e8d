// A link is exactly its state.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

// One bundle: modules loaded apart would each have signals of their own.
const { createState, DEFAULT_TEXT, fromAddress, LINK_LIMIT, link, reset, setText } = await load("unit/page.ts");

const PLACE = "https://example.org/gomme/";
const at = (rest) => {
  const url = new URL(PLACE + rest);
  return { href: url.href, search: url.search, hash: url.hash };
};
const opened = (rest) => {
  const state = createState();
  fromAddress(state, at(rest));
  return state;
};
const text = (state) => state.head.value + state.tail.value;
const linkOf = (state, rest = "") => link(state, at(rest)).href;

test("opens and writes every setting", () => {
  const rest =
    "#m=kedi%20uyur&s=1&d=7&g=ones&nan=1&inf=1&oov=1&seed=9&k=6&step=3&r=4&n=512&z=0.4&lang=en&theme=dark&sec=5";
  const state = opened(rest);
  assert.equal(text(state), "kedi uyur");
  assert.equal(state.position.value, 1);
  assert.equal(state.column.value, 7);
  assert.equal(state.upstream.value, "ones");
  assert.deepEqual([state.nan.value, state.inf.value, state.outOfVocab.value], [true, true, true]);
  assert.deepEqual([state.threads.value, state.repeats.value, state.skew.value], [6, 4, 0.4]);
  assert.deepEqual([state.wanted.value, state.theme.value, state.section.value], ["en", "dark", 5]);
  assert.equal(linkOf(state), PLACE + rest);
  assert.equal(linkOf(opened("")), PLACE);
});

test("what a link leaves out is the default, whatever was there before", () => {
  const state = opened("#m=abc&oov=1&nan=1&k=7&lang=en&theme=dark&sec=4&z=0.5");
  fromAddress(state, at("#m=kedi"));
  assert.equal(linkOf(state), `${PLACE}#m=kedi`);
  fromAddress(state, at(""));
  assert.equal(text(state), DEFAULT_TEXT);
  assert.equal(linkOf(state), PLACE);
});

test("nothing of an older ? or # survives a choice or Reset", () => {
  const english = opened("?lang=en");
  assert.equal(english.wanted.value, "en");
  english.wanted.value = "tr";
  assert.equal(linkOf(english, "?lang=en"), PLACE);
  const abc = opened("?m=abc&utm=1");
  reset(abc);
  assert.equal(text(abc), DEFAULT_TEXT);
  assert.equal(linkOf(abc, "?m=abc&utm=1"), `${PLACE}?utm=1`, "what is not the page's stays");
});

test("# overrules ?, and the first of repeated values counts", () => {
  assert.equal(opened("?k=5#k=6").threads.value, 6);
  assert.equal(opened("#k=3&k=5").threads.value, 3);
  assert.equal(text(opened("#m=bir&m=iki")), "bir");
});

test("passes over empty and impossible values", () => {
  for (const bad of ["", "-1", "1e1", "0x5", " 5", "5.0", "11", "1", "NaN", "٥", "9".repeat(400)]) {
    assert.equal(opened(`#k=${encodeURIComponent(bad)}`).threads.value, 4, `k=${bad}`);
  }
  assert.equal(opened("#k=&k=5").threads.value, 5);
  assert.equal(opened("#s=8192").position.value, 0);
  assert.equal(opened("#d=384").column.value, 301);
  assert.equal(opened("#r=3").repeats.value, 128);
  assert.equal(opened("#z=0.25").skew.value, 1);
  assert.equal(opened("#z=2").skew.value, 1);
  assert.equal(opened("#g=twos&lang=de&theme=pink&nan=yes&sec=9").upstream.value, "random");
  assert.equal(linkOf(opened("#g=twos&lang=de&theme=pink&nan=yes&sec=9")), PLACE);
  assert.equal(text(opened("#m=%E0%A4%A")).length > 0, true, "a broken escape breaks nothing");
});

test("an empty text is a text, also where a program dropped the = at the end", () => {
  const state = createState();
  setText(state, "");
  assert.equal(text(opened(linkOf(state).slice(PLACE.length))), "");
  assert.equal(text(opened("#m")), "");
});

test("any text comes back as it was", () => {
  for (const words of [
    "a+b = c & d # e % f ? g",
    "kedi\nköpek\tkuş",
    "“Olur” demiş.",
    "İIıi ☕ 👩‍👩‍👧",
    "\u0000\u0001",
    "...",
    "(a)",
    "s\u0327",
  ]) {
    const state = createState();
    setText(state, words);
    const href = linkOf(state);
    assert.match(href, /[\p{L}\p{N}]$/u, "nothing at the end that chat programs would drop");
    assert.doesNotMatch(href, /[+!'()*~\s]/);
    assert.equal(text(opened(href.slice(PLACE.length))), words);
  }
  assert.equal(text(opened("#m=kedi+uyur")), "kedi uyur", "links of earlier versions had plus signs");
});

test("a long text is cut between characters, by the length of the link", () => {
  for (const words of [
    "ş".repeat(6000),
    `${"a".repeat(5999)}😀😀`,
    "kedi ".repeat(30_000),
    `${"a".repeat(LINK_LIMIT - PLACE.length - 5)}s\u0327`,
  ]) {
    const state = createState();
    state.nan.value = true;
    setText(state, words);
    const { href, carried, length } = link(state, at(""));
    assert.ok(href.length <= LINK_LIMIT, `${href.length}`);
    assert.ok(href.endsWith("&nan=1"));
    assert.equal(length, words.length);
    const back = text(opened(href.slice(PLACE.length)));
    assert.equal(back, words.slice(0, carried));
    assert.doesNotMatch(back, /\ufffd/);
  }
  // Wherever the end falls: before, inside and after a character of two units, and one with a mark.
  for (const character of ["😀", "s\u0327"]) {
    const whole = new Set();
    for (let room = 0; room < 40; room++) {
      const letters = LINK_LIMIT - PLACE.length - room;
      const state = createState();
      setText(state, "a".repeat(letters) + character + "b".repeat(100));
      const { carried, href } = link(state, at(""));
      const back = text(opened(href.slice(PLACE.length)));
      const [cut] = /a*(.*)/su.exec(back).slice(1);
      assert.ok(
        carried <= letters || cut.startsWith(character),
        `cut to ${JSON.stringify(cut)} after ${letters} letters`,
      );
      assert.doesNotMatch(back, /\ufffd/);
      whole.add(cut.startsWith(character));
    }
    assert.equal(whole.size, 2, "the end fell on both sides of it");
  }
  const mark = createState();
  setText(mark, `${"a".repeat(LINK_LIMIT)}`);
  assert.ok(link(mark, at("")).carried < LINK_LIMIT);
});
