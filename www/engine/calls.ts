// Calls to the package that survive the loss of the device, and what of them views may ask for.
import { Embedding, type GommeError, Lab, type Tokenizer } from "../pkg/gomme.js";
import type { Engine } from "../results";
import { D, type State } from "../state";

export const isGommeError = (error: unknown): error is GommeError =>
  error instanceof Error && error.name === "GommeError";

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Rows of the table of one column; one of them is used. */
const CELL_ROWS = 100;

/** What views ask for: calls that survive the loss of the device. With a table the same device runs the lookup kernels too. */
export function createEngine(
  state: State,
  tokenizer: Tokenizer,
  lab: Promise<Lab>,
  vectors: Promise<Embedding | undefined>,
): Engine {
  lab.catch(() => {});
  let withTable: Lab | undefined;
  let narrow: Promise<Lab> | undefined;
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
    cell: async (ids, upstream, kernel) => {
      narrow ??= lab.then(({ backend }) => Lab.create({ vocabSize: CELL_ROWS, dModel: 1, backend }));
      const made = await narrow.catch((error) => {
        narrow = undefined;
        throw error;
      });
      return await surviving(state, () => made.gradient(ids, upstream, kernel));
    },
    time: async (kernel, ids, { clock, samples }) => {
      const made = withTable ?? (await lab);
      // A graphics card is first kept busy for a moment, because an idle one runs at a fraction of its clock.
      const warmMilliseconds = made.adapter?.software === false ? 100 : 0;
      return await surviving(state, () =>
        made.time(kernel, ids, { minMilliseconds: 10, samples, warmMilliseconds, clock }),
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
    cosine: (a, b) => withTable?.nearest(a, 1, Uint32Array.of(b)).cosines[0],
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
export async function surviving<T>(state: State, call: () => Promise<T>, again = AGAIN): Promise<T> {
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
