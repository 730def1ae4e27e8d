// Other libraries' lookup and gradient at the same shapes, by one method for all and by the wall clock; ours too.

import { type Bench, shapeOf } from "../bench";
import { sleep } from "../devices";
import { measure, type Operation } from "../meter";
import { checkLookup } from "../oracle";
import type { Rival, Session } from "../rivals/rival";
import { range } from "../statistics";
import { noise, VOCABULARY, WIDTH } from "../workload";

type What = "lookup" | "gradient";

export default async function rivals(bench: Bench): Promise<void> {
  const lengths = bench.lengths([512, 8_192, 65_536, 262_144]);
  await ours(bench, lengths);
  for (const name of bench.settings.rivals.filter((name) => name !== "hf")) {
    const opened = await bench.guard("rivals", name, "open", () => openRival(bench, name), 60);
    if (!opened) continue;
    const { rival, session } = opened;
    let lost = "";
    void session.device.lost.then(({ message }) => {
      lost = message;
    });
    for (const what of ["lookup", "gradient"] as const) {
      if (!(await checkRival(bench, opened, what))) continue;
      for (const n of lengths) {
        if (lost) throw new Error(`${rival.name}: device lost: ${lost}`);
        const seconds = await timeRival(bench, opened, what, n);
        // A length that took the whole budget for three calls: four or eight times that is no use to anybody.
        if (seconds === undefined || seconds > bench.settings.rivalSeconds * 4) break;
      }
    }
    session.close();
  }
}

/** A library with its session open on our table. */
export interface Opened {
  readonly rival: Rival;
  readonly session: Session;
}

export async function openRival(bench: Bench, name: string): Promise<Opened> {
  const { table } = await bench.stand();
  const rival = await bench.load<Rival>(name);
  return { rival, session: await rival.open({ vocabulary: VOCABULARY, width: WIDTH }, table) };
}

async function ours(bench: Bench, lengths: readonly number[]): Promise<void> {
  const samples = Math.min(bench.settings.samples, 7);
  for (const n of lengths) {
    const shape = shapeOf(n);
    const tokens = bench.tokens(shape);
    for (const kernel of ["fast", "sorted"] as const) {
      await bench.time("rivals", kernel, shape, tokens, { samples, minMilliseconds: 250, clock: "wall" });
    }
  }
}

async function checkRival(bench: Bench, { rival, session }: Opened, what: What): Promise<boolean> {
  const shape = shapeOf(Math.min(4_096, bench.settings.longest));
  const { n, d } = shape;
  const tokens = bench.tokens(shape);
  const step = async (): Promise<boolean> => {
    const { gradOut, oracle } = bench.gradient(shape, tokens);
    const { table } = await bench.stand();
    const operation = await uncaptured(session.device, () => prepare(session, what, tokens, gradOut));
    try {
      const result = await uncaptured(session.device, () => operation.read());
      const { ok, text } = what === "lookup" ? checkLookup(result, table, tokens, d) : oracle.checkDense(result);
      return bench.recorder.check({ by: rival.name, what: rival[what], n, d, ok, text });
    } finally {
      operation.free();
    }
  };
  return (await bench.guard("rivals", rival.name, rival[what], step, 90)) ?? false;
}

/** Times one function at one length, over `calls` calls at least; gives the seconds that this took. */
export async function timeRival(
  bench: Bench,
  { rival, session }: Opened,
  what: What,
  n: number,
  part: "rivals" | "resident" = "rivals",
  calls = 1,
): Promise<number | undefined> {
  const { recorder, settings } = bench;
  const tokens = bench.tokens(shapeOf(n));
  const start = performance.now();
  const step = async (): Promise<true> => {
    // Results may wait in memory together: 4 GiB of them on a GPU, less where its memory is the computer's.
    const most = recorder.report.adapter?.software ? 2 ** 29 : 2 ** 32;
    const outputBytes = (what === "lookup" ? n : VOCABULARY) * WIDTH * 4;
    // An uncaptured error invalidates the measurement: work that the browser refused takes no time at all.
    const measured = await uncaptured(session.device, async () => {
      const operation = await prepare(session, what, tokens, noise(what === "lookup" ? 0 : n * WIDTH, 11));
      try {
        return await measure(session.device, operation, {
          samples: Math.min(settings.samples, 7),
          minMilliseconds: settings.minMilliseconds < 10 ? 50 : 250,
          warmMilliseconds: Math.min(500, settings.warmMilliseconds * 10),
          budgetMilliseconds: settings.rivalSeconds * 1_000,
          minRepeats: calls,
          maxRepeats: Math.max(calls, Math.min(2_000, Math.floor(most / outputBytes))),
        });
      } finally {
        operation.free();
      }
    });
    const { wallMicroseconds, gpuMicroseconds, samples, repeats } = measured;
    const base = { part, by: rival.name, what: rival[what], operation: what, n, d: WIDTH, tokens: "zipf" } as const;
    const shared = { ...base, unit: "µs", repeats, samples: samples.length } as const;
    const seen = range(samples);
    recorder.figure({ ...shared, value: wallMicroseconds, clock: "wall", ...(seen ? { range: seen } : {}) });
    if (gpuMicroseconds !== undefined) recorder.figure({ ...shared, value: gpuMicroseconds, clock: "gpu markers" });
    return true;
  };
  const limit = Math.max(60, settings.rivalSeconds * 4);
  const done = await bench.guard(part, rival.name, `${rival[what]} N=${n}`, step, limit);
  return done ? (performance.now() - start) / 1_000 : undefined;
}

const prepare = (session: Session, what: What, tokens: Uint32Array, gradOut: Float32Array): Promise<Operation> =>
  what === "lookup" ? session.lookup(tokens) : session.gradient(tokens, gradOut);

/** Runs `step`; a WebGPU error that the library does not look at itself is thrown here. */
async function uncaptured<T>(device: GPUDevice, step: () => Promise<T>): Promise<T> {
  const errors: string[] = [];
  const listen = (event: GPUUncapturedErrorEvent): void => {
    errors.push(event.error.message);
  };
  device.addEventListener("uncapturederror", listen);
  try {
    const result = await step();
    // The event comes as a task of its own.
    await sleep(20);
    if (errors.length > 0) throw new Error(errors[0]);
    return result;
  } catch (error) {
    throw errors.length > 0 ? new Error(errors[0]) : error;
  } finally {
    device.removeEventListener("uncapturederror", listen);
  }
}
