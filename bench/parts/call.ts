// From call to array, by the wall clock, upload and download contained: on the GPU and by the CPU twin.

import type { Embedding } from "../../src/api";
import { type Bench, shapeOf } from "../bench";
import { sleep } from "../devices";
import { seen } from "../meter";
import type { TableOperation } from "../report";
import { median, range } from "../statistics";
import { noise, VOCABULARY, WIDTH } from "../workload";

/** Least length of a sample: long against the clock's steps. */
const SAMPLE_MILLISECONDS = 20;
const OVERLAPPING = 8;
const REST_MILLISECONDS = 200;

export default async function call(bench: Bench): Promise<void> {
  const { embedding, table } = await bench.stand();
  const twin = await bench.guard("call", "gomme, CPU twin", "create", () =>
    bench.pkg.Embedding.create({ vocabSize: VOCABULARY, dModel: WIDTH, table, backend: "cpu" }),
  );
  const both: [string, Embedding][] = [["gomme", embedding]];
  if (twin) both.push(["gomme, CPU twin", twin]);
  for (const n of bench.lengths([512, 8_192])) {
    const tokens = bench.tokens(shapeOf(n));
    const gradOut = noise(n * WIDTH, 11);
    for (const [by, target] of both) {
      const calls: readonly Call[] = [
        { by, what: "embed()", operation: "lookup", n, run: () => target.embed(tokens) },
        { by, what: "embedGrad()", operation: "gradient", n, run: () => target.embedGrad(tokens, gradOut) },
      ];
      for (const one of calls) await bench.guard("call", by, `${one.what} N=${n}`, () => timeCall(bench, one), 60);
    }
  }
  twin?.free();
}

interface Call {
  readonly by: string;
  readonly what: string;
  readonly operation: TableOperation;
  readonly n: number;
  readonly run: () => Promise<unknown>;
}

async function timeCall({ recorder, settings }: Bench, { run, ...call }: Call): Promise<void> {
  const record = (how: string, samples: number[], repeats: number): void => {
    const spread = range(samples);
    recorder.figure({
      ...call,
      part: "call",
      what: `${call.what}, ${how}`,
      d: WIDTH,
      unit: "µs",
      clock: "wall",
      value: median(samples),
      samples: samples.length,
      repeats,
      ...(spread ? { range: spread } : {}),
    });
  };
  /** Microseconds of one call in each sample. */
  const sample = async (samples: number, repeats: number, step: () => Promise<unknown>): Promise<number[]> => {
    const times: number[] = [];
    for (let i = 0; i < samples; i++) {
      const time = async (): Promise<number> => {
        const start = performance.now();
        await step();
        return ((performance.now() - start) * 1_000) / repeats;
      };
      times.push(await seen(time));
    }
    return times;
  };
  const sequence = (repeats: number) => async () => {
    for (let i = 0; i < repeats; i++) await run();
  };
  for (const until = performance.now() + settings.warmMilliseconds; performance.now() < until; ) await run();
  let repeats = 1;
  while (repeats < 256) {
    const [time = 0] = await sample(1, 1, sequence(repeats));
    if (time >= SAMPLE_MILLISECONDS * 1_000) break;
    repeats *= 2;
  }
  record("one after the other", await sample(settings.samples, repeats, sequence(repeats)), repeats);
  // What waiting costs when something else is under way.
  const overlapping = () => Promise.all(Array.from({ length: OVERLAPPING }, run));
  record("eight at once", await sample(settings.samples, OVERLAPPING, overlapping), OVERLAPPING);
  // As after a reader's click: here a browser that looks seldom shows.
  const idle: number[] = [];
  for (let i = 0; i < Math.min(settings.samples, 10); i++) {
    await sleep(REST_MILLISECONDS);
    idle.push(...(await sample(1, 1, run)));
  }
  record("after 0.2 s of rest", idle, 1);
}
