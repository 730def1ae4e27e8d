// Results that stay on the GPU: what a lookup, a gradient and a step cost when nothing comes home, awaited one by one and begun together,
// beside the same lookup by hand and TensorFlow.js's gather. Then calls that return an array, beside a bare copy and map of the same
// bytes, and memory over many calls.

import type { Embedding, GpuArray, GpuGradient, GpuTokens, StepRule } from "../../src/api";
import { type Bench, shapeOf } from "../bench";
import { aliveBytes, drain, poke, sleep, turn } from "../devices";
import { measure, seen } from "../meter";
import { checkLookup } from "../oracle";
import type { TableOperation } from "../report";
import { median, range } from "../statistics";
import { checkSteps } from "../steps";
import { noise, VOCABULARY, WIDTH } from "../workload";
import { openRival, timeRival } from "./rivals";

/** Microseconds a call, on an NVIDIA H200. */
const TARGETS = { gpuTokens: 25, arrayOfIds: 60, step: 20 };
/** Times the kernel's own time. */
const OF_KERNEL = { embed: 1.1, embedGrad: 1.5 };
/** Times a bare copy and map. */
const OF_BARE = 1.25;
/** A table that `step` changes is one of its own: the other parts compare theirs with what it was made of. */
const RULE: StepRule = { rule: "adagrad", lr: 1e-3 };
/** Calls begun together, which go to the device in one submission. */
const TOGETHER = 8;
/** Tokens of a call in the part about memory: small, since only what is kept matters. */
const CHURN_TOKENS = 16;

export default async function resident(bench: Bench): Promise<void> {
  const [short, long] = [Math.min(8_192, bench.settings.longest), Math.min(262_144, bench.settings.longest)];
  await checkResident(bench);
  await bench.guard("resident", "gomme", "steps", async () => {
    for (const check of await checkSteps(bench.pkg, bench.recorder.report.torch)) bench.recorder.check(check);
  });
  await lookups(bench, short, long);
  await gradients(bench, short);
  await gathers(bench, [short, long]);
  for (const n of new Set([512, short])) await arrays(bench, n);
  await memory(bench);
}

const input = (bench: Bench, n: number): Uint32Array => bench.tokens(shapeOf(n));

/** The results that stay are the results: read back and compared before any of it is timed. */
async function checkResident(bench: Bench): Promise<void> {
  const { embedding, table } = await bench.stand();
  const shape = shapeOf(Math.min(4_096, bench.settings.longest));
  const { n, d } = shape;
  const ids = input(bench, n);
  const say = (what: string, { ok, text }: { ok: boolean; text: string }): void => {
    bench.recorder.check({ by: "gomme", what, n, d, ok, text });
  };
  await bench.guard("resident", "gomme", "compared", async () => {
    const tokens = embedding.tokens(ids);
    const out = await embedding.embed(tokens, { output: "gpu" });
    say("embed to the GPU", checkLookup(await out.read(), table, ids, d));
    out.dispose();
    const together = await Promise.all(
      Array.from({ length: TOGETHER }, (_, k) => embedding.embed(k % 2 ? ids : tokens, { output: "gpu" })),
    );
    for (const [k, one] of together.entries()) {
      say(`embed to the GPU, ${k + 1} of ${TOGETHER} together`, checkLookup(await one.read(), table, ids, d));
      one.dispose();
    }
    const { gradOut, oracle } = bench.gradient(shape, ids);
    const gradient = await embedding.embedGrad(tokens, gradOut, { output: "gpu" });
    say("embedGrad to the GPU", oracle.check(await gradient.read()));
    gradient.dispose();
    tokens.dispose();
  });
}

interface Row {
  readonly what: string;
  readonly operation: TableOperation;
  readonly n: number;
  readonly target?: number | undefined;
  /** PyTorch's name for the same work. */
  readonly torch?: string;
  readonly by?: string;
  readonly call: () => Promise<unknown>;
  /** Calls that are begun together; 1: each is awaited before the next begins. */
  readonly together?: number;
  /** Lookups of one call. */
  readonly passes?: number;
}

/** The same, awaited one by one and begun several together. */
async function timeBoth(bench: Bench, device: GPUDevice, row: Row): Promise<void> {
  await time(bench, device, row);
  await time(bench, device, { ...row, what: `${row.what}, ${TOGETHER} together`, together: TOGETHER });
}

/** Many calls, one wait. */
async function time(bench: Bench, device: GPUDevice, row: Row): Promise<void> {
  const { what, operation, n, target, torch, call, by = "gomme", together = 1, passes = 1 } = row;
  const { settings, recorder } = bench;
  const timed = async (): Promise<void> => {
    const run = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += together) {
        if (together === 1) await call();
        else await Promise.all(Array.from({ length: Math.min(together, count - i) }, call));
      }
    };
    const measured = await measure(
      device,
      { run },
      {
        samples: Math.min(settings.samples, 7),
        minMilliseconds: settings.minMilliseconds,
        warmMilliseconds: Math.min(500, settings.warmMilliseconds * 2),
        budgetMilliseconds: 6_000,
        minRepeats: settings.calls,
        maxRepeats: settings.calls * 4,
      },
    );
    const base = { part: "resident", by, what, operation, n, d: WIDTH, tokens: "zipf", unit: "µs" } as const;
    const shared = { ...base, samples: measured.samples.length, repeats: measured.repeats };
    const spread = range(measured.samples.map((sample) => sample / passes));
    recorder.figure({
      ...shared,
      value: measured.wallMicroseconds / passes,
      clock: "wall",
      ...(spread ? { range: spread } : {}),
      ...(target === undefined ? {} : { target }),
      ...(torch === undefined ? {} : { torch }),
    });
  };
  await bench.guard("resident", by, `${what} N=${n}`, timed, 90);
}

/** The kernel's own time at this length, by timestamps: what a call is held against. */
async function kernelTime(bench: Bench, kernel: "fast" | "sorted", n: number): Promise<number | undefined> {
  const samples = Math.min(bench.settings.samples, 10);
  const timing = await bench.time("resident", kernel, shapeOf(n), undefined, { samples });
  return timing?.clock === "timestamp" ? timing.microseconds : undefined;
}

const times = (factor: number, microseconds: number | undefined): number | undefined =>
  microseconds === undefined ? undefined : factor * microseconds;

async function lookups(bench: Bench, short: number, long: number): Promise<void> {
  const { embedding, device, table } = await bench.stand();
  const lookup = (tokens: Uint32Array | GpuTokens) => async () => {
    (await embedding.embed(tokens, { output: "gpu" })).dispose();
  };
  const ids = input(bench, short);
  await bench.guard("resident", "gomme", "embed to the GPU", async () => {
    const tokens = embedding.tokens(ids);
    const base = { operation: "lookup", n: short, torch: "embedding" } as const;
    const [own, array] = ["embed to the GPU, ids as GpuTokens", "embed to the GPU, ids as Uint32Array"];
    await timeBoth(bench, device, { ...base, what: own, target: TARGETS.gpuTokens, call: lookup(tokens) });
    await timeBoth(bench, device, { ...base, what: array, target: TARGETS.arrayOfIds, call: lookup(ids) });
    tokens.dispose();
    const byHand = new Submissions(device, ids, table);
    try {
      byHand.submit(1);
      const checked = checkLookup(await byHand.read(), table, ids, WIDTH);
      bench.recorder.check({ by: "WebGPU by hand", what: "a lookup", n: short, d: WIDTH, ...checked });
      const hand = { operation: "lookup", n: short, by: "WebGPU by hand" } as const;
      for (const passes of [1, TOGETHER]) {
        const what = passes === 1 ? "a lookup a submission" : `${passes} lookups a submission`;
        const call = async () => byHand.submit(passes);
        await time(bench, device, { ...hand, what, call, passes });
      }
    } finally {
      byHand.free();
    }
    if (long === short) return;
    const many = embedding.tokens(input(bench, long));
    const target = times(OF_KERNEL.embed, await kernelTime(bench, "fast", long));
    await time(bench, device, { ...base, n: long, what: own, target, call: lookup(many) });
    many.dispose();
  });
}

async function gradients(bench: Bench, n: number): Promise<void> {
  const { table } = await bench.stand();
  await bench.guard("resident", "gomme", "embedGrad to the GPU", async () => {
    const { pkg } = bench;
    const embedding = await pkg.Embedding.create({ vocabSize: VOCABULARY, dModel: WIDTH, table, backend: "gpu" });
    const { device } = embedding;
    if (!device) throw new Error("the embedding has no device");
    const tokens = embedding.tokens(input(bench, n));
    // A lookup's result stands for an upstream gradient: N·D values on the device.
    const gradOut = await embedding.embed(tokens, { output: "gpu" });
    const grad = (): Promise<GpuGradient> => embedding.embedGrad(tokens, gradOut, { output: "gpu" });
    const target = times(OF_KERNEL.embedGrad, await kernelTime(bench, "sorted", n));
    const call = async () => (await grad()).dispose();
    await timeBoth(bench, device, {
      what: "embedGrad to the GPU, gradOut a GpuArray",
      operation: "gradient",
      n,
      target,
      torch: "embedding_dense_backward",
      call,
    });
    const gradient = await grad();
    const step = () => embedding.step(gradient, RULE);
    await timeBoth(bench, device, {
      what: "step on its result, row-wise Adagrad",
      operation: "step",
      n,
      target: TARGETS.step,
      torch: "step adagrad",
      call: step,
    });
    await time(bench, device, {
      what: "embed, embedGrad and step, all on the GPU",
      operation: "step",
      n,
      call: () => trainingStep(embedding, tokens),
    });
    for (const held of [gradient, gradOut, tokens]) held.dispose();
    embedding.free();
  });
}

async function trainingStep(embedding: Embedding, tokens: GpuTokens): Promise<void> {
  const out: GpuArray = await embedding.embed(tokens, { output: "gpu" });
  const gradient = await embedding.embedGrad(tokens, out, { output: "gpu" });
  await embedding.step(gradient, RULE);
  gradient.dispose();
  out.dispose();
}

/** The least that any lookup costs: one pass of the plainest kernel, nothing made meanwhile, the outputs in turn. */
class Submissions {
  readonly #owned: GPUBuffer[] = [];
  readonly #pipeline: GPUComputePipeline;
  readonly #turns: { readonly group: GPUBindGroup; readonly out: GPUBuffer }[];
  readonly #elements: number;

  constructor(
    readonly device: GPUDevice,
    ids: Uint32Array,
    table: Float32Array,
  ) {
    this.#elements = ids.length * WIDTH;
    const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
    const code = /* wgsl */ `
      @group(0) @binding(0) var<storage, read> ids: array<u32>;
      @group(0) @binding(1) var<storage, read> table: array<vec4f>;
      @group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
      @compute @workgroup_size(256) fn lookup(@builtin(global_invocation_id) id: vec3u) {
        if (id.x < arrayLength(&out)) { out[id.x] = table[ids[id.x / ${WIDTH / 4}u] * ${WIDTH / 4}u + id.x % ${WIDTH / 4}u]; }
      }`;
    this.#pipeline = device.createComputePipeline({
      layout: "auto",
      compute: { module: device.createShaderModule({ code }), entryPoint: "lookup" },
    });
    const make = (size: number): GPUBuffer => {
      const buffer = device.createBuffer({ label: "bench by hand", size, usage: STORAGE | COPY_DST | COPY_SRC });
      this.#owned.push(buffer);
      return buffer;
    };
    const inputs = [ids, table].map((values) => {
      const buffer = make(values.byteLength);
      device.queue.writeBuffer(buffer, 0, values as BufferSource & ArrayBufferView<ArrayBuffer>);
      return buffer;
    });
    this.#turns = Array.from({ length: TOGETHER }, () => {
      const out = make(4 * this.#elements);
      const entries = [...inputs, out].map((buffer, binding) => ({ binding, resource: { buffer } }));
      return { out, group: device.createBindGroup({ layout: this.#pipeline.getBindGroupLayout(0), entries }) };
    });
  }

  submit(passes: number): void {
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(this.#pipeline);
    for (let k = 0; k < passes; k++) {
      const next = this.#turns.shift();
      if (!next) break;
      this.#turns.push(next);
      pass.setBindGroup(0, next.group);
      pass.dispatchWorkgroups(Math.ceil(this.#elements / 4 / 256));
    }
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  /** What the last lookup gave. */
  async read(): Promise<Float32Array> {
    const out = this.#turns.at(-1)?.out;
    if (!out) throw new Error("there was no lookup by hand");
    const bytes = 4 * this.#elements;
    const copy = new BareCopy(this.device, new Uint32Array(1), bytes, out);
    try {
      return await copy.run();
    } finally {
      copy.free();
    }
  }

  free(): void {
    for (const buffer of this.#owned) buffer.destroy();
  }
}

/** TensorFlow.js's gather, ids and result on the GPU. */
async function gathers(bench: Bench, lengths: readonly number[]): Promise<void> {
  if (!bench.settings.rivals.includes("tfjs")) return;
  const opened = await bench.guard("resident", "tfjs", "open", () => openRival(bench, "tfjs"), 60);
  if (!opened) return;
  for (const n of new Set(lengths)) await timeRival(bench, opened, "lookup", n, "resident", bench.settings.calls);
  opened.session.close();
}

/** Calls that bring an array home, in turn with the same bytes copied and mapped by hand. */
async function arrays(bench: Bench, n: number): Promise<void> {
  const { embedding, device } = await bench.stand();
  const ids = input(bench, n);
  const gradOut = noise(n * WIDTH, 11);
  const usedRows = new Set(ids).size;
  const calls = [
    { what: "embed()", operation: "lookup", up: ids, down: 4 * n * WIDTH, call: () => embedding.embed(ids) },
    {
      what: "embedGrad()",
      operation: "gradient",
      up: gradOut,
      down: 4 * usedRows * WIDTH,
      call: () => embedding.embedGrad(ids, gradOut),
    },
  ] as const;
  for (const { what, operation, up, down, call } of calls) {
    await bench.guard("resident", "gomme", `${what} beside a bare copy, N=${n}`, async () => {
      const bare = new BareCopy(device, up, down);
      try {
        const [ours, byHand] = await inTurn(bench, call, () => bare.run(), n > SHORT ? 1 : CALLS_A_SAMPLE);
        const base = { part: "resident", operation, n, d: WIDTH, unit: "µs", clock: "wall" } as const;
        const shared = { ...base, samples: ours.length };
        bench.recorder.figure({ ...shared, by: "gomme", what: `${what} to an array`, value: median(ours) });
        const name = `bare copy and map, for ${what}`;
        bench.recorder.figure({ ...shared, by: "WebGPU by hand", what: name, value: median(byHand) });
        bench.recorder.figure({
          ...base,
          by: "gomme",
          what: `${what} / bare copy and map`,
          value: median(ours) / median(byHand),
          unit: "1",
          target: OF_BARE,
        });
      } finally {
        bare.free();
      }
    });
  }
}

/** Calls of one sample of a short call: some browsers' clocks have steps of a millisecond. */
const CALLS_A_SAMPLE = 10;
const SHORT = 1_024;

/** Microseconds of a call of each of the two, alternating so that both meet the same clocks. */
async function inTurn(
  { settings }: Bench,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  calls: number,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  const begin = performance.now();
  for (let i = -3; i < settings.samples * 2 && (i < 3 || performance.now() - begin < 4_000); i++) {
    for (const [which, call] of [first, second].entries()) {
      const microseconds = await seen(async () => {
        const start = performance.now();
        for (let k = 0; k < calls; k++) await call();
        return ((performance.now() - start) * 1_000) / calls;
      });
      // The first rounds pay for compilers and cold pools.
      if (i >= 0) times[which]?.push(microseconds);
    }
  }
  return times;
}

const EAGER_MILLISECONDS = 2;

/** What any library must do to bring bytes home: write the input, copy the output, map it, take it into an array. */
class BareCopy {
  readonly #source: GPUBuffer;
  readonly #staging: GPUBuffer;
  readonly #input: GPUBuffer;

  constructor(
    readonly device: GPUDevice,
    readonly up: Uint32Array | Float32Array,
    readonly down: number,
    /** Whose first bytes are copied; zeros of its own otherwise. */
    readonly given?: GPUBuffer,
  ) {
    const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
    this.#source = given ?? device.createBuffer({ label: "bench bare", size: down, usage: STORAGE | COPY_SRC });
    this.#staging = device.createBuffer({ label: "bench bare", size: down, usage: COPY_DST | MAP_READ });
    this.#input = device.createBuffer({ label: "bench bare", size: up.byteLength, usage: STORAGE | COPY_DST });
  }

  async run(): Promise<Float32Array> {
    this.device.queue.writeBuffer(this.#input, 0, this.up as BufferSource & ArrayBufferView<ArrayBuffer>);
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.#source, 0, this.#staging, 0, this.down);
    this.device.queue.submit([encoder.finish()]);
    // As the package waits: submissions in every turn for longer than a short call takes would stand in line before the map.
    const start = performance.now();
    const pause = (): Promise<void> => {
      const spent = performance.now() - start;
      return spent < EAGER_MILLISECONDS ? turn() : sleep(spent / 8);
    };
    await poke(this.device, this.#staging.mapAsync(GPUMapMode.READ), pause);
    const values = new Float32Array(this.#staging.getMappedRange().slice(0));
    this.#staging.unmap();
    return values;
  }

  free(): void {
    if (!this.given) this.#source.destroy();
    for (const buffer of [this.#staging, this.#input]) buffer.destroy();
  }
}

/** Many calls whose results are disposed of: neither wasm memory nor the buffers may grow. */
async function memory(bench: Bench): Promise<void> {
  const { embedding, device } = await bench.stand();
  const { churn } = bench.settings;
  await bench.guard("resident", "gomme", "memory", async () => {
    const ids = input(bench, CHURN_TOKENS);
    const calls = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        (await embedding.embed(ids, { output: "gpu" })).dispose();
        // What was submitted must be able to end, as between frames of a page.
        if (i % 1_000 === 999) await drain(device);
      }
      await drain(device);
    };
    const wasmBytes = (): number => bench.wasmMemory.buffer.byteLength;
    await calls(Math.min(1_000, churn));
    const before = wasmBytes();
    const start = performance.now();
    const { left } = await aliveBytes(() => calls(churn));
    const seconds = (performance.now() - start) / 1_000;
    const base = { part: "resident", by: "gomme", unit: "bytes", n: CHURN_TOKENS, d: WIDTH, target: 0 } as const;
    const remark = `${churn} calls with dispose in ${seconds.toFixed(1)} s`;
    bench.recorder.figure({ ...base, what: "wasm memory grew by", value: wasmBytes() - before, remark });
    bench.recorder.figure({ ...base, what: "GPU buffers grew by", value: left, remark });
  });
}
