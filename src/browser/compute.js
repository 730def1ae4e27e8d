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
  if (!pipeline || !layout) throw new TypeError(`the browser made nothing of the kernel ${entryPoint}`);
  return { pipeline, layout };
}

export const makeBuffer = (device, label, size, usage) => device.createBuffer({ label, size, usage });

let entries = [];

/** One entry of the bind group that is made next; of size 0 where there is nothing to bind, and then all that is left of the buffer. */
export function bind(binding, buffer, offset, size) {
  entries.push({ binding, resource: size > 0 ? { buffer, offset, size } : { buffer, offset } });
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

// A turn of the event loop without the 4 ms that a timeout is held for from the fifth on.
let channel;
const turns = [];

function turn() {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => turns.shift()?.();
  }
  return new Promise((resolve) => {
    turns.push(resolve);
    channel.port2.postMessage(undefined);
  });
}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Maps a buffer to be read; whether that worked. Meanwhile it submits nothing, again and again: Firefox looks only every 50 to
 * 100 ms whether a map is done (https://bugzilla.mozilla.org/show_bug.cgi?id=1870699), and at every submission. To be deleted
 * when that is fixed. For the first `eager` milliseconds it does so in every turn, later less often: the answer then comes at
 * most an eighth later.
 */
export async function map(queue, buffer, size, eager) {
  let waiting = true;
  const done = (worked) => () => {
    waiting = false;
    return worked;
  };
  const mapped = buffer.mapAsync(GPUMapMode.READ, 0, size).then(done(true), done(false));
  const start = performance.now();
  while (waiting) {
    queue.submit([]);
    const spent = performance.now() - start;
    await Promise.race([mapped, spent < eager ? turn() : sleep(spent / 8)]);
  }
  return mapped;
}

// Want of memory makes what comes after it invalid, so it stands in front.
const FILTERS = ["out-of-memory", "internal", "validation"];

// Scopes that are open at this moment: those of one call, since nothing is awaited meanwhile.
const opened = [];

/** Opens a scope for each kind of error. */
export function pushScopes(device) {
  const scopes = { device, open: 0 };
  opened.push(scopes);
  try {
    for (const filter of FILTERS) {
      device.pushErrorScope(filter);
      scopes.open++;
    }
  } catch {
    // What it would have told is unheard.
  }
}

const unheard = (error) => ({ message: `what its error scopes say could not be heard: ${error?.message || error}` });

/**
 * Closes those that were opened last; a promise of the first error that they have, if any. It never rejects: what could not be
 * heard is an error too, since silence would mean that nothing was refused.
 */
export function popScopes() {
  const { device, open } = opened.pop() ?? { open: 0 };
  const answers = open < FILTERS.length ? [unheard("not all of them were opened")] : [];
  for (let i = 0; i < open; i++) {
    try {
      answers.unshift(device.popErrorScope().catch(unheard));
    } catch (error) {
      answers.push(unheard(error));
    }
  }
  return Promise.all(answers).then((found) => found.find((error) => typeof error === "object" && error !== null));
}

/** Closes whatever something that was thrown has left open. */
export function abandon() {
  entries = [];
  while (opened.length > 0) popScopes();
}
