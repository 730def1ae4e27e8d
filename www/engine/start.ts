// Starts the engine: the package, the tokenizer, the device and the vectors, each put to work as soon as it is there.
import { batch } from "@preact/signals-core";
import { inlined } from "../assets";
import init, { Embedding, Lab, Tokenizer } from "../pkg/gomme.js";
import { D, type State } from "../state";
import { createEngine, messageOf } from "./calls";
import { tellDevice } from "./device";
import { keepLookup } from "./lookup";
import { keepTable } from "./own";
import { keepTokens } from "./tokens";

/** What computes for the later sections, which comes with them. */
export interface LaterEngine {
  readonly keepGradient: typeof import("./gradient").keepGradient;
  readonly keepNeighbours: typeof import("./neighbours").keepNeighbours;
}

export async function start(state: State, later: Promise<LaterEngine>): Promise<void> {
  let tokenizer: Tokenizer;
  let lab: Promise<Lab>;
  let vectors: Promise<Embedding | undefined>;
  try {
    const wasm = inlined("gomme_bg.wasm");
    await (wasm ? init({ module_or_path: wasm, data: (name) => inlined(name) ?? missing(name) }) : init());
    // Model, device and vectors are waited for together; the page needs them in this order.
    const reading = Tokenizer.turkish();
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
    const plain = await fitting;
    tellDevice(state, plain);
    // Where they can't be loaded the page says so, and goes on without.
    later.then(({ keepGradient }) => keepGradient(state, plain)).catch(() => {});
    const embedding = await vectors;
    if (!embedding) return;
    embedding.checkVocabulary(tokenizer);
    const table = keepTable(state, Lab.of(embedding));
    keepLookup(state, table);
    later.then(({ keepNeighbours }) => keepNeighbours(state, tokenizer, table)).catch(() => {});
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
    return await Embedding.turkish({
      onProgress: (loaded, total) => {
        state.progress.value = { loaded, total };
      },
    });
  } catch (error) {
    batch(() => {
      state.vectors.value = "failed";
      state.failure.value = messageOf(error);
    });
    return undefined;
  }
}

function missing(name: string): never {
  throw new Error(`this page does not hold ${name}`);
}
