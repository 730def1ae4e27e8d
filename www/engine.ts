// Text → tokens → kernels → arrays: runs the package on the reader's text and puts the results into the state.
// Every job is of the kind "newest wins": a new text, gradient or choice makes the work on the old one stale.
import { batch, effect, untracked } from "@preact/signals-core";
import { inlined } from "./assets";
import init, { Embedding, type GommeError, Lab, Tokenizer } from "./pkg/gomme.js";
import { bell } from "./random";
import { inSlices, newest, pause } from "./schedule";
import { D, type Engine, type Gradient, KERNEL_LIMIT, type Neighbour, type State, type Tokens } from "./state";

/** Positions whose f16 twin is looked up for the comparison. */
const HALF_LIMIT = 256;
/** Distance of the added out-of-vocabulary id from the end of the vocabulary. */
const BEYOND = 7;

export const isGommeError = (error: unknown): error is GommeError =>
  error instanceof Error && error.name === "GommeError";

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export async function start(state: State): Promise<void> {
  let tokenizer: Tokenizer;
  let lab: Promise<Lab>;
  let vectors: Promise<Embedding | undefined>;
  try {
    const wasm = inlined("wasm");
    await (wasm ? init({ module_or_path: wasm }) : init());
    const model = inlined("model");
    // Model, device and vectors are waited for together; the page needs them in this order.
    const reading = model ? Promise.resolve(Tokenizer.fromModel(model)) : Tokenizer.turkish();
    lab = Lab.create({ vocabSize: state.vocabSize.peek(), dModel: D });
    lab.catch(() => {});
    vectors = loadVectors(state);
    tokenizer = await reading;
  } catch (error) {
    batch(() => {
      state.failure.value = messageOf(error);
      state.phase.value = "failed";
      state.vectors.value = "failed";
    });
    return;
  }
  state.vocabSize.value = tokenizer.vocabSize;
  const fitting = lab.then((made) =>
    made.vocabSize === tokenizer.vocabSize ? made : Lab.create({ vocabSize: tokenizer.vocabSize, dModel: D }),
  );
  state.engine.value = createEngine(state, tokenizer, fitting, vectors);
  keepTokens(state, tokenizer);
  try {
    await keepGradient(state, await fitting);
    const embedding = await vectors;
    if (embedding) await keepLookup(state, tokenizer, embedding);
  } catch (error) {
    batch(() => {
      state.failure.value = messageOf(error);
      if (state.phase.value === "loading") state.phase.value = "failed";
      if (state.vectors.value === "loading") state.vectors.value = "failed";
    });
  }
}

async function loadVectors(state: State): Promise<Embedding | undefined> {
  try {
    const vectors = inlined("vectors");
    const scales = inlined("scales");
    return await Embedding.turkish({
      onProgress: (loaded, total) => {
        state.progress.value = { loaded, total };
      },
      ...(vectors && scales ? { data: { vectors, scales } } : {}),
    });
  } catch (error) {
    batch(() => {
      state.vectors.value = "failed";
      state.failure.value = messageOf(error);
    });
    return undefined;
  }
}

/** What views ask for: calls that survive the loss of the device. With a table the same device runs the lookup kernels too. */
function createEngine(
  state: State,
  tokenizer: Tokenizer,
  lab: Promise<Lab>,
  vectors: Promise<Embedding | undefined>,
): Engine {
  lab.catch(() => {});
  let withTable: Lab | undefined;
  void vectors.then((embedding) => {
    if (embedding) withTable = Lab.of(embedding);
  });
  return {
    encode: (text) => tokenizer.encode(text),
    piece: (id) => (id < tokenizer.vocabSize ? tokenizer.piece(id) : ""),
    gradient: async (ids, upstream, kernel) => {
      const made = await lab;
      return await surviving(state, () => made.gradient(ids, upstream, kernel));
    },
    time: async (kernel, ids) => {
      const made = withTable ?? (await lab);
      // A graphics card is first kept busy for a moment, because an idle one runs at a fraction of its clock.
      const warmMilliseconds = made.adapter?.software === false ? 100 : 0;
      return await surviving(state, () =>
        made.time(kernel, ids, { minMilliseconds: 10, samples: 5, warmMilliseconds }),
      );
    },
    roundTrip: async (values) => {
      const rows = values.length / D;
      const small = await Embedding.create({
        vocabSize: rows,
        dModel: D,
        table: values,
        precision: "f16",
        backend: (await lab).backend,
      });
      try {
        return await surviving(state, () => small.embed(Uint32Array.from({ length: rows }, (_, i) => i)));
      } finally {
        small.free();
      }
    },
    loseDevice: () => void lab.then((made) => loseDevice(state, made)),
  };
}

/** In the middle of a call, as a driver does it; the second try finds a new device. */
async function loseDevice(state: State, lab: Lab): Promise<void> {
  let lose = true;
  try {
    await surviving(state, () => {
      const call = lab.gradient([0], new Float32Array(D).fill(1), "counted");
      if (lose) lab.loseDevice();
      lose = false;
      return call;
    });
  } catch (error) {
    state.failure.value = messageOf(error);
  }
}

let lastLoss = Number.NEGATIVE_INFINITY;

/** Times that a call is run again: past that the device will not stay. */
const AGAIN = 3;

/** Runs a call again when the device was lost under it; the package makes a new device for the next call. */
async function surviving<T>(state: State, call: () => Promise<T>, again = AGAIN): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isGommeError(error) || error.code !== "device-lost" || again === 0) throw error;
    // Calls that were under way together lose the same device.
    const now = performance.now();
    if (now - lastLoss > 1000) state.losses.value += 1;
    lastLoss = now;
    return await surviving(state, call, again - 1);
  }
}

/** Megabytes are worth moving only once the typing pauses. */
async function settle(tokens: Tokens): Promise<void> {
  if (tokens.ids.length > 1024) await new Promise((resolve) => setTimeout(resolve, 150));
}

// ---- text → tokens

const SPACE = /[ \t\n\r]/;
const PLAIN = /[\p{L}\p{N}.,;:!?'")(-]/u;

/** Where a slice of about `size` units may end: in front of a space between plain characters, so that pieces cannot reach over it. */
function seam(text: string, from: number, size: number): { at: number; hard: boolean } {
  const wished = from + size;
  if (wished >= text.length) return { at: text.length, hard: false };
  const last = Math.min(text.length - 1, wished + 4 * size);
  for (let i = wished; i < last; i++) {
    if (SPACE.test(text.charAt(i)) && PLAIN.test(text.charAt(i - 1)) && PLAIN.test(text.charAt(i + 1))) {
      return { at: i, hard: false };
    }
  }
  const unit = text.charCodeAt(wished - 1);
  return { at: unit >= 0xd800 && unit < 0xdc00 ? wished - 1 : wished, hard: true };
}

function keepTokens(state: State, tokenizer: Tokenizer): void {
  const size = tokenizer.vocabSize;
  const request = newest(async (stale) => {
    const text = state.head.peek() + state.tail.peek();
    const beyond = state.outOfVocab.peek();
    const room = beyond ? KERNEL_LIMIT - 1 : KERNEL_LIMIT;
    const ids: number[] = [];
    const pieces: string[] = [];
    const spans: number[] = [];
    const counts = new Uint32Array(size);
    let total = 0;
    let different = 0;
    let hardCuts = 0;
    const publish = (length: number) => {
      const extra = beyond ? 1 : 0;
      const kept = Uint32Array.from({ length: ids.length + extra }, (_, i) => ids[i] ?? size + BEYOND);
      const tokens: Tokens = {
        ids: kept,
        pieces: beyond ? [...pieces, ""] : pieces.slice(),
        spans: Uint32Array.from(beyond ? [...spans, text.length, text.length] : spans),
        total: total + extra,
        counts: counts.slice(),
        different,
        length,
        hardCuts,
      };
      batch(() => {
        state.tokens.value = tokens;
        state.reading.value = length < text.length ? length / text.length : undefined;
      });
    };

    let slice = 6_000;
    let shown = false;
    let began = performance.now();
    for (let from = 0; from < text.length; ) {
      const end = seam(text, from, slice);
      const before = performance.now();
      const part = tokenizer.encode(text.slice(from, end.at));
      for (let i = 0; i < part.ids.length; i++) {
        const id = part.ids[i] ?? 0;
        if (!counts[id]) different += 1;
        counts[id] = (counts[id] ?? 0) + 1;
        if (ids.length < room) {
          ids.push(id);
          pieces.push(part.pieces[i] ?? "");
          spans.push(from + (part.spans[2 * i] ?? 0), from + (part.spans[2 * i + 1] ?? 0));
        }
      }
      total += part.ids.length;
      if (end.hard) hardCuts += 1;
      from = end.at;
      // Slices follow the speed of this computer: about 6 ms each.
      const took = performance.now() - before;
      slice = Math.round(Math.max(500, Math.min(60_000, (slice * 6) / Math.max(0.5, took))));
      if (performance.now() - began > 12 && from < text.length) {
        if (!shown && ids.length >= room) {
          shown = true;
          publish(from);
        } else state.reading.value = from / text.length;
        await pause();
        if (stale()) return;
        began = performance.now();
      }
    }
    publish(text.length);
  });
  effect(() => {
    state.head.value;
    state.tail.value;
    state.outOfVocab.value;
    untracked(request);
  });
}

// ---- tokens → gradient

async function keepGradient(state: State, lab: Lab): Promise<void> {
  const tell = () => {
    const reason = lab.fallbackReason;
    state.device.value = {
      backend: lab.backend,
      adapter: lab.adapter,
      fallback: reason ? { code: reason.code, message: reason.message } : undefined,
      kernels: state.device.peek()?.kernels ?? lab.kernels,
    };
  };
  tell();

  const request = newest(async (stale) => {
    const tokens = state.tokens.peek();
    if (!tokens) return;
    await settle(tokens);
    if (stale()) return;
    const made = await upstreamFor(state, tokens, stale);
    if (!made || stale()) return;
    try {
      const result = await surviving(state, () => lab.gradient(tokens.ids, made.upstream, "counted"));
      if (stale()) return;
      const gradient: Gradient = {
        ...made,
        result,
        tokens,
        agrees: agreesWith(result, state, tokens, made.expectedAdds),
      };
      batch(() => {
        state.gradient.value = gradient;
        state.failure.value = undefined;
        tell();
        if (state.phase.value === "loading") {
          state.phase.value = "ready";
          performance.mark("gomme:ready");
        }
      });
    } catch (error) {
      state.failure.value = messageOf(error);
      if (state.phase.value === "loading") state.phase.value = "failed";
    }
  });
  effect(() => {
    state.tokens.value;
    state.nan.value;
    state.inf.value;
    state.seed.value;
    if (state.upstream.value === "single") state.chosen.value;
    untracked(request);
  });
}

interface Upstream {
  upstream: Float32Array;
  planted: Gradient["planted"];
  /** Additions expected per id: elements that are neither ±0, NaN nor Inf. */
  expectedAdds: Map<number, number>;
}

/** Random gradients by position, kept because the next text usually needs the same ones. */
const noise = { seed: -1, rows: 0, values: new Float32Array(0), adds: new Uint16Array(0) };

async function noiseFor(seed: number, rows: number, stale: () => boolean): Promise<boolean> {
  if (noise.seed !== seed || noise.values.length < rows * D) {
    const room = Math.min(KERNEL_LIMIT, Math.max(256, 2 * rows));
    const kept = noise.seed === seed ? noise.rows : 0;
    const values = new Float32Array(room * D);
    values.set(noise.values.subarray(0, kept * D));
    const adds = new Uint16Array(room);
    adds.set(noise.adds.subarray(0, kept));
    Object.assign(noise, { seed, rows: kept, values, adds });
  }
  const { values, adds } = noise;
  const first = noise.rows;
  const step = (from: number, to: number) => {
    for (let s = first + from; s < first + to; s++) {
      let some = 0;
      for (let i = s * D; i < (s + 1) * D; i++) {
        const value = bell(seed, i);
        values[i] = value;
        if (value !== 0) some += 1;
      }
      adds[s] = some;
      if (noise.values === values) noise.rows = s + 1;
    }
  };
  return first >= rows || (await inSlices(rows - first, 16, step, stale));
}

async function upstreamFor(state: State, tokens: Tokens, stale: () => boolean): Promise<Upstream | undefined> {
  const kind = state.upstream.peek();
  const seed = state.seed.peek();
  const only = state.chosen.peek()?.s ?? 0;
  const n = tokens.ids.length;
  let upstream: Float32Array;
  if (kind === "random") {
    if (!(await noiseFor(seed, n, stale))) return undefined;
    upstream = noise.values.subarray(0, n * D);
  } else {
    upstream = new Float32Array(n * D);
    if (kind === "ones") upstream.fill(1);
    else upstream.fill(1, only * D, (only + 1) * D);
  }
  const addsAt = (s: number) => {
    if (kind === "random") return noise.adds[s] ?? 0;
    return kind === "ones" || s === only ? D : 0;
  };
  // Planted where a reader can find them: at positions 3 and 5, or at the last one there is.
  const place = (wish: number, d: number) => (n === 0 ? undefined : Math.min(wish, n - 1) * D + d);
  const nan = state.nan.peek() ? place(3, 12) : undefined;
  const inf = state.inf.peek() ? place(5, 200) : undefined;
  const expectedAdds = new Map<number, number>();
  const count = (s: number, adds: number) => {
    const id = tokens.ids[s] ?? 0;
    if (id < state.vocabSize.peek()) expectedAdds.set(id, (expectedAdds.get(id) ?? 0) + adds);
  };
  for (let s = 0; s < n; s++) count(s, addsAt(s));
  if (nan !== undefined || inf !== undefined) {
    if (kind === "random") upstream = upstream.slice();
    for (const [i, value] of [
      [nan, Number.NaN],
      [inf, Number.POSITIVE_INFINITY],
    ] as const) {
      if (i === undefined) continue;
      if (upstream[i] !== 0) count(Math.floor(i / D), -1);
      upstream[i] = value;
    }
  }
  return { upstream, planted: { nan, inf }, expectedAdds };
}

/** Does what the GPU counted equal what the ids say? */
function agreesWith(
  result: Gradient["result"],
  state: State,
  tokens: Tokens,
  expectedAdds: ReadonlyMap<number, number>,
): boolean {
  const hits = new Map<number, number>();
  for (const id of tokens.ids) if (id < state.vocabSize.peek()) hits.set(id, (hits.get(id) ?? 0) + 1);
  if (hits.size !== result.rows.length) return false;
  return result.rows.every(
    (id, u) => result.hits[u] === hits.get(id) && result.adds[u] === (expectedAdds.get(id) ?? 0),
  );
}

// ---- tokens → rows of the table

async function keepLookup(state: State, tokenizer: Tokenizer, embedding: Embedding): Promise<void> {
  embedding.checkVocabulary(tokenizer);
  const lab = Lab.of(embedding);
  // With a table the same device runs the lookup kernels too.
  const device = state.device.peek();
  if (device) state.device.value = { ...device, kernels: lab.kernels };

  const request = newest(async (stale) => {
    const tokens = state.tokens.peek();
    if (!tokens) return;
    await settle(tokens);
    if (stale()) return;
    try {
      const { out } = await surviving(state, () => lab.lookup(tokens.ids, "embed_lookup"));
      if (stale()) return;
      batch(() => {
        state.lookup.value = { out, tokens };
        if (state.vectors.value !== "ready") {
          state.vectors.value = "ready";
          requestAnimationFrame(() => setTimeout(() => performance.mark("gomme:first-lookup")));
        }
      });
      await pause();
      if (stale()) return;
      const kernel = lab.kernels.includes("w16_native") ? "w16_native" : "w16_packed";
      const few = tokens.ids.slice(0, HALF_LIMIT);
      const half = await surviving(state, () => lab.lookup(few, kernel));
      if (stale()) return;
      state.halves.value = compare(out, half.out, tokens, kernel);
    } catch (error) {
      batch(() => {
        state.failure.value = messageOf(error);
        if (state.vectors.value === "loading") state.vectors.value = "failed";
      });
    }
  });
  effect(() => {
    state.tokens.value;
    untracked(request);
  });

  const near = newest(async (stale) => {
    const place = state.chosen.peek();
    await pause();
    if (stale() || !place) return;
    if (place.id >= tokenizer.vocabSize) {
      state.neighbours.value = { id: place.id, byMeaning: [], byNumber: [], far: [] };
      return;
    }
    state.neighbours.value = neighboursOf(place.id, lab, tokenizer);
  });
  effect(() => {
    state.chosen.value?.id;
    untracked(near);
  });
}

function compare(out: Float32Array, half: Float32Array, tokens: Tokens, kernel: "w16_native" | "w16_packed") {
  const error = new Float32Array(half.length);
  let largest = { value: 0, s: 0, d: 0, read: half[0] ?? 0 };
  for (let i = 0; i < half.length; i++) {
    const gap = Math.abs((out[i] ?? 0) - (half[i] ?? 0));
    error[i] = gap;
    if (gap > largest.value) largest = { value: gap, s: Math.floor(i / D), d: i % D, read: half[i] ?? 0 };
  }
  return { tokens, error, largest, kernel };
}

const bare = (piece: string) => piece.replace(/^▁/, "");
/** What case variants have in common; equal for İ and i, I and ı. */
const folded = (piece: string) => bare(piece).toLocaleLowerCase("tr");

function neighboursOf(id: number, lab: Lab, tokenizer: Tokenizer) {
  const list = (found: { ids: Uint32Array; cosines: Float32Array }): Neighbour[] =>
    [...found.ids].map((one, i) => ({ id: one, piece: tokenizer.piece(one), cosine: found.cosines[i] ?? 0 }));
  const seen = new Set([folded(tokenizer.piece(id))]);
  const byMeaning: Neighbour[] = [];
  for (const one of list(lab.nearest(id, 40))) {
    const name = folded(one.piece);
    if (seen.has(name) || byMeaning.length === 6) continue;
    seen.add(name);
    byMeaning.push(one);
  }
  const around = [id - 2, id - 1, id + 1, id + 2].filter((one) => one >= 0 && one < tokenizer.vocabSize);
  const byNumber = list(lab.nearest(id, around.length, Uint32Array.from(around))).sort((a, b) => a.id - b.id);
  const single = (word: string) => {
    const { ids } = tokenizer.encode(word);
    return ids.length === 1 && ids[0] !== id ? ids[0] : undefined;
  };
  const others = ["kamyon", "ve"].map(single).filter((one) => one !== undefined);
  return { id, byMeaning, byNumber, far: list(lab.nearest(id, others.length, Uint32Array.from(others))) };
}
