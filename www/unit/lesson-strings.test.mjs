// The later sections' words: for each outcome a sentence of its own in both languages, links that lead somewhere, and
// lists that belong together.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { lessonTr } = await load("strings/lesson.tr.ts");
const { lessonEn } = await load("strings/lesson.en.ts");
const languages = [
  ["tr", lessonTr],
  ["en", lessonEn],
];

/** Every string, functions called with marks of their own, with its path. */
function* sentences(words, path = "") {
  if (typeof words === "string") yield [path, words];
  else if (typeof words === "function") {
    const marks = Array.from({ length: words.length }, (_, i) => `⟨${i}⟩`);
    yield [path, words(...marks)];
  } else if (words && typeof words === "object") {
    for (const [key, value] of Object.entries(words)) yield* sentences(value, `${path}.${key}`);
  }
}

test("each outcome has a sentence of its own, in both languages", () => {
  for (const [lang, { s4, s5, s6 }] of languages) {
    const sets = [
      [s4.cellSays, ["cpu", "apart", "all", "groups", "overlap", "mixed"]],
      [s4.columnsSays, ["cpu", "none", "hardly", "few", "near"]],
      [s5.keptSays, ["cpu", "none", "groups", "one", "some"]],
      [s5.lossSays, ["none", "some", "all"]],
      [s5.noteSays, ["cpu", "none", "some", "all", "apart"]],
      [s5.answerSays, ["alone", "same", "moved"]],
      [s5.halfSays, ["nothing", "single", "overflow", "lost", "inexact", "exact"]],
      [s6.casSays, ["slower", "alike", "faster"]],
      [s6.floorSays, ["near", "far"]],
      [s6.fastSays, ["slower", "alike", "faster"]],
      [s6.growSays, ["none", "below", "overtaken"]],
      ...["slower", "alike", "faster", "unsteady"].map((time) => [s6.hurtSays[time], ["grew", "few", "level"]]),
    ];
    for (const [set, outcomes] of sets) {
      assert.deepEqual(Object.keys(set).sort(), [...outcomes].sort());
      const said = [...sentences(set)].map(([, text]) => text);
      assert.equal(new Set(said).size, outcomes.length, `${lang}: ${outcomes}`);
      assert.ok(said.every((text) => text.length > 10));
    }
  }
});

test("links lead to the glossary or to a section, and both languages explain the same terms", () => {
  const ids = (words) => words.glossary.terms.map(([id]) => id);
  assert.deepEqual(ids(lessonEn), ids(lessonTr));
  assert.equal(new Set(ids(lessonTr)).size, ids(lessonTr).length);
  for (const wanted of [
    "kernel",
    "thread",
    "workgroup",
    "wgsl",
    "float",
    "nan",
    "inf",
    "zipf",
    "line",
    "adapter",
    "f16",
  ]) {
    assert.ok(ids(lessonTr).includes(wanted), wanted);
  }
  const there = new Set([...ids(lessonTr).map((id) => `g-${id}`), "corrections", "cell-contention"]);
  for (const [lang, words] of languages) {
    for (const [path, text] of sentences(words)) {
      for (const [, id] of text.matchAll(/\]\(#([\w-]+)\)/g)) assert.ok(there.has(id), `${lang}${path}: #${id}`);
    }
  }
});

test("a function takes the same arguments in both languages and uses the same ones", () => {
  const marks = (text) => [...new Set(text.match(/⟨\d⟩/g) ?? [])].sort().join();
  const english = new Map(sentences(lessonEn));
  for (const [path, text] of sentences(lessonTr)) {
    if (/\.terms\.|\.steps\.\d+\.[01]$/.test(path)) continue;
    assert.ok(english.has(path), path);
    assert.equal(marks(english.get(path)), marks(text), path);
  }
});

test("the lesson takes 40 minutes, 26 of them needed, and every question has its answer", () => {
  for (const [, { lesson }] of languages) {
    const minutes = (steps) => steps.reduce((sum, [one]) => sum + one, 0);
    assert.equal(minutes(lesson.steps), 40);
    assert.equal(minutes(lesson.steps.filter(([, , , optional]) => !optional)), 26);
    assert.match(lesson.say, /26/);
    assert.equal(lesson.answers.length, lesson.questions.length);
  }
});

test("one word for one thing", () => {
  const never = {
    tr: /geç kal|boşa git|yazma zahmet|işlemci ikiz|yarışlı kernel|çalıştırmanın|geçişler?\b|(?<!ön)bellek satırı/i,
    en: /wasted|too late|in truth|memory line|CPU twin|times the floor|per row\b.*a cell\b|half the room/i,
  };
  for (const [lang, words] of languages) {
    for (const [path, text] of sentences(words)) assert.doesNotMatch(text, never[lang], `${lang}${path}`);
  }
});
