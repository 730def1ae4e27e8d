// Section 8 in English.
import { count, fixed, short } from "../../format";
import type { TooLarge } from "../outcome";
import type { TrainStrings } from "./tr";

const n = (value: number) => count("en", value);
const two = (value: number) => fixed("en", value, 2);
const lossWent = (loss: number, start: number) =>
  two(loss) === two(start)
    ? `The loss has not moved yet (${two(start)}).`
    : `The loss went from ${two(start)} to ${two(loss)}.`;
/** The loss that a step size began with. */
const since = ({ before, changed }: TooLarge) =>
  changed ? `was ${short("en", before)} when the step size was changed` : `began at ${two(before)}`;
const times = (value: number, one: string, many: string) => `${n(value)} ${value === 1 ? one : many}`;

export const en: TrainStrings = {
  say: "The table starts as random numbers and knows nothing about words. Each step draws pairs of words that stood side by side: [skip-gram](#g-skipgram) moves the two rows of a pair *together*, and the rows of five words drawn at random *away*. Nobody tells the table that “kedi” (cat) and “köpek” (dog) are alike. The kernels of sections 2 and 3 do the work: look rows up, sum the gradient row by row, take the step.",
  formula: [
    "L = −log σ(c·b) − Σₖ log σ(−c·nₖ)",
    "σ squeezes a number between 0 and 1. c: the word’s row. b: the row of a word beside it, nₖ: those of K = 5 random words; these come from a second table, which starts at zero. So every product is 0 at first, and L = 6 · ln 2 = 4.16.",
  ],

  board: "Training",
  source: "Source",
  sources: { pairs: "Pairs of words", tale: "The tale", text: "Your text" },
  about: {
    pairs: (pairs, words) =>
      `${n(pairs)} pairs of neighbours among ${n(words)} words: from a model that counts which two words stand side by side, part of Zemberek, a library for Turkish (Apache-2.0). Each step draws from them anew, frequent pairs more often. The model knows lower case only, “ankara” included.`,
    tale: (pairs, words) =>
      `The tale of section 1: ${n(words)} different pieces, ${n(pairs)} pairs that stand at most three pieces apart.`,
    text: (pairs, words) =>
      `Your text of section 1: ${times(words, "piece", "different pieces")}, ${times(pairs, "pair", "pairs")} at most three pieces apart.`,
  },
  few: (words) =>
    `Only ${times(words, "piece", "different pieces")}. Under 200, the table learns no language: it memorises this text.`,
  cannot: "Training needs two different pieces side by side: write a little more in section 1.",
  loading: "The pairs of words are on their way…",
  missing: (why) => `The pairs of words did not come (${why}). You can train on the tale or on your own text.`,
  changed: "The text has changed since this run. The next start begins anew, with the new text.",

  start: "Train",
  resume: "Resume",
  restart: "Train from the start",
  stop: "Stop",
  one: "One step",
  again: "Same numbers again",
  seed: (seed) => `Seed ${seed}`,
  newSeed: "New seed",
  rule: "Rule",
  rules: { adagrad: "Adagrad", sgd: "Plain SGD" },
  rate: "Step size",
  slow: "Slow",
  wrong: "Two runs that go wrong",
  collapse: "Plain SGD’s collapse",
  tooLarge: "A step too large",
  restore: "Back to Adagrad 0.3",

  steps: "steps",
  pairs: "pairs drawn",
  stepsPerSecond: "steps/s",
  pairsPerSecond: "pairs/s",
  rowsTouched: "rows in this step",
  preparing: "Making the tables…",
  waiting: "The device is busy with something else; training goes on when that is done.",
  reached: (step, pairs) =>
    `${n(pairs)} pairs drawn (${n(step)} steps): that is what one start is for, so it stopped by itself. “Resume” goes on.`,
  asleep: "Waits while the tab is hidden.",
  onCpu: (pairs) => `This browser has no GPU to offer: steps are taken on the CPU, ${n(pairs)} pairs each.`,
  onSoftware: (pairs) => `A software adapter: ${n(pairs)} pairs a step. On a graphics card 16,384.`,
  onCard: (pairs) => `${n(pairs)} pairs a step.`,
  lost: (step) =>
    `The device was lost, and with it what ${times(step, "step", "steps")} had taught: the two tables were in its memory alone. The charts are what was read last. The next start begins at the first step, with the same seed.`,
  same: (readings) =>
    `Same seed, same numbers: in all ${n(readings)} readings that both runs share, the bits are equal.`,
  differs: (step) => `The numbers part from those of the run before; the first difference is at step ${n(step)}.`,
  ended: (step) => `Stopped at step ${n(step)}.`,

  cosines: "Cosines",
  cosinesSay: "between trained rows",
  control: "control",
  bundled: "bundled table",
  trained: "here",
  pair: "pair",
  kindOf: "kind",
  related: "related",
  atStart: "at the start",
  noCosine: "none",
  chart: (pair, now) => `${pair}: cosine now ${now}`,
  keySolid: "trained",
  keyDashed: "the value in the bundled table",
  gloss: {
    kedi: "cat",
    köpek: "dog",
    anne: "mother",
    baba: "father",
    ankara: "Ankara",
    istanbul: "Istanbul",
    kırmızı: "red",
    mavi: "blue",
    tren: "train",
    gündüz: "day",
    gece: "night",
  },
  controlSay: {
    pairs:
      "The words of a control are not tied to each other. If controls rise as far as the related pairs, the table is learning something, but not meaning.",
    tale: "A control: words that never stand side by side in the tale, and whose neighbours have least in common. In other texts they may be close; this tale doesn’t tie them. If they rise as far as the related pairs, the table tells nothing apart.",
    text: "A control: words that never stand side by side in your text, and whose neighbours have least in common. In other texts they may be close (see the value in the bundled table); this text doesn’t tie them. If they rise as far as the related pairs, the table tells nothing apart.",
  },

  outcome: {
    none: "No step yet: the rows are random numbers from the seed.",
    early: (related, above, loss, start) =>
      `The pairs are not apart yet: related ones have a mean cosine of ${two(related)}${above}. ${lossWent(loss, start)}`,
    controlAbove: (pair, control) => `, and the control ${pair} is at ${two(control)}`,
    apart: (related, pair, control, loss, start, few) =>
      `Related pairs are at *${two(related)}* on average, the highest control (${pair}) at *${two(control)}*: ${few ? "the table tells what stood side by side in this text from what did not, that is, it memorised the text" : "the table tells words apart"}. ${lossWent(loss, start)}`,
    controlRose: (related, pair, control) =>
      `Related pairs are at ${two(related)} on average, but the control ${pair} is at *${two(control)}*: ${control > related ? "above even them" : "there is little between them"}. “It has learnt the meaning” does not follow.`,
    noControl: (related, loss, start) =>
      `The cosine is ${two(related)}. ${lossWent(loss, start)} So few pieces leave no pair for a control; a rising cosine alone shows nothing.`,
    collapsed: (least, loss, start, fell) =>
      `${fell ? `The loss went from ${two(start)} to ${two(loss)}: it “improved”. But` : `The loss is ${two(loss)}, and`} *even the lowest* of the watched cosines is *${two(least)}*. All rows point the same way; the table tells no word from another. Whoever looks at kedi ~ köpek alone would call it a success. What gives the collapse away is the controls.`,
    collapsedWhy:
      "Plain [SGD](#g-sgd) has every row take steps of the same scale. Frequent rows sum hundreds of gradients in each step, grow, and drag the others along. [Adagrad](#g-adagrad) divides each row’s step by the gradient that the row has gathered: frequent rows take small steps, rare ones large.",
    tooLarge: {
      rising: (one) =>
        `The step is too large: the loss ${since(one)} and reached *${short("en", one.peak)}* at step ${n(one.at)}${one.loss === one.peak ? "" : `; it is ${short("en", one.loss)} now`}. Each step leaps over the bottom of the valley, and lands higher up the other side.`,
      falling: (one, start) =>
        `The step was too large: the loss ${since(one)} and leapt to *${short("en", one.peak)}* at step ${n(one.at)}. It is ${short("en", one.loss)} now and falling, but still above that of an untrained table (${two(start)}).`,
      recovering: (one, start) =>
        `The loss was ${short("en", one.before)} when the step size was changed and is *${short("en", one.loss)}* now: it is falling, but still above that of an untrained table (${two(start)}).`,
    },
    broken: (step, loss, frozen) =>
      `The numbers have overflowed: at step ${n(step)} the loss, or a watched row, was no number any more (loss ${loss}). The values multiplied from step to step until they passed the limit of f32, 3.4 · 10³⁸; and Inf − Inf is \`NaN\`. ${frozen ? "The cosines are numbers all the same, because the package adds no NaN or Inf of a gradient: those rows are frozen as they were last. " : ""}This table will not recover; it has to begin anew.`,
  },

  loss: "Loss",
  lossSay: "per pair",
  lossStart: (start) => `start ${two(start)}`,
  lossLabel: (now, start) => `Loss ${now}; the line of the start is at ${start}`,
  logScale: "logarithmic scale",
  xPairs: "pairs drawn",

  touched: "Rows that a step touches",
  touchedSay: (rows, vocabulary, positions, words) =>
    `The step asked for ${n(positions)} rows (for each pair a neighbour and five random words); they fell on *${n(rows)}* of ${n(vocabulary)}. The source has ${n(words)} words. Gradient and step are written to these rows alone.`,
  touchedTop: (piece, hits, once) =>
    `Most often “${piece}”: ${times(hits, "time", "times")}. Just once: ${times(once, "row", "rows")}. Zipf’s law, as in section 6.`,
  touchedLabel: (rows, most) => `Hits of each row by rank: ${n(rows)} rows, at most ${n(most)}`,
  rank: "rank",
  hits: "hits",
  noneYet: "Seen after the first step.",

  near: "The nearest five",
  nearOf: "Word",
  nearBefore: "At the start",
  nearNow: (step) => `At step ${n(step)}`,
  word: "word",
  neighbour: "neighbour",
  cosine: "cosine",
  when: "when",

  keep: "The table you trained",
  keepSay: (words, width) => `The rows of ${n(words)} words, ${width} columns each. CSV and JSON have them all.`,
  show: "Show this table in section 2",
  showing: (steps) => `Section 2 now shows this table as it was at step ${n(steps)}: rows, neighbours, f16. `,
  goThere: "Go to section 2",
  putBack: "Put the bundled table back",
  needVectors: "Section 2 shows no table before the bundled vectors are there.",
  piece: "piece",
  id: "id",
  norm: "norm",

  ask: "The loss falls, kedi ~ köpek rises. What else must be looked at before saying that it has learnt?",
  answer:
    "What must not rise. In the run with plain SGD the loss falls too, and kedi ~ köpek goes to 1; but so does kedi ~ ankara. A measure means something because it could have come out otherwise.",
};
