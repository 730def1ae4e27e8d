// One way to time any library: issue many calls, force every result, wait once, divide. Two clocks read the same
// interval: the wall's, and the GPU's own through two timestamps around it.

import { whileVisible } from "../www/measure/visible";
import { drain } from "./devices";
import { median } from "./statistics";

/** A library's operation with its inputs on the GPU already. */
export interface Operation {
  /** Does the operation `count` times, every result computed and then dropped; resolves when all is submitted. */
  run(count: number): Promise<void>;
  /** The result of one run, on the CPU, for the oracle. */
  read(): Promise<Float32Array>;
  free(): void;
}

export interface MeterOptions {
  /** Samples wanted; fewer, but at least 3, where `budgetMilliseconds` does not suffice. */
  readonly samples: number;
  /** Least length of a sample: long against the wait's granularity. */
  readonly minMilliseconds: number;
  /** Work before the first sample, to bring the clocks up. */
  readonly warmMilliseconds: number;
  readonly budgetMilliseconds: number;
  /** Fewest and most calls in one sample: results may pile up in memory until they are waited for. */
  readonly minRepeats?: number;
  readonly maxRepeats: number;
}

export interface Measured {
  /** Median microseconds of one call by the wall clock. */
  readonly wallMicroseconds: number;
  /** The same by timestamps before and after the calls; undefined without timestamps that can be believed. */
  readonly gpuMicroseconds: number | undefined;
  readonly samples: number[];
  readonly repeats: number;
}

/**
 * The microseconds between two timestamps in nanoseconds, or undefined where they can't be: zero, out of order, or further
 * apart than the wall clock's interval around them. A driver may give any of these after a reset or a change of clock.
 */
export function stampedMicroseconds(begin: bigint, end: bigint, wallMicroseconds: number): number | undefined {
  const microseconds = Number(end - begin) / 1_000;
  const believable = begin > 0n && microseconds > 0 && microseconds <= wallMicroseconds * 1.05 + 100;
  return believable ? microseconds : undefined;
}

/** Two timestamps that pass through the queue like any other work, before and after what is between them. */
class Markers {
  readonly #queries: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #staging: GPUBuffer;

  constructor(readonly device: GPUDevice) {
    this.#queries = device.createQuerySet({ label: "bench markers", type: "timestamp", count: 2 });
    const { QUERY_RESOLVE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
    this.#resolved = device.createBuffer({ label: "bench markers", size: 16, usage: QUERY_RESOLVE | COPY_SRC });
    this.#staging = device.createBuffer({ label: "bench markers", size: 16, usage: COPY_DST | MAP_READ });
  }

  write(index: 0 | 1): void {
    const encoder = this.device.createCommandEncoder();
    // The end of a pass is stamped when all earlier work has ended; its beginning may be stamped before.
    encoder.beginComputePass({ timestampWrites: { querySet: this.#queries, endOfPassWriteIndex: index } }).end();
    if (index === 1) {
      encoder.resolveQuerySet(this.#queries, 0, 2, this.#resolved, 0);
      encoder.copyBufferToBuffer(this.#resolved, 0, this.#staging, 0, 16);
    }
    this.device.queue.submit([encoder.finish()]);
  }

  async microseconds(wallMicroseconds: number): Promise<number | undefined> {
    await this.#staging.mapAsync(GPUMapMode.READ);
    const [begin = 0n, end = 0n] = new BigUint64Array(this.#staging.getMappedRange().slice(0));
    this.#staging.unmap();
    return stampedMicroseconds(begin, end, wallMicroseconds);
  }

  free(): void {
    this.#queries.destroy();
    this.#resolved.destroy();
    this.#staging.destroy();
  }
}

/**
 * A measurement by the wall clock: it begins when the page can be seen, and is made again where it was hidden meanwhile. Throws
 * where that does not help.
 */
export async function seen<T>(measured: () => Promise<T>): Promise<T> {
  const found = await whileVisible(async () => ({ value: await measured() }));
  if (!found) throw new Error("the page was hidden meanwhile, and when it was tried again");
  return found.value;
}

/** Times `operation` on the device that its library made. */
export async function measure(
  device: GPUDevice,
  operation: Pick<Operation, "run">,
  options: MeterOptions,
): Promise<Measured> {
  const markers = device.features.has("timestamp-query") ? new Markers(device) : undefined;
  try {
    const sample = (count: number): Promise<{ wall: number; gpu: number | undefined }> =>
      seen(async () => {
        const start = performance.now();
        markers?.write(0);
        await operation.run(count);
        markers?.write(1);
        await drain(device);
        const wall = (performance.now() - start) * 1_000;
        return { wall, gpu: await markers?.microseconds(wall) };
      });
    const begin = performance.now();
    // The first call compiles; the next ones find how many calls fill a sample, and warm up.
    await sample(1);
    let repeats = Math.min(options.maxRepeats, options.minRepeats ?? 1);
    const warmUntil = performance.now() + options.warmMilliseconds;
    for (;;) {
      const { wall } = await sample(repeats);
      const milliseconds = wall / 1_000;
      const longEnough = milliseconds >= options.minMilliseconds || repeats === options.maxRepeats;
      if (longEnough && performance.now() >= warmUntil) break;
      if (performance.now() - begin > options.budgetMilliseconds / 2) break;
      if (!longEnough) {
        const wanted = Math.ceil((repeats * options.minMilliseconds * 1.2) / Math.max(milliseconds, 0.1));
        repeats = Math.min(options.maxRepeats, Math.max(repeats + 1, Math.min(wanted, repeats * 8)));
      }
    }
    const walls: number[] = [];
    const gpus: number[] = [];
    while (walls.length < options.samples) {
      if (walls.length >= 3 && performance.now() - begin > options.budgetMilliseconds) break;
      const { wall, gpu } = await sample(repeats);
      walls.push(wall / repeats);
      if (gpu !== undefined) gpus.push(gpu / repeats);
    }
    return {
      wallMicroseconds: median(walls),
      gpuMicroseconds: gpus.length > 0 ? median(gpus) : undefined,
      samples: walls,
      repeats,
    };
  } finally {
    markers?.free();
  }
}
