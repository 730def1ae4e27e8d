// Section 8 in English.
import { count, fixed, short } from "../../format";
import type { TrainStrings } from "./tr";

const n = (value: number) => count("en", value);
const two = (value: number) => fixed("en", value, 2);
const times = (value: number, one: string, many: string) => `${n(value)} ${value === 1 ? one : many}`;

export const en: TrainStrings = {
  say: "The table begins as random numbers and knows no word. Each step draws pairs of words that stood side by side: skip-gram moves the two rows of a pair *together*, and the rows of five words drawn at random *away*. Nobody tells the table that “kedi” (cat) and “köpek” (dog) are alike. The kernels of sections 2 and 3 do the work: look rows up, sum the gradient row by row, take the step.",
  formula: [
    "L = −log σ(c·b) − Σₖ log σ(−c·nₖ)",
    "c: the word’s row, b: that of a word beside it, nₖ: those of K = 5 random words. At first every product is 0, L = 6 · ln 2 = 4.16.",
  ],

  board: "Training",
  source: "Source",
  sources: { pairs: "Pairs of words", tale: "The tale", text: "Your text" },
  about: {
    pairs: (pairs, words) =>
      `${n(pairs)} pairs of neighbours among ${n(words)} words: from Zemberek’s bigram model of Turkish, Apache-2.0. It knows lower case only, “ankara” included.`,
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
  resume: "Go on",
  stop: "Stop",
  one: "One step",
  again: "Same numbers again",
  seed: (seed) => `Seed ${seed}`,
  newSeed: "New seed",
  rule: "Rule",
  rules: { adagrad: "Adagrad", sgd: "Plain SGD" },
  rate: "Step size",
  slow: "Slowly",
  wrong: "Two runs that go wrong",
  collapse: "Plain SGD’s collapse",
  tooLarge: "A step too large",
  restore: "Back to Adagrad 0.3",

  steps: "steps",
  pairs: "pairs",
  stepsPerSecond: "steps/s",
  pairsPerSecond: "pairs/s",
  rowsTouched: "rows in this step",
  preparing: "Making the tables…",
  waiting: "The device is in another measurement; waiting for its turn…",
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
  keyDashed: "in the bundled vectors (what 16,000 words and an SVD say)",
  controlSay:
    "Nothing ties the words of a control to each other. If controls rise too, the table is learning something, but not meaning.",

  outcome: {
    none: "No step yet: the rows are random numbers from the seed.",
    early: (related, loss, start) =>
      `The pairs are not apart yet: related ones have a mean cosine of ${two(related)}, and the loss went from ${two(start)} to ${two(loss)}.`,
    apart: (related, pair, control, loss, start) =>
      `Related pairs are at *${two(related)}* on average, the highest control (${pair}) at *${two(control)}*: the table tells words apart. The loss went from ${two(start)} to ${two(loss)}.`,
    controlRose: (related, pair, control) =>
      `Related pairs are at ${two(related)} on average, but the control ${pair} is at *${two(control)}* too: there is little between them. “It has learnt the meaning” does not follow.`,
    noControl: (related, loss, start) =>
      `The cosine is ${two(related)}, the loss went from ${two(start)} to ${two(loss)}. So few pieces leave no pair for a control; a rising cosine alone shows nothing.`,
    collapsed: (least, loss, start, fell) =>
      `${fell ? `The loss went from ${two(start)} to ${two(loss)}: it “improved”. But` : `The loss is ${two(loss)}, and`} *even the lowest* of the watched cosines is *${two(least)}*. All rows point the same way; the table tells no word from another. Whoever looks at kedi ~ köpek alone would call it a success. What gives the collapse away is the controls.`,
    collapsedWhy:
      "Plain SGD has every row take steps of the same scale. Frequent rows sum hundreds of gradients in each step, grow, and drag the others along. Adagrad divides each row’s step by what that row has gathered: frequent rows take small steps, rare ones large.",
    tooLarge: (loss, peak, at, start) =>
      `The step is too large: the loss began at ${two(start)} and was *${short("en", peak)}* at step ${n(at)}${loss === peak ? "" : `; it is ${short("en", loss)} now`}. Each step leaps over the bottom of the valley, and lands higher up the other side.`,
    broken: (step, loss) =>
      `The numbers are gone: at step ${n(step)} the loss, or a watched row, was no number any more (loss ${loss}). The values multiplied from step to step until they passed the limit of f32, 3.4 · 10³⁸; and Inf − Inf is \`NaN\`. This table will not recover; it has to begin anew.`,
  },

  loss: "Loss",
  lossSay: "of a pair",
  lossStart: (start) => `start ${two(start)}`,
  lossLabel: (now, start) => `Loss ${now}; the line of the start is at ${start}`,
  logScale: "logarithmic scale",
  xPairs: "pairs seen",

  touched: "Rows that a step touches",
  touchedSay: (rows, vocabulary, positions) =>
    `The step’s ${n(positions)} targets fell on *${n(rows)}* of ${n(vocabulary)} rows; gradient and step are written to these alone.`,
  touchedTop: (piece, hits, once) =>
    `Most often “${piece}”: ${times(hits, "time", "times")}. Just once: ${times(once, "row", "rows")}. The curve of section 3 is here too: Zipf.`,
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
