// Pipelines, bind groups and commands of WebGPU, each by one call from the wasm: wgpu needs a dozen, makes an object of each thing
// in between and copies every label, which took longer than the kernels of a short call.

const TYPES = ["read-only-storage", "storage", "uniform"];

/** What a pipeline is made of, and the layout of its bind group. `slots` are pairs of a binding and an index into TYPES. */
function describe(device, label, code, entryPoint, slots, blocks) {
  const module = device.createShaderModule({ label, code });
  const entries = [];
  for (let i = 0; i < slots.length; i += 2) {
    entries.push({ binding: slots[i], visibility: GPUShaderStage.COMPUTE, buffer: { type: TYPES[slots[i + 1]] } });
  }
  const layout = device.createBindGroupLayout({ label: entryPoint, entries });
  const pipeline = {
    label: entryPoint,
    layout: device.createPipelineLayout({ label: entryPoint, bindGroupLayouts: [layout] }),
    // A constant that the shader does not declare is an error.
    compute: { module, entryPoint, constants: blocks > 0 ? { BLOCKS: blocks } : {} },
  };
  return { layout, pipeline };
}

function whole(label, pipeline, layout) {
  if (!pipeline || !layout) throw new TypeError(`the browser made nothing of the kernel ${label}`);
  return { pipeline, layout };
}

/** A kernel: its pipeline with the layout of its bind group. */
export function makeKernel(device, ...kernel) {
  const { layout, pipeline } = describe(device, ...kernel);
  return whole(pipeline.label, device.createComputePipeline(pipeline), layout);
}

/** A promise of the same, for which no other work on the device need wait. */
export async function prepareKernel(device, ...kernel) {
  const { layout, pipeline } = describe(device, ...kernel);
  return whole(pipeline.label, await device.createComputePipelineAsync(pipeline), layout);
}

export const makeBuffer = (device, label, size, usage) => device.createBuffer({ label, size, usage });

/** Lets go of a buffer; of what a browser throws then nobody can make anything. */
export function destroy(buffer) {
  try {
    buffer?.destroy();
  } catch {
    // It is collected with its handle.
  }
}

let entries = [];

/** One entry of the bind group that is made next; of size 0: the rest of the buffer from `offset`. */
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

// What is recorded at this moment. Between `beginCommands` and `submit` nothing else runs. A batch stays open until a microtask; its
// other half is in src/gpu/batch.rs.
let encoder;
let pass;
let current;
let batch;
let joined;

/** Begins commands, after those of the open batch. */
export function beginCommands(device) {
  flush();
  pass = undefined;
  encoder = device.createCommandEncoder();
}

/**
 * Goes on with the pass of the open batch on this device, or begins one. It is submitted in a microtask, or earlier by `flush`; `over` is
 * told then, with what was thrown, if anything was, and gives the error that the calls reject with.
 */
export function join(device, queue, over) {
  if (batch?.device !== device) open(device, queue, over);
  joined = batch.submitted;
}

function open(device, queue, over) {
  beginCommands(device);
  beginPass();
  let settle;
  const submitted = new Promise((resolve) => {
    settle = resolve;
  });
  const mine = { device, queue, over, submitted, settle, stages: [], whole: true };
  batch = mine;
  queueMicrotask(() => {
    if (batch === mine) flush();
  });
}

/** Whether all that was begun is recorded, or a call is in the middle of it. */
export function markWhole(whole) {
  if (batch) batch.whole = whole;
}

/** Has ids written to a place of a buffer before the open batch is submitted; places of one buffer come one after the other. */
export function stage(buffer, offset, ids) {
  const { stages } = batch;
  if (stages.at(-1)?.buffer !== buffer) stages.push({ buffer, words: new Uint32Array(buffer.size / 4), length: 0 });
  const last = stages.at(-1);
  last.words.set(ids, offset / 4);
  last.length = offset / 4 + ids.length;
}

/** Submits what the open batch has recorded so far: all of it, or nothing. */
export function flush() {
  if (!batch) return;
  const { queue, over, settle, stages, whole } = batch;
  batch = undefined;
  let thrown;
  try {
    if (!whole) throw new Error("the browser threw in the middle of a call that was begun together with this one");
    for (const { buffer, words, length } of stages) queue.writeBuffer(buffer, 0, words, 0, length);
    submit(queue);
  } catch (error) {
    thrown = error ?? new Error("it gives no reason");
  }
  try {
    settle(over(thrown));
  } catch (error) {
    settle(error);
  }
}

/**
 * A promise for the submission of what was recorded last, since this was last asked: of the error that its calls reject with, or of
 * undefined. Undefined where nothing was recorded.
 */
export function takeJoined() {
  const last = joined;
  joined = undefined;
  return last;
}

/** A promise of `value` once `waiting`, a promise of `takeJoined`'s, says that all went well. */
export function afterSubmission(waiting, value) {
  if (!waiting) return Promise.resolve(value);
  return waiting.then((error) => {
    if (error === undefined) return value;
    value?.dispose?.();
    throw error;
  });
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
  const open = pass;
  pass = undefined;
  open?.end();
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
  const recorded = encoder;
  encoder = undefined;
  current = undefined;
  endPass();
  queue.submit([recorded.finish()]);
}

// A turn of the event loop without the 4 ms that a timeout is held for from the fifth on.
let channel;
const turns = [];

export function turn() {
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

/** Closes whatever something that was thrown has left open. Calls that were recorded before it are submitted. */
export function abandon() {
  entries = [];
  while (opened.length > 0) popScopes();
  flush();
}
