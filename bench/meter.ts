// One way to time any library: issue many calls, force every result, wait once, divide. Two clocks read the same
// interval: the wall's, and the GPU's own through two timestamps around it.

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
  /** Most calls in one sample: results may pile up in memory until they are waited for. */
  readonly maxRepeats: number;
}

export interface Measured {
  /** Median microseconds of one call by the wall clock. */
  readonly wallMicroseconds: number;
  /** The same by timestamps before and after the calls; undefined without timestamp queries. */
  readonly gpuMicroseconds: number | undefined;
  readonly samples: number[];
  readonly repeats: number;
}

const devices: GPUDevice[] = [];
let installed = false;

/**
 * Libraries hide their device and give up when the first `requestAdapter` answers null, as Chromium's does on some
 * computers. From here on a null is asked for again, every new device can write timestamps where the adapter can, and
 * `newestDevice` tells which one a library made.
 */
export function watchDevices(): void {
  if (installed || !("gpu" in navigator)) return;
  installed = true;
  const requestAdapter = GPU.prototype.requestAdapter;
  GPU.prototype.requestAdapter = async function (this: GPU, options?: GPURequestAdapterOptions) {
    for (let attempt = 0; attempt < 3; attempt++) {
      const adapter = await requestAdapter.call(this, options);
      if (adapter) return adapter;
      await sleep(100);
    }
    return null;
  };
  const requestDevice = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, descriptor?: GPUDeviceDescriptor) {
    const features = new Set<GPUFeatureName>([...(descriptor?.requiredFeatures ?? [])].flat() as GPUFeatureName[]);
    if (this.features.has("timestamp-query")) features.add("timestamp-query");
    const device = await requestDevice.call(this, { ...descriptor, requiredFeatures: [...features] });
    devices.push(device);
    return device;
  };
}

/** The device made last; throws where none was. */
export function newestDevice(): GPUDevice {
  const device = devices.at(-1);
  if (!device) throw new Error("no WebGPU device was made");
  return device;
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Waits for `waited`. Firefox looks at an idle wait only every 100 ms, and at once when something is submitted (nothing
 * else makes it look): so submit nothing, often.
 */
export async function poke<T>(device: GPUDevice, waited: Promise<T>): Promise<T> {
  let done = false;
  const settled = waited.finally(() => {
    done = true;
  });
  while (!done) {
    await Promise.race([settled, sleep(1)]);
    if (!done) device.queue.submit([]);
  }
  return settled;
}

/** Waits until the queue is empty. */
const drain = (device: GPUDevice): Promise<undefined> => poke(device, device.queue.onSubmittedWorkDone());

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

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

  async microseconds(): Promise<number> {
    await this.#staging.mapAsync(GPUMapMode.READ);
    const [begin, end] = new BigUint64Array(this.#staging.getMappedRange());
    this.#staging.unmap();
    return Number((end as bigint) - (begin as bigint)) / 1_000;
  }

  free(): void {
    this.#queries.destroy();
    this.#resolved.destroy();
    this.#staging.destroy();
  }
}

/** Times `operation` on the device that its library made. */
export async function measure(device: GPUDevice, operation: Operation, options: MeterOptions): Promise<Measured> {
  const markers = device.features.has("timestamp-query") ? new Markers(device) : undefined;
  try {
    const sample = async (count: number): Promise<{ wall: number; gpu: number | undefined }> => {
      const start = performance.now();
      markers?.write(0);
      await operation.run(count);
      markers?.write(1);
      await drain(device);
      const wall = (performance.now() - start) * 1_000;
      return { wall, gpu: await markers?.microseconds() };
    };
    const begin = performance.now();
    // The first call compiles; the next ones find how many calls fill a sample, and warm up.
    await sample(1);
    let repeats = 1;
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
      if (gpu !== undefined && gpu > 0) gpus.push(gpu / repeats);
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
