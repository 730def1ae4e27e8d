// Training without a browser: the table of pairs, what is drawn from it, gradients of the pairs, and what a run shows.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./load.mjs";

const { readPairs } = await load("train/pairs.ts");
const { canTrain, fromPairs, fromTokens, WINDOW } = await load("train/source.ts");
const { aliasTable, pick } = await load("train/alias.ts");
const { NEGATIVES, sampler, startingRows, TARGETS } = await load("train/draw.ts");
const { pairGradients } = await load("train/pair.ts");
const { watched } = await load("train/watch.ts");
const { cosine, nearest } = await load("train/cosine.ts");
const { Run, START_LOSS } = await load("train/run.ts");
const { outcomeOf } = await load("train/outcome.ts");
const textGradients = await load("train/text-gradient.ts");
const { ArrayTables } = await load("unit/table.ts");

const bytes = new Uint8Array(readFileSync("data/turkish-pairs.bin"));
const table = readPairs(bytes);
const source = fromPairs(table);

/** Three words, rows 5, 200 and 16,064; pairs 0 1, 0 2 and 2 1 of weights 1, 2 and 2^(3/2). */
const small = [3, 0, 0, 0, 3, 0, 0, 0, 5, 195, 1, 248, 123, 0, 8, 16, 1, 1, 5, 0, 2, 3];

test("the table of pairs is read as it is described", () => {
  const read = readPairs(Uint8Array.from(small));
  assert.deepEqual([...read.ids], [5, 200, 16_064]);
  assert.deepEqual([...read.frequency], [1, 2, 4]);
  assert.deepEqual([...read.left], [0, 0, 2]);
  assert.deepEqual([...read.right], [1, 2, 1]);
  assert.deepEqual([...read.weight], [1, 2, 2 ** 1.5]);
});

test("bytes that are no such table are refused, at any length", () => {
  for (let n = 0; n < small.length; n++) assert.throws(() => readPairs(Uint8Array.from(small.slice(0, n))), RangeError);
  assert.throws(() => readPairs(Uint8Array.from([...small, 0])), /after the table/);
  assert.throws(() => readPairs(Uint8Array.from([...small.slice(0, 18), 9, ...small.slice(19)])), /of no word/);
  assert.throws(() => readPairs(new TextEncoder().encode("<!doctype html><title>404</title>")), RangeError);
  assert.throws(() => readPairs(new Uint8Array(64).fill(255)), RangeError);
});

test("the bundled table has words in rows of their own, and pairs among them", () => {
  assert.equal(table.ids.length, 2_014);
  assert.ok(table.weight.length > 100_000);
  assert.ok(table.ids.every((id, i) => id < 16_384 && (i === 0 || id > table.ids[i - 1])));
  const key = (i) => table.left[i] * table.ids.length + table.right[i];
  assert.ok(table.left.every((_, i) => i === 0 || key(i) > key(i - 1)));
  // No word is left without a neighbour.
  const used = new Set([...table.left, ...table.right]);
  assert.equal(used.size, table.ids.length);
});

test("an alias table draws by its weights", () => {
  const weights = [5, 0, 1, 0.25, 3.75];
  const made = aliasTable(weights);
  const counts = weights.map(() => 0);
  const sides = 400;
  // A grid over both random words instead of a sample: the shares must come out almost exactly.
  for (let i = 0; i < sides * 5; i++) {
    for (let j = 0; j < sides; j++) {
      counts[pick(made, ((i + 0.5) / (sides * 5)) * 2 ** 32, ((j + 0.5) / sides) * 2 ** 32)] += 1;
    }
  }
  const all = counts.reduce((a, b) => a + b);
  for (const [i, weight] of weights.entries()) {
    assert.ok(Math.abs(counts[i] / all - weight / 10) < 0.002, `${i}: ${counts[i] / all}`);
  }
  assert.equal(counts[1], 0);
  assert.throws(() => aliasTable([0, 0]), RangeError);
  assert.throws(() => aliasTable([]), RangeError);
  assert.throws(() => aliasTable([1, Number.NaN]), RangeError);
});

const copy = ({ centres, targets }) => ({ centres: [...centres], targets: [...targets] });

test("a batch depends on seed and step alone", () => {
  const batch = (seed, step) => copy(sampler(source, 64, seed)(step));
  const draw = sampler(source, 64, 1);
  draw(7);
  assert.deepEqual(copy(draw(3)), batch(1, 3));
  assert.notDeepEqual(batch(1, 3), batch(1, 4));
  assert.notDeepEqual(batch(1, 3), batch(2, 3));
  // The next step goes on where this one ended: pairs are numbered through, whatever the batch.
  const wide = copy(sampler(source, 128, 1)(0));
  assert.deepEqual(wide.centres, [...batch(1, 0).centres, ...batch(1, 1).centres]);
  assert.deepEqual(wide.targets, [...batch(1, 0).targets, ...batch(1, 1).targets]);
});

test("pairs come as often as the table says, negatives as often as their share to 3/4, never as the true neighbour", () => {
  const pairs = 40_000;
  const { centres, targets } = sampler(source, pairs, 5)(2);
  const beside = new Set(table.left.map((_, i) => table.ids[table.left[i]] * 16_384 + table.ids[table.right[i]]));
  const negatives = new Map();
  let turned = 0;
  for (let b = 0; b < pairs; b++) {
    const positive = targets[b * TARGETS];
    const forward = beside.has(centres[b] * 16_384 + positive);
    assert.ok(forward || beside.has(positive * 16_384 + centres[b]));
    if (!forward) turned += 1;
    for (let k = 1; k < TARGETS; k++) {
      const id = targets[b * TARGETS + k];
      assert.notEqual(id, positive);
      negatives.set(id, (negatives.get(id) ?? 0) + 1);
    }
  }
  assert.ok(turned > pairs * 0.3 && turned < pairs * 0.5, `turned round ${turned}, some pairs stand in both orders`);
  const all = source.noise.reduce((a, b) => a + b);
  const frequent = source.noise.indexOf(Math.max(...source.noise));
  const expected = (source.noise[frequent] / all) * pairs * NEGATIVES;
  const found = negatives.get(source.ids[frequent]);
  // A tenth: words that are the true neighbour are drawn again.
  assert.ok(Math.abs(found / expected - 1) < 0.1, `${found} of ${expected}`);
});

test("two words are enough to train on, one is not", () => {
  const two = fromTokens([7, 9, 7, 7, 9], 16_384);
  assert.ok(canTrain(two));
  const { targets } = sampler(two, 500, 1)(0);
  for (let b = 0; b < 500; b++) {
    const [positive, ...negatives] = targets.subarray(b * TARGETS, (b + 1) * TARGETS);
    assert.ok(negatives.every((one) => one !== positive && (one === 7 || one === 9)));
  }
  assert.ok(!canTrain(fromTokens([], 16_384)));
  assert.ok(!canTrain(fromTokens([7], 16_384)));
  assert.ok(!canTrain(fromTokens([7, 7, 7], 16_384)));
  // Ids outside the vocabulary have no row.
  assert.ok(!canTrain(fromTokens([7, 16_384, 20_000], 16_384)));
});

test("a text's pairs are its pieces up to the window apart", () => {
  const made = fromTokens([4, 2, 4, 8, 6, 9], 16_384);
  assert.equal(WINDOW, 3);
  assert.deepEqual([...made.ids], [2, 4, 6, 8, 9]);
  const pairs = [...made.left].map((left, i) => [made.ids[left], made.ids[made.right[i]]].join(" ")).sort();
  // 4 beside 4 is left out, and 4 … 8 stands twice.
  assert.deepEqual(pairs, ["2 4", "2 6", "2 8", "4 2", "4 6", "4 8", "4 9", "6 9", "8 6", "8 9"]);
  const weight = (a, b) =>
    made.weight[pairs.length && [...made.left].findIndex((l, i) => made.ids[l] === a && made.ids[made.right[i]] === b)];
  assert.ok(Math.abs(weight(4, 8) / weight(2, 8) - 2 / Math.SQRT2) < 1e-12);
});

test("starting rows are uniform over a narrow range", () => {
  const rows = startingRows(100, 64, 1);
  assert.equal(rows.length, 6_400);
  assert.ok(rows.every((one) => Math.abs(one) <= 1 / 128));
  assert.ok(Math.max(...rows) > 0.0077 && Math.min(...rows) < -0.0077);
  assert.ok(Math.abs(rows.reduce((a, b) => a + b) / 6_400) < 2e-4);
  assert.notDeepEqual(startingRows(1, 64, 2), startingRows(1, 64, 1));
});

test("gradients of the pairs are the slopes of their loss", () => {
  const [width, pairs] = [4, 3];
  const value = (i) => Math.sin(1 + 3 * i) * 1.3;
  const centres = Float32Array.from({ length: pairs * width }, (_, i) => value(i));
  const targets = Float32Array.from({ length: pairs * TARGETS * width }, (_, i) => value(i + 100));
  const made = pairGradients(centres, targets, width);
  const lossAt = (array, i, by) => {
    const kept = array[i];
    array[i] = kept + by;
    const { loss } = pairGradients(centres, targets, width);
    array[i] = kept;
    return loss * pairs;
  };
  for (const [array, gradient] of [
    [centres, made.centres],
    [targets, made.targets],
  ]) {
    for (let i = 0; i < array.length; i++) {
      const slope = (lossAt(array, i, 2 ** -8) - lossAt(array, i, -(2 ** -8))) / 2 ** -7;
      assert.ok(Math.abs(slope - gradient[i]) < 1e-3, `${i}: ${slope} ${gradient[i]}`);
    }
  }
});

test("scores of any size have a finite loss, zeros cost (K+1)·ln 2", () => {
  const zeros = pairGradients(new Float32Array(4), new Float32Array(4 * TARGETS), 4);
  assert.ok(Math.abs(zeros.loss - START_LOSS) < 1e-12);
  const large = pairGradients(new Float32Array(1).fill(1e15), new Float32Array(TARGETS).fill(1e15), 1);
  assert.ok(Math.abs(large.loss / 5e30 - 1) < 1e-6);
  const { loss } = pairGradients(new Float32Array(1).fill(Number.NaN), new Float32Array(TARGETS).fill(1), 1);
  assert.ok(Number.isNaN(loss));
});

test("cosines, and the nearest rows", () => {
  const rows = Float32Array.from([1, 0, 2, 0, 0, 3, -1, 0, 1, 1, 0, 0, Number.NaN, 1, 4, 0]);
  assert.equal(cosine(rows, 2, 0, 1), 1);
  assert.equal(cosine(rows, 2, 0, 2), 0);
  assert.equal(cosine(rows, 2, 0, 3), -1);
  assert.ok(Number.isNaN(cosine(rows, 2, 0, 5)));
  assert.ok(Number.isNaN(cosine(rows, 2, 0, 6)));
  assert.deepEqual(
    nearest(rows, 2, 0, 3).map(({ index }) => index),
    [1, 7, 4],
  );
  assert.equal(nearest(rows, 2, 0, 50).length, 5);
});

/** Id of each piece of the bundled model, a protobuf: field 1 is a piece, and its field 1 the spelling. */
const ids = new Map();
const model = readFileSync("data/turkish-16k.model");
for (let at = 0; model[at] === 0x0a; at += 2 + model[at + 1]) {
  ids.set(model.toString("utf8", at + 4, at + 4 + model[at + 3]), ids.size);
}
const word = (name) => ids.get(`▁${name}`);

test("wishes are granted where the source has them, and replaced where not", () => {
  const [a, b] = [table.ids[10], table.ids[11]];
  const wish = (ids, control = false) => ({ ids, control });
  const all = watched(source, [wish([a, b]), wish([a, undefined]), wish([b, 16_383], true)], () => true);
  assert.deepEqual(
    all.map(({ control }) => control),
    [false, false, false, false, true, true],
  );
  assert.deepEqual(all[0], { left: 10, right: 11, control: false });
  // What fills the gaps stood together; controls never did.
  const beside = new Set(table.left.map((left, i) => left * 2_014 + table.right[i]));
  const stood = ({ left, right }) => beside.has(left * 2_014 + right) || beside.has(right * 2_014 + left);
  assert.ok(all.slice(1, 4).every(stood));
  assert.ok(!all.slice(4).some(stood));
  // Only what is fit to show.
  const even = watched(source, [], (id) => id % 2 === 0);
  assert.ok(even.every(({ left, right }) => source.ids[left] % 2 === 0 && source.ids[right] % 2 === 0));
  // A source of two words has one pair, and no control.
  assert.equal(watched(fromTokens([7, 9], 16_384), [], () => true).length, 1);
});

/** Points as a run would have read them. */
const points = (...all) => [
  { step: 0, loss: START_LOSS, cosines: all[0].cosines.map(() => 0) },
  ...all.map((one, i) => ({ step: 8 * (i + 1), ...one })),
];
const four = [false, false, true, true].map((control, i) => ({ left: i, right: i + 4, control }));

test("an outcome is told from the numbers alone", () => {
  const kind = (...all) => outcomeOf(points(...all), four).kind;
  assert.equal(outcomeOf([], four).kind, "none");
  assert.equal(outcomeOf(points({ loss: 1, cosines: [0, 0, 0, 0] }).slice(0, 1), four).kind, "none");
  assert.equal(kind({ loss: 1.2, cosines: [0.6, 0.6, 0.1, 0.2] }), "apart");
  assert.equal(kind({ loss: 1.2, cosines: [0.6, 0.6, 0.1, 0.5] }), "control-rose");
  assert.equal(kind({ loss: 4.1, cosines: [0.1, 0, 0, 0] }), "early");
  // A loss that fell proves nothing where everything points one way.
  assert.equal(kind({ loss: 2.6, cosines: [1, 0.99, 0.98, 0.99] }), "collapsed");
  assert.equal(kind({ loss: 234, cosines: [0.6, 0.6, 0.1, 0.2] }), "too-large");
  assert.equal(kind({ loss: Number.NaN, cosines: [0.6, 0.6, 0.1, 0.2] }), "broken");
  assert.equal(kind({ loss: 2, cosines: [0.6, Number.NaN, 0.1, 0.2] }), "broken");
  assert.equal(kind({ loss: Number.POSITIVE_INFINITY, cosines: [0.6, 0.6, 0.1, 0.2] }), "broken");
  // One that was too large and came back is told by where it is now.
  assert.equal(kind({ loss: 90, cosines: [0, 0, 0, 0] }, { loss: 1.2, cosines: [0.6, 0.6, 0, 0] }), "apart");
  const spike = outcomeOf(points({ loss: 90, cosines: [0, 0, 0, 0] }, { loss: 30, cosines: [0, 0, 0, 0] }), four);
  assert.deepEqual(spike, {
    ...{ kind: "too-large", loss: 30, before: START_LOSS, changed: false, peak: 90, at: 8 },
    trend: "falling",
  });
  const alone = [{ left: 0, right: 1, control: false }];
  assert.equal(outcomeOf(points({ loss: 1, cosines: [0.7] }), alone).kind, "no-control");
  assert.equal(outcomeOf(points({ loss: 1, cosines: [0.99] }), alone).kind, "collapsed");
});

test("a step too large is told from where the step size was set, and by where the loss is going", () => {
  const flat = [0, 0, 0, 0];
  const found = (losses, set) => outcomeOf(points(...losses.map((loss) => ({ loss, cosines: flat }))), four, set);
  assert.equal(found([20, 60, 200]).trend, "rising");
  assert.equal(found([20, 60, 55]).trend, "rising", "noise near the peak is no way down");
  // As read once: 1.20 when the slider was moved, 78,874 at the peak, 13,978 then.
  const leapt = found([1.5, 1.2, 78_874, 40_000, 13_978], 16);
  assert.deepEqual(
    [leapt.before, leapt.changed, leapt.peak, leapt.at, leapt.trend],
    [1.2, true, 78_874, 24, "falling"],
  );
  const calmed = found([900, 700, 60, 20], 16);
  assert.deepEqual([calmed.before, calmed.peak, calmed.trend], [700, 700, "recovering"]);
  assert.equal(found([900, 300, 600], 0).trend, "rising", "below its peak, but on the way up again");
});

test("early pairs come with the highest control, a broken run with whether its rows are frozen", () => {
  const early = outcomeOf(points({ loss: 3.9, cosines: [0.23, 0.2, 0.41, 0.1] }), four);
  assert.deepEqual([early.kind, early.control], ["early", 0.41]);
  const still = { loss: Number.POSITIVE_INFINITY, cosines: [0.5, 0.5, 0.1, 0.2] };
  assert.equal(outcomeOf(points({ ...still, loss: 9 }, still), four).frozen, true);
  assert.equal(outcomeOf(points({ ...still, cosines: [0.4, 0.5, 0.1, 0.2] }, still), four).frozen, false);
  const gone = { loss: Number.NaN, cosines: [Number.NaN, 0.5, 0.1, 0.2] };
  assert.equal(outcomeOf(points(gone, gone), four).frozen, false);
});

test("every outcome has a sentence of its own in both languages, with the numbers it is of", async () => {
  const { tr } = await load("train/strings/tr.ts");
  const { en } = await load("train/strings/en.ts");
  const large = {
    kind: "too-large",
    loss: 13_978,
    before: 1.2,
    changed: true,
    peak: 78_874,
    at: 220,
    trend: "falling",
  };
  for (const { outcome: t } of [tr, en]) {
    const said = [
      t.early(0.2, "", 3.9, 4.16),
      t.early(0.2, t.controlAbove("a ~ b", 0.41), 3.9, 4.16),
      t.early(0.2, "", 4.159, 4.1589),
      t.apart(0.6, "a ~ b", 0.2, 1.2, 4.16, false),
      t.apart(0.6, "a ~ b", 0.2, 1.2, 4.16, true),
      t.controlRose(0.6, "a ~ b", 0.5),
      t.controlRose(0.6, "a ~ b", 0.7),
      t.noControl(0.7, 1, 4.16),
      t.collapsed(0.95, 2.6, 4.16, true),
      t.tooLarge.rising(large, 4.16),
      t.tooLarge.falling(large, 4.16),
      t.tooLarge.recovering(large, 4.16),
      t.broken(40, "Inf", false),
      t.broken(40, "Inf", true),
    ];
    assert.equal(new Set(said).size, said.length);
    for (const one of said) assert.doesNotMatch(one, /undefined|\[object/, one);
    assert.match(said[10], /1[.,]2/, "the loss when the step size was set");
    assert.doesNotMatch(said[10], /karşı yamaca|other side/);
    assert.doesNotMatch(said[2], /4[.,]16.*4[.,]16/);
  }
});

/** A short run on the bundled pairs; 1,024 of them a step, so that it takes seconds in plain arrays. */
async function trained(rule, steps, seed = 1) {
  const wishes = [
    ["kedi", "köpek"],
    ["anne", "baba"],
    ["kırmızı", "mavi"],
    ["pazartesi", "salı"],
    ["kedi", "ankara", true],
    ["kedi", "tren", true],
  ].map(([a, b, control = false]) => ({ ids: [word(a), word(b)], control }));
  const run = new Run(
    source,
    new ArrayTables(16_384, 64, 1_024, seed),
    watched(source, wishes, () => true),
    seed,
  );
  await run.begin();
  for (let done = 0; done < steps; done += 16) await run.advance(16, () => rule);
  return run;
}

test("Adagrad tells related words from others, on the bundled pairs", async (t) => {
  const run = await trained({ rule: "adagrad", lr: 0.3 }, 512);
  const last = run.points.at(-1);
  t.diagnostic(`loss ${last.loss.toFixed(2)}, cosines ${last.cosines.map((one) => one.toFixed(2)).join(" ")}`);
  assert.ok(Math.abs(run.points[0].loss - 4.1589) < 1e-3);
  assert.ok(last.loss < 1.7, `${last.loss}`);
  assert.equal(ids.size, 16_384);
  assert.equal(outcomeOf(run.points, run.watched).kind, "apart");
  const rows = await run.words();
  const days = nearest(rows, 64, source.ids.indexOf(word("pazartesi")), 5).map(({ index }) => source.ids[index]);
  assert.ok(days.includes(word("salı")));
});

test("plain SGD at a small rate turns everything one way while its loss falls", async () => {
  const run = await trained({ rule: "sgd", lr: 0.1 }, 64);
  const found = outcomeOf(run.points, run.watched);
  assert.equal(found.kind, "collapsed");
  assert.ok(found.loss < START_LOSS);
  assert.ok(found.control > 0.9);
});

test("plain SGD at a large rate leaves the numbers behind", async () => {
  const run = await trained({ rule: "sgd", lr: 2 }, 64);
  const { kind } = outcomeOf(run.points, run.watched);
  assert.ok(kind === "broken" || kind === "too-large", kind);
});

test("the gradient of a text is that of its pairs; pieces that were not trained have none", () => {
  const { textGradient } = textGradients;
  const [width, words] = [4, 5];
  const few = fromTokens([10, 20, 30, 40, 50, 20, 10, 40], 16_384);
  const row = (i) => Math.sin(2 + 5 * i);
  const centres = Float32Array.from({ length: words * width }, (_, i) => row(i));
  const contexts = Float32Array.from({ length: words * width }, (_, i) => row(i + 50));
  const trained = { source: few, centres, contexts, width, seed: 3 };
  const out = textGradient(trained, [10, 999, 20, 30, 30]);
  assert.equal(out.length, 5 * width);
  // 10 and 999 have no trained piece beside them that is trained too.
  assert.deepEqual([...out.subarray(0, 2 * width)], new Array(2 * width).fill(0));
  assert.ok(out.subarray(2 * width).every((one) => Number.isFinite(one) && one !== 0));
  assert.deepEqual(out, textGradient(trained, [10, 999, 20, 30, 30]));
  assert.notDeepEqual(out, textGradient({ ...trained, seed: 4 }, [10, 999, 20, 30, 30]));
  // Against its slope: the loss of the pairs that have a piece at this position as their centre.
  const zeros = textGradient({ ...trained, contexts: new Float32Array(words * width) }, [10, 20]);
  assert.ok(
    zeros.every((one) => one === 0),
    "contexts of zeros pull nowhere",
  );
  // With one row for all contexts, -½·1 for the true one and +½ for each of five negatives at a score of 0.
  const flat = {
    ...trained,
    centres: new Float32Array(words * width),
    contexts: new Float32Array(words * width).fill(1),
  };
  assert.deepEqual([...textGradient(flat, [10, 20])], new Array(2 * width).fill(2));
  assert.deepEqual([...textGradient(flat, [10, 20, 30])].slice(width, 2 * width), new Array(width).fill(4));
  assert.equal(textGradient(trained, []).length, 0);
});

test("the same seed gives the same numbers, another one others", async () => {
  const rule = { rule: "adagrad", lr: 0.3 };
  const [one, two, other] = [await trained(rule, 32), await trained(rule, 32), await trained(rule, 32, 2)];
  assert.deepEqual(one.points, two.points);
  assert.notDeepEqual(one.points, other.points);
  assert.deepEqual(await one.words(), await two.words());
});

test("a long run keeps its first and last points, and few between", async () => {
  const tables = {
    pairs: 8,
    width: 4,
    step: async () => {},
    read: async (ids) => ({ losses: [1], rows: new Float32Array(ids.length * 4).fill(1) }),
    free() {},
  };
  const run = new Run(source, tables, [{ left: 0, right: 1, control: false }], 1);
  await run.begin();
  for (let i = 0; i < 1_000; i++) await run.advance(2, () => ({ rule: "sgd", lr: 0 }));
  assert.ok(run.points.length <= 400);
  assert.equal(run.points[0].step, 0);
  assert.equal(run.points.at(-1).step, 2_000);
  assert.equal(run.step, 2_000);
  assert.equal(
    run.touched.hits.reduce((a, b) => a + b),
    8 * TARGETS,
  );
});
