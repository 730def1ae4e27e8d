// Skip-gram by the package's public calls, as section 8 of the page trains: how long a step takes, when related words have
// come together, and whether a second run gives the same bits.

import { gpuTables } from "../../www/train/gpu";
import { readPairs } from "../../www/train/pairs";
import { Run } from "../../www/train/run";
import { fromPairs, type Source } from "../../www/train/source";
import { WIDTH } from "../../www/train/tables";
import type { Bench } from "../bench";
import { sleep } from "../devices";
import { seen } from "../meter";
import type { Figure } from "../report";
import { VOCABULARY } from "../workload";

/** Pairs of words in a step: section 8 takes the first on software adapters, the second on a graphics card. */
const BATCHES = [4_096, 16_384];
/** Pairs of words in a run, and steps between two readings. */
const GOAL = 2 ** 21;
const EVERY = 8;
const RATE = 0.3;
const RELATED = 0.5;
const CONTROL = 0.3;

export default async function train(bench: Bench): Promise<void> {
  const { adapter } = (await bench.stand()).embedding;
  const address = bench.beside("data/turkish-pairs.bin");
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const source = fromPairs(readPairs(new Uint8Array(await response.arrayBuffer())));
  const tokenizer = await bench.pkg.Tokenizer.turkish();
  const index = (word: string) => source.ids.indexOf(tokenizer.encode(word).ids[0] ?? -1);
  const watched = [
    { left: index("kedi"), right: index("köpek"), control: false },
    { left: index("kedi"), right: index("ankara"), control: true },
    { left: index("kedi"), right: index("tren"), control: true },
  ];
  tokenizer.free();
  for (const pairs of BATCHES) {
    if (pairs > 4_096 && adapter?.software) continue;
    await bench.guard("train", "gomme", `${pairs} pairs a step`, () => trainTwice(bench, source, watched, pairs), 180);
  }
}

async function trainTwice(bench: Bench, source: Source, watched: Run["watched"], pairs: number): Promise<void> {
  const { prints: first, figures } = await seen(() => trainOnce(bench, source, watched, pairs));
  for (const figure of figures) bench.recorder.figure(figure);
  const { prints: second } = await trainOnce(bench, source, watched, pairs);
  const equal = first.filter((one, i) => one === second[i]).length;
  bench.recorder.check({
    by: "gomme",
    what: "training again with the same seed",
    n: pairs,
    d: WIDTH,
    ok: equal === first.length,
    text: `${equal} of ${first.length} readings have the same bits`,
  });
}

/** The check sums of the run's readings, and its figures. */
async function trainOnce(
  { pkg }: Bench,
  source: Source,
  watched: Run["watched"],
  pairs: number,
): Promise<{ prints: number[]; figures: Figure[] }> {
  const tables = await gpuTables(pkg, VOCABULARY, pairs, 1);
  const figures: Figure[] = [];
  const figure = (what: string, value: number, unit: "µs" | "ms" | "1", more: Partial<Figure> = {}) => {
    figures.push({ part: "train", by: "gomme", what, n: pairs, d: WIDTH, value, unit, ...more });
  };
  try {
    const run = new Run(source, tables, watched, 1);
    await run.begin();
    const prints: number[] = [];
    const steps = GOAL / pairs;
    const start = performance.now();
    let together: number | undefined;
    while (run.step < steps) {
      const point = await run.advance(EVERY, () => ({ rule: "adagrad", lr: RATE }));
      prints.push(point.print);
      const [related = 0, control = 1] = point.cosines;
      if (related > RELATED && control < CONTROL) together ??= performance.now() - start;
      // The page draws between two readings.
      await sleep(0);
    }
    const spent = performance.now() - start;
    const last = run.points.at(-1);
    figure("a step, pairs drawn and every 8th read", (1_000 * spent) / steps, "µs", { clock: "wall", repeats: steps });
    if (together !== undefined) {
      figure(`kedi ~ köpek above ${RELATED}, kedi ~ ankara below ${CONTROL}`, together, "ms", { clock: "wall" });
    }
    figure("whole run of 2,097,152 pairs", spent, "ms", { clock: "wall" });
    for (const [i, name] of ["kedi ~ köpek", "kedi ~ ankara", "kedi ~ tren"].entries()) {
      figure(`cosine ${name} at its end`, last?.cosines[i] ?? Number.NaN, "1");
    }
    figure("loss at its end", last?.loss ?? Number.NaN, "1");
    return { prints, figures };
  } finally {
    tables.free();
  }
}
