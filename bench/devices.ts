// What is seen by wrapping WebGPU's own methods: the devices that libraries make and hide, the dispatches that a call records,
// the bytes of the buffers that it binds and keeps alive.

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

let channel: MessageChannel | undefined;
const turns: (() => void)[] = [];

/** One turn of the event loop, without the 4 ms that nested timeouts are held for. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    if (!channel) {
      channel = new MessageChannel();
      channel.port1.onmessage = () => turns.shift()?.();
    }
    turns.push(resolve);
    channel.port2.postMessage(undefined);
  });

/**
 * Waits for `waited`. Firefox looks at an idle wait only every 100 ms, and at once when something is submitted (nothing
 * else makes it look): so submit nothing, after each `pause`.
 */
export async function poke<T>(
  device: GPUDevice,
  waited: Promise<T>,
  pause: () => Promise<void> = () => sleep(1),
): Promise<T> {
  let done = false;
  const settled = waited.finally(() => {
    done = true;
  });
  while (!done) {
    await Promise.race([settled, pause()]);
    if (!done) device.queue.submit([]);
  }
  return settled;
}

/** Waits until the queue is empty. */
export const drain = (device: GPUDevice): Promise<undefined> => poke(device, device.queue.onSubmittedWorkDone());

/** One compute pass as it was recorded: the entry points dispatched, in order. */
export interface Pass {
  /** It is timed: it writes timestamps, or its label says that it is a sample. */
  readonly timed: boolean;
  /** Entry points in order; only the first `KEPT` of them, since a sample repeats its kernel thousands of times. */
  readonly kernels: string[];
  count: number;
}

const KEPT = 64;

/** Runs `step` and keeps what it dispatches. Calls must not overlap. */
export async function recordPasses<T>(step: () => Promise<T>): Promise<{ result: T; passes: Pass[] }> {
  const encoder = GPUCommandEncoder.prototype;
  const pass = GPUComputePassEncoder.prototype;
  const { beginComputePass } = encoder;
  const { setPipeline, dispatchWorkgroups, dispatchWorkgroupsIndirect } = pass;
  const passes: Pass[] = [];
  const open = new WeakMap<GPUComputePassEncoder, { pass: Pass; kernel: string }>();
  const note = (of: GPUComputePassEncoder): void => {
    const known = open.get(of);
    if (!known) return;
    known.pass.count++;
    if (known.pass.kernels.length < KEPT) known.pass.kernels.push(known.kernel);
  };
  encoder.beginComputePass = function (this: GPUCommandEncoder, descriptor?: GPUComputePassDescriptor) {
    const made = beginComputePass.call(this, descriptor);
    const timed = descriptor?.timestampWrites !== undefined || /sample/.test(descriptor?.label ?? "");
    const begun: Pass = { timed, kernels: [], count: 0 };
    passes.push(begun);
    open.set(made, { pass: begun, kernel: "" });
    return made;
  };
  pass.setPipeline = function (this: GPUComputePassEncoder, pipeline: GPUComputePipeline) {
    const known = open.get(this);
    if (known) known.kernel = pipeline.label;
    return setPipeline.call(this, pipeline);
  };
  pass.dispatchWorkgroups = function (this: GPUComputePassEncoder, ...args: [number, number?, number?]) {
    note(this);
    return dispatchWorkgroups.apply(this, args);
  };
  pass.dispatchWorkgroupsIndirect = function (this: GPUComputePassEncoder, ...args: [GPUBuffer, number]) {
    note(this);
    return dispatchWorkgroupsIndirect.apply(this, args);
  };
  try {
    return { result: await step(), passes };
  } finally {
    Object.assign(encoder, { beginComputePass });
    Object.assign(pass, { setPipeline, dispatchWorkgroups, dispatchWorkgroupsIndirect });
  }
}

/** What one run of a timed kernel dispatched: the shortest of the timed passes, which every other one repeats. */
export function oneRun(passes: readonly Pass[]): string[] | undefined {
  const timed = passes.filter(({ timed, count }) => timed && count > 0);
  const shortest = timed.reduce<Pass | undefined>(
    (best, one) => (best && best.count <= one.count ? best : one),
    undefined,
  );
  if (!shortest || shortest.count > KEPT) return undefined;
  return timed.every(({ count }) => count % shortest.count === 0) ? shortest.kernels : undefined;
}

/** Whether `part` stands in `whole` as it is, without a gap. */
export function contains(whole: readonly string[], part: readonly string[]): boolean {
  return whole.some((_, at) => part.every((kernel, i) => whole[at + i] === kernel));
}

/** Runs `step` and sums what its kernels are given: for each buffer that is bound, the bytes up to the end of what is bound of it. */
export async function boundBytes<T>(step: () => Promise<T>): Promise<{ result: T; bytes: number }> {
  const { createBindGroup } = GPUDevice.prototype;
  const ends = new Map<GPUBuffer, number>();
  GPUDevice.prototype.createBindGroup = function (this: GPUDevice, descriptor: GPUBindGroupDescriptor) {
    for (const { resource } of descriptor.entries) {
      if (!("buffer" in resource)) continue;
      const { buffer, offset = 0, size = buffer.size - offset } = resource;
      ends.set(buffer, Math.max(ends.get(buffer) ?? 0, offset + size));
    }
    return createBindGroup.call(this, descriptor);
  };
  try {
    const result = await step();
    if (ends.size === 0) throw new Error("no buffer was bound: the call did not run on the GPU");
    return { result, bytes: [...ends.values()].reduce((sum, end) => sum + end, 0) };
  } finally {
    GPUDevice.prototype.createBindGroup = createBindGroup;
  }
}

export interface Alive<T> {
  readonly result: T;
  /** Most bytes of buffers that were alive at one time, beyond those that were before. */
  readonly peak: number;
  /** What is left of them at the end. */
  readonly left: number;
}

/** Runs `step` and watches the buffers it makes and destroys. Calls must not overlap. */
export async function aliveBytes<T>(step: () => Promise<T>): Promise<Alive<T>> {
  const { createBuffer } = GPUDevice.prototype;
  const { destroy } = GPUBuffer.prototype;
  const sizes = new WeakMap<GPUBuffer, number>();
  let alive = 0;
  let peak = 0;
  GPUDevice.prototype.createBuffer = function (this: GPUDevice, descriptor: GPUBufferDescriptor) {
    const made = createBuffer.call(this, descriptor);
    // What the CPU maps is not what kernels work in.
    const mapped = (descriptor.usage & (GPUBufferUsage.MAP_READ | GPUBufferUsage.MAP_WRITE)) !== 0;
    if (!mapped) {
      sizes.set(made, descriptor.size);
      alive += descriptor.size;
      peak = Math.max(peak, alive);
    }
    return made;
  };
  GPUBuffer.prototype.destroy = function (this: GPUBuffer) {
    alive -= sizes.get(this) ?? 0;
    sizes.delete(this);
    return destroy.call(this);
  };
  try {
    return { result: await step(), peak, left: alive };
  } finally {
    GPUDevice.prototype.createBuffer = createBuffer;
    GPUBuffer.prototype.destroy = destroy;
  }
}
