// Runs the page's own measurements once, in their order, on the device that this browser gives.
import { CELL_KS, COLUMN_KS, type GradientCall, measureCell, measureColumns } from "../measure/contention";
import { KERNELS, NO_RUNS, Race, type Results } from "../measure/race";
import { lengthsFor, measureSkew, measureSpeed, SPEED_KERNELS, type TimeCall } from "../measure/speed";
import { loadOf } from "../models/race";
import { Embedding, Lab, Tokenizer } from "../pkg/gomme.js";
import { D, DEFAULT_TEXT } from "../state";
import type { RecordedRace, Recording } from "./recording";

const SEED = 1;
const RACE_RUNS = 10;
/** The race's own limit of positions, and how often the text is repeated. */
const RACE_LIMIT = 4096;
const RACE_TIMES = [16, 128, 512];

type Parts = Pick<Recording, "cell" | "columns" | "race" | "speed" | "skew">;

export interface Progress {
  /** Seconds have run out: no measurement begins. */
  stopped(): boolean;
  say(what: string): void;
  failed(what: string): void;
}

/** All parts; one that fails is told and left empty. */
export async function record(progress: Progress): Promise<Parts & { adapter: Lab["adapter"] }> {
  const embedding = await Embedding.create({ vocabSize: 16_384, dModel: D, seed: SEED });
  const lab = Lab.of(embedding);
  const call: GradientCall = (tokens, upstream, kernel) => lab.gradient(tokens, upstream, kernel);
  const attempt = async <T>(what: string, otherwise: T, run: () => Promise<T>): Promise<T> => {
    if (progress.stopped()) {
      progress.failed(`${what}: no time left`);
      return otherwise;
    }
    try {
      return await run();
    } catch (error) {
      progress.failed(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return otherwise;
    }
  };
  const control = (what: string) => ({
    stopped: progress.stopped,
    tell: (done: number, total: number, more: string | number = "") => progress.say(`${what} ${done}/${total} ${more}`),
  });
  const cell = await attempt("cell", [], async () => {
    const narrow = await Lab.create({ vocabSize: 100, dModel: 1 });
    return measureCell((...given) => narrow.gradient(...given), CELL_KS, control("cell"));
  });
  const columns = await attempt("columns", [], () =>
    measureColumns(call, { ks: COLUMN_KS, id: 5, width: D, seed: SEED }, control("columns")),
  );
  const loads = await attempt("race", [], () => races(call, progress));
  const time = timeCall(lab);
  const software = lab.adapter?.software;
  const lengths = lengthsFor(lab.backend, software);
  const options = { lengths, kernels: SPEED_KERNELS, vocabulary: 16_384, skew: 1, seed: SEED };
  const sweep = await attempt("speed", undefined, () => measureSpeed(time, options, control("speed"), () => {}));
  const skew = await attempt("skew", [], () => skews(time, software === false ? [8192, 65_536] : [2048], progress));
  return {
    adapter: lab.adapter,
    cell,
    columns,
    race: { text: DEFAULT_TEXT, loads },
    speed: {
      skew: options.skew,
      times: [...(sweep?.times ?? [])].flatMap(([kernel, of]) =>
        [...of].map(([n, measure]) => ({ kernel, n, ...measure })),
      ),
    },
    skew,
  };
}

/** As the page times a kernel; an idle graphics card runs at a fraction of its clock, so it is first kept busy. */
function timeCall(lab: Lab): TimeCall {
  const warmMilliseconds = lab.adapter?.software === false ? 100 : 0;
  return (kernel, tokens, { clock, samples }) =>
    lab.time(kernel, tokens, { minMilliseconds: 10, samples, warmMilliseconds, clock });
}

async function races(call: GradientCall, progress: Progress): Promise<RecordedRace[]> {
  const { ids } = (await Tokenizer.turkish()).encode(DEFAULT_TEXT);
  const done: RecordedRace[] = [];
  for (const wished of RACE_TIMES) {
    const load = loadOf(ids, 16_384, wished, RACE_LIMIT);
    const race = new Race(load, SEED, D);
    let results: Results = NO_RUNS;
    for (let run = 0; run < RACE_RUNS && !progress.stopped(); run++) {
      progress.say(`race × ${load.times} ${run}/${RACE_RUNS}`);
      const next = await race.run(call, progress.stopped);
      if (!next) break;
      results = Object.fromEntries(KERNELS.map((one) => [one, [...results[one], next[one]]])) as unknown as Results;
    }
    done.push({ times: load.times, positions: load.tokens.length, hits: load.busiest.hits, results });
  }
  return done;
}

async function skews(time: TimeCall, ns: readonly number[], progress: Progress): Promise<Recording["skew"]> {
  const sweeps: Recording["skew"][number][] = [];
  for (const n of ns) {
    const { stopped } = progress;
    const tell = (done: number, total: number) => progress.say(`skew N = ${n} ${done}/${total}`);
    const sweep = await measureSkew(time, { n, vocabulary: 16_384, seed: SEED }, { stopped, tell }, () => {});
    if (sweep) sweeps.push({ n, points: sweep.points });
  }
  return sweeps;
}
