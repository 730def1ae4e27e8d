// Starts the engine: the package, the tokenizer, the device and the vectors, each put to work as soon as it is there.
import { batch } from "@preact/signals-core";
import { inlined } from "../assets";
import init, { Embedding, Lab, Tokenizer } from "../pkg/gomme.js";
import { D, type State } from "../state";
import { createEngine, messageOf } from "./calls";
import { keepGradient } from "./gradient";
import { keepLookup } from "./lookup";
import { keepNeighbours } from "./neighbours";
import { keepTable } from "./own";
import { keepTokens } from "./tokens";

export async function start(state: State): Promise<void> {
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
    keepGradient(state, await fitting);
    const embedding = await vectors;
    if (!embedding) return;
    embedding.checkVocabulary(tokenizer);
    const table = keepTable(state, Lab.of(embedding));
    keepLookup(state, table);
    keepNeighbours(state, tokenizer, table);
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
