// The workshop's own GPUDevice: readers' kernels run here, so that a device they lose is not the page's. It is made from
// TypeScript, not through wgpu, which ends the whole module on an internal error of the browser.
import { type Bounded, bound } from "./bound";
import { toMessages } from "./messages";
import type { Message, Trouble } from "./types";

/** Milliseconds that a kernel is waited for. */
export const PATIENCE = 5_000;
/** Numbers behind the end of each buffer that belong to nobody. */
export const MARGIN = 1_024;
/** The bits of −777: what stands where nothing should be written. */
export const SENTINEL = 0xc4424000;

/** The numbers behind the names of WebGPU, which the types of the DOM leave out. */
const COMPUTE = 4;
const USAGE = { MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, UNIFORM: 64, STORAGE: 128 } as const;
const READ = 1;

const GROUP_0 = ["read-only-storage", "read-only-storage", "storage", "uniform"] as const;
const GROUP_1 = ["storage", "uniform"] as const;

/** One dispatch: three buffers with their margins, sizes, and the grid. */
export interface Work {
  readonly tokens: Uint32Array;
  readonly values: Uint32Array;
  /** What is in the output before. */
  readonly start: Uint32Array;
  /** N, D, V, spare. */
  readonly dims: readonly number[];
  /** Workgroups in x and y for each pass. */
  readonly grids: readonly (readonly [number, number])[];
  /** The one thread that runs, for pipelines made with `alone`. */
  readonly only?: number;
}

export interface Outcome {
  /** The output, margin included. */
  readonly words: Uint32Array;
  /** Numbers of the loops that reached their limit. */
  readonly ended: readonly number[];
}

export interface Kernel {
  readonly bounded: Bounded;
  readonly pipelines: readonly GPUComputePipeline[];
}

interface Bench {
  readonly device: GPUDevice;
  readonly layouts: readonly GPUBindGroupLayout[];
  readonly layout: GPUPipelineLayout;
  lost: string | undefined;
}

export class TroubleError extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble.kind);
    this.trouble = trouble;
  }
}
const fail = (trouble: Trouble): never => {
  throw new TroubleError(trouble);
};

let bench: Promise<Bench> | undefined;
/** A kernel that was not waited for to its end; until it ends the GPU answers nobody. */
let pending: Promise<unknown> | undefined;

export const isBusy = () => pending !== undefined;

async function open(): Promise<Bench> {
  const ask = async () => (await navigator.gpu?.requestAdapter().catch(() => null)) ?? null;
  // Chromium can answer null while its GPU process is starting, and give an adapter when asked again.
  const adapter = (await ask()) ?? (await ask());
  if (!adapter) return fail({ kind: "no-device" });
  const device = await adapter.requestDevice({ label: "gomme workshop" }).catch(() => undefined);
  if (!device) return fail({ kind: "no-device" });
  const layouts = [GROUP_0, GROUP_1].map((types) =>
    device.createBindGroupLayout({
      entries: types.map((type, binding) => ({ binding, visibility: COMPUTE, buffer: { type } })),
    }),
  );
  const made: Bench = {
    device,
    layouts,
    layout: device.createPipelineLayout({ bindGroupLayouts: layouts }),
    lost: undefined,
  };
  void device.lost.then(({ message }) => {
    made.lost = message || "lost";
    bench = undefined;
  });
  // What no scope catches is told by the call that it belongs to; the console needs no second copy.
  device.addEventListener("uncapturederror", (event) => event.preventDefault());
  return made;
}

async function device(): Promise<Bench> {
  bench ??= open().catch((error) => {
    bench = undefined;
    throw error;
  });
  return await bench;
}

/** Test hook: loses the device as a driver reset would. */
export async function loseDevice(): Promise<void> {
  (await bench)?.device.destroy();
}

/** What this device allows, for sentences. */
export async function limits(): Promise<GPUSupportedLimits> {
  return (await device()).device.limits;
}

/** Calls the device; whatever a browser throws when the device goes is told as its loss, anything else in its own words. */
async function guarded<T>(call: (made: Bench) => Promise<T>): Promise<T> {
  const made = await device();
  try {
    return await call(made);
  } catch (error) {
    if (error instanceof TroubleError && error.trouble.kind !== "refused") throw error;
    // The news of a loss may come a moment after its consequences.
    const lost = made.device.lost.then(() => true);
    if (await Promise.race([lost, new Promise<boolean>((done) => setTimeout(() => done(false), 300))])) {
      return fail({ kind: "lost" });
    }
    if (error instanceof TroubleError) throw error;
    return fail({ kind: "refused", said: firstLine(error instanceof Error ? error.message : String(error)) });
  }
}

/** What the compiler says about the reader's text as it is. Nothing runs. */
export async function check(source: string): Promise<Message[]> {
  return await guarded(({ device: gpu }) => compile(gpu, source));
}

async function compile(gpu: GPUDevice, source: string): Promise<Message[]> {
  gpu.pushErrorScope("validation");
  const module = gpu.createShaderModule({ code: source });
  const scope = gpu.popErrorScope();
  const { messages } = await module.getCompilationInfo();
  const error = await scope.catch(() => null);
  const told = toMessages(source, messages);
  if (error && !told.some(({ kind }) => kind === "error")) {
    return [{ kind: "error", line: 1, from: 0, to: 0, text: error.message, all: error.message }];
  }
  return told;
}

/** Pipelines of the entry points, with all loops bounded; rejects with what is wrong. */
export async function prepare(source: string, entries: readonly string[], alone?: string): Promise<Kernel> {
  return await guarded((made) => pipelines(made, source, entries, alone));
}

async function pipelines(
  { device: gpu, layout }: Bench,
  source: string,
  entries: readonly string[],
  alone: string | undefined,
): Promise<Kernel> {
  const bounded = bound(source, alone ? { alone } : {});
  gpu.pushErrorScope("validation");
  gpu.pushErrorScope("internal");
  const module = gpu.createShaderModule({ code: bounded.code });
  const made = Promise.all(
    entries.map((entryPoint) => gpu.createComputePipelineAsync({ layout, compute: { module, entryPoint } })),
  );
  const scopes = [gpu.popErrorScope(), gpu.popErrorScope()];
  try {
    return { bounded, pipelines: await made };
  } catch (error) {
    const { messages } = await module.getCompilationInfo().catch(() => ({ messages: [] }));
    const wrong = toMessages(bounded.code, messages).find(({ kind }) => kind === "error");
    const said = wrong?.text ?? (error instanceof Error ? error.message : String(error));
    return fail({ kind: "refused", said: firstLine(said) });
  } finally {
    await Promise.allSettled(scopes);
  }
}

const firstLine = (text: string) =>
  text
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.trim() ?? "";

/** Runs the passes of one piece of work after each other and brings the output back. */
export async function run(kernel: Kernel, work: Work): Promise<Outcome> {
  if (pending) await pending;
  return await guarded((made) => submit(made, kernel, work));
}

async function submit(made: Bench, kernel: Kernel, work: Work): Promise<Outcome> {
  const { device: gpu } = made;
  const scopes = ["validation", "internal", "out-of-memory"] as const;
  for (const filter of scopes) gpu.pushErrorScope(filter);
  const buffers: GPUBuffer[] = [];
  const hold = (size: number, usage: number) => {
    const buffer = gpu.createBuffer({ size: Math.max(16, size), usage });
    buffers.push(buffer);
    return buffer;
  };
  const filled = (words: Uint32Array, usage: number) => {
    const buffer = hold(words.byteLength, usage | USAGE.COPY_DST);
    gpu.queue.writeBuffer(buffer, 0, words as Uint32Array<ArrayBuffer>);
    return buffer;
  };
  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ } = USAGE;
  const out = filled(work.start, STORAGE | COPY_SRC);
  const ends = filled(new Uint32Array(Math.max(4, kernel.bounded.loops.length)), STORAGE | COPY_SRC);
  const groups = made.layouts.map((layout, k) =>
    gpu.createBindGroup({
      layout,
      entries: (k === 0
        ? [
            filled(work.tokens, STORAGE),
            filled(work.values, STORAGE),
            out,
            filled(Uint32Array.from(work.dims), UNIFORM),
          ]
        : [ends, filled(Uint32Array.of(work.only ?? 0, 0, 0, 0), UNIFORM)]
      ).map((buffer, binding) => ({ binding, resource: { buffer } })),
    }),
  );
  const back = hold(work.start.byteLength + ends.size, MAP_READ | COPY_DST);
  const encoder = gpu.createCommandEncoder();
  kernel.pipelines.forEach((pipeline, k) => {
    const [x, y] = work.grids[k] ?? [0, 1];
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    for (const [index, group] of groups.entries()) pass.setBindGroup(index, group);
    if (x * y > 0) pass.dispatchWorkgroups(x, y);
    pass.end();
  });
  encoder.copyBufferToBuffer(out, 0, back, 0, work.start.byteLength);
  encoder.copyBufferToBuffer(ends, 0, back, work.start.byteLength, ends.size);
  gpu.queue.submit([encoder.finish()]);
  const mapped = back.mapAsync(READ);
  const told = Promise.all(scopes.map(() => gpu.popErrorScope().catch(() => null)));
  try {
    await inTime(made, mapped, told);
    const words = new Uint32Array(back.getMappedRange().slice(0));
    const at = work.start.length;
    return {
      words: words.slice(0, at),
      ended: [...words.subarray(at, at + kernel.bounded.loops.length)].flatMap((word, k) => (word ? [k] : [])),
    };
  } finally {
    for (const buffer of buffers) if (!pending) buffer.destroy();
  }
}

const ERRORS = ["memory", "refused", "refused"] as const;

/** Resolves when the result is there; rejects with what happened instead. */
async function inTime(made: Bench, mapped: Promise<void>, told: Promise<(GPUError | null)[]>): Promise<void> {
  let waiting = true;
  const result = mapped.then(
    () => "done" as const,
    () => "failed" as const,
  );
  const late = new Promise<"late">((resolve) => setTimeout(() => resolve("late"), PATIENCE));
  const lost = made.device.lost.then(() => "lost" as const);
  // Firefox looks whether a map is done only every 50 to 100 ms, and at every submission.
  void (async () => {
    for (let pause = 0; waiting && !made.lost; pause = Math.min(50, pause + 1)) {
      made.device.queue.submit([]);
      await new Promise((done) => setTimeout(done, pause));
    }
  })();
  const what = await Promise.race([result, late, lost]);
  waiting = false;
  if (what === "late") {
    const end = Promise.race([result, lost]);
    pending = end;
    void end.then(() => {
      if (pending === end) pending = undefined;
    });
    fail({ kind: "hanging", seconds: PATIENCE / 1000 });
  }
  if (what === "lost") fail({ kind: "lost" });
  const errors = await Promise.race([told, lost.then(() => [])]);
  const k = errors.findIndex((error) => error !== null);
  if (k >= 0) fail({ kind: ERRORS[k] ?? "refused", said: firstLine(errors[k]?.message ?? "") });
  // A map fails when the device is lost, and the news of that may come a moment later.
  if (what === "failed") fail({ kind: "lost" });
}
