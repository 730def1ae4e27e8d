// The pairs of a step on a GPU device: pair.wgsl with its buffers, and the losses' way home.
import { TARGETS } from "./draw";
import source from "./pair.wgsl";
import { MAX_UNREAD, WIDTH } from "./tables";

/** Of `GPUBufferUsage` and `GPUMapMode`, whose values the standard fixes. */
const [MAP_READ, COPY_SRC, COPY_DST, STORAGE] = [1, 4, 8, 128];
const FOR_READING = 1;

/** Partial sums of a step's losses; 256 bytes, as far apart as offsets of a binding must be. */
const SUMS = 64;
const THREADS = 64;

/** Rows in a buffer, from its beginning. */
export interface Rows {
  readonly buffer: GPUBuffer;
  readonly byteLength: number;
}

type Pipelines = readonly [pairs: GPUComputePipeline, sum: GPUComputePipeline];

export class PairKernel {
  readonly pairs: number;
  /** Resolves when the device is lost. */
  readonly lost: Promise<true>;
  readonly #device: GPUDevice;
  readonly #pipelines: Pipelines;
  readonly #losses: GPUBuffer;
  readonly #sums: GPUBuffer;
  readonly #home: GPUBuffer;
  /** Steps since the last reading. */
  #unread = 0;

  private constructor(device: GPUDevice, pairs: number, pipelines: Pipelines) {
    const buffer = (label: string, floats: number, usage: number) =>
      device.createBuffer({ label: `gomme training ${label}`, size: 4 * floats, usage });
    this.#device = device;
    this.lost = device.lost.then(() => true as const);
    this.pairs = pairs;
    this.#pipelines = pipelines;
    this.#losses = buffer("losses", pairs, STORAGE);
    this.#sums = buffer("sums", MAX_UNREAD * SUMS, STORAGE | COPY_SRC);
    this.#home = buffer("sums to read", MAX_UNREAD * SUMS, MAP_READ | COPY_DST);
  }

  static async on(device: GPUDevice, pairs: number): Promise<PairKernel> {
    const code = `const TARGETS = ${TARGETS}u;\nconst QUADS = ${WIDTH / 4}u;\n${source}`;
    const module = device.createShaderModule({ label: "gomme training", code });
    const constants = { PAIRS: pairs };
    const pipeline = (entryPoint: string) =>
      device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint, constants } });
    return new PairKernel(device, pairs, await Promise.all([pipeline("pairs"), pipeline("sum_losses")]));
  }

  /** These rows become their gradients, and the step's loss goes into the next slot. */
  run(centres: Rows, targets: Rows): void {
    if (this.#unread === MAX_UNREAD) throw new Error(`${MAX_UNREAD} steps were not read`);
    const [pairs, sum] = this.#pipelines;
    const device = this.#device;
    const rows = ({ buffer, byteLength: size }: Rows): GPUBufferBinding => ({ buffer, size });
    const whole = (buffer: GPUBuffer): GPUBufferBinding => ({ buffer });
    const slot = { buffer: this.#sums, offset: 4 * SUMS * this.#unread, size: 4 * SUMS };
    const group = (pipeline: GPUComputePipeline, parts: GPUBufferBinding[]) =>
      device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: parts.map((resource, binding) => ({ binding, resource })),
      });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pairs);
    pass.setBindGroup(0, group(pairs, [rows(centres), rows(targets), whole(this.#losses)]));
    pass.dispatchWorkgroups(Math.ceil(this.pairs / THREADS));
    pass.setPipeline(sum);
    pass.setBindGroup(0, group(sum, [whole(this.#losses), slot]));
    pass.dispatchWorkgroups(1);
    pass.end();
    device.queue.submit([encoder.finish()]);
    this.#unread += 1;
  }

  /** Mean loss of a pair in each step since the last call; waits for these steps. */
  async losses(): Promise<number[]> {
    const steps = this.#unread;
    if (steps === 0) return [];
    this.#unread = 0;
    const size = 4 * SUMS * steps;
    const encoder = this.#device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.#sums, 0, this.#home, 0, size);
    this.#device.queue.submit([encoder.finish()]);
    await this.#home.mapAsync(FOR_READING, 0, size);
    const sums = new Float32Array(this.#home.getMappedRange(0, size).slice(0));
    this.#home.unmap();
    return Array.from({ length: steps }, (_, i) => {
      const parts = sums.subarray(i * SUMS, (i + 1) * SUMS);
      return parts.reduce((sum, one) => sum + one, 0) / this.pairs;
    });
  }

  free(): void {
    for (const one of [this.#losses, this.#sums, this.#home]) one.destroy();
  }
}
