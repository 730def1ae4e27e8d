// Pipelines, bind groups and commands of WebGPU, each by one call from the wasm: wgpu needs a dozen, makes an object of each thing
// in between and copies every label, which took longer than the kernels of a short call.

const TYPES = ["read-only-storage", "storage", "uniform"];

/** A kernel: its pipeline with the layout of its bind group. `slots` are pairs of a binding and an index into TYPES. */
export function makeKernel(device, label, code, entryPoint, slots, blocks) {
  const module = device.createShaderModule({ label, code });
  const entries = [];
  for (let i = 0; i < slots.length; i += 2) {
    entries.push({ binding: slots[i], visibility: GPUShaderStage.COMPUTE, buffer: { type: TYPES[slots[i + 1]] } });
  }
  const layout = device.createBindGroupLayout({ label: entryPoint, entries });
  const pipeline = device.createComputePipeline({
    label: entryPoint,
    layout: device.createPipelineLayout({ label: entryPoint, bindGroupLayouts: [layout] }),
    // A constant that the shader does not declare is an error.
    compute: { module, entryPoint, constants: blocks > 0 ? { BLOCKS: blocks } : {} },
  });
  return { pipeline, layout };
}

let entries = [];

/** One entry of the bind group that is made next. */
export function bind(binding, buffer, offset, size) {
  entries.push({ binding, resource: { buffer, offset, size } });
}

export function makeBindGroup(device, { layout, pipeline }) {
  const bound = entries;
  entries = [];
  return device.createBindGroup({ label: pipeline.label, layout, entries: bound });
}

export function makeTimestamps(device, count) {
  return device.createQuerySet({ label: "gomme timestamps", type: "timestamp", count });
}

// What is recorded at this moment: from its beginning to its submission nothing else runs.
let encoder;
let pass;
let current;

/** Begins commands. */
export function begin(device) {
  pass = undefined;
  encoder = device.createCommandEncoder();
}

/** Begins a pass, which ends where the next one begins or something else is recorded. */
export function beginPass(label, timestamps, first) {
  endPass();
  const querySet = timestamps;
  pass = encoder.beginComputePass(
    querySet
      ? { label, timestampWrites: { querySet, beginningOfPassWriteIndex: first, endOfPassWriteIndex: first + 1 } }
      : label
        ? { label }
        : undefined,
  );
  current = undefined;
}

function endPass() {
  pass?.end();
  pass = undefined;
}

export function dispatch(kernel, group, x, y, z) {
  if (kernel !== current) pass.setPipeline(kernel.pipeline);
  current = kernel;
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(x, y, z);
}

export function copy(from, fromOffset, to, toOffset, size) {
  endPass();
  encoder.copyBufferToBuffer(from, fromOffset, to, toOffset, size);
}

export function resolve(timestamps, count, to) {
  endPass();
  encoder.resolveQuerySet(timestamps, 0, count, to, 0);
}

export function submit(queue) {
  endPass();
  const commands = [encoder.finish()];
  encoder = undefined;
  current = undefined;
  queue.submit(commands);
}

/** For Firefox, which looks for what is done when something is submitted. */
export function submitNothing(queue) {
  queue.submit([]);
}
