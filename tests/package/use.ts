// Compiled, never run: everything that the package promises in types, used as a program would, under tsc --strict.

import init, {
  type AdapterFacts,
  Embedding,
  type EmbeddingGradient,
  type Encoding,
  type ErrorCode,
  embed,
  embedGrad,
  type GommeError,
  type GpuArray,
  type GpuGradient,
  type InitOptions,
  Lab,
  Tokenizer,
  toDense,
} from "gomme";

export async function everything(bytes: Uint8Array, wasm: ArrayBuffer): Promise<number> {
  await init();
  await init({ module_or_path: wasm });
  await init(fetch("gomme_bg.wasm"));
  const options: InitOptions = { data: (name) => (name.endsWith(".pack") ? bytes : fetch(`data/${name}`)) };
  const { memory } = await init(options);

  const tokenizer: Tokenizer = await Tokenizer.turkish();
  const { ids, pieces, spans }: Encoding = tokenizer.encode("kedi ve köpek");
  const text: string = tokenizer.decode(ids) + tokenizer.piece(0) + pieces.join("") + tokenizer.fingerprint;

  const rows: Float32Array = await embed(ids);
  const same: Float32Array = await embed([6754, 6283]);
  const gradient: EmbeddingGradient = await embedGrad(ids, rows, { method: "cas" });
  const retries: Uint32Array | undefined = gradient.retries;
  const { outOfVocab, zero, nonFinite } = gradient.skipped;
  const dense: Float32Array = toDense(structuredClone({ ...gradient }));

  const embedding = await Embedding.create({ vocabSize: 8, dModel: 4, seed: 7, precision: "f16", backend: "cpu" });
  embedding.checkVocabulary(Tokenizer.fromModel(bytes));
  const adapter: AdapterFacts | undefined = embedding.adapter;
  const backend: "gpu" | "cpu" = embedding.backend;
  embedding.free();

  const lab = Lab.of(await Embedding.turkish({ onProgress: (loaded, total) => console.log(loaded / total) }));
  const timing = await lab.time("sorted", ids, { samples: 3 });

  const device: GPUDevice | undefined = embedding.device;
  const resident: GpuArray = await embedding.embed(embedding.tokens([1, 2]), { output: "gpu" });
  const summed: GpuGradient = await embedding.embedGrad(ids, resident, { output: "gpu" });
  await embedding.step(summed, { rule: "adagrad", lr: 0.3 });
  await embedding.step(await summed.read(), { rule: "adagrad", lr: 0.3, eps: 1e-8 });
  const [count, width]: readonly [number, number] = resident.shape;
  const buffer: GPUBuffer = resident.buffer;
  resident.dispose();
  if (device === undefined || buffer === undefined) return count * width;

  try {
    await embedGrad(ids, new Float32Array(1));
  } catch (error) {
    const code: ErrorCode = (error as GommeError).code;
    if (code === "shape-mismatch") return spans.length;
  }
  const counts = outOfVocab + zero + nonFinite + (retries?.length ?? 0) + (gradient.gpuMicroseconds ?? 0);
  return (
    memory.buffer.byteLength +
    dense.length +
    text.length +
    same.length +
    counts +
    backend.length +
    (adapter?.maxBufferBytes ?? 0) +
    timing.microseconds
  );
}

export async function misuse(): Promise<void> {
  // @ts-expect-error: ids are numbers
  await embed(["kedi"]);
  // @ts-expect-error: the gradient is a Float32Array
  await embedGrad([1], [0.5]);
  // @ts-expect-error: no such method
  await embedGrad([1], new Float32Array(384), { method: "atomic" });
  // @ts-expect-error: a tokenizer comes from turkish() or fromModel()
  new Tokenizer();
  // @ts-expect-error: cas has no gradient on the GPU
  await (await Embedding.turkish()).embedGrad([1], new Float32Array(384), { output: "gpu", method: "cas" });
  // @ts-expect-error: a rule has a rate
  await (await Embedding.turkish()).step(await embedGrad([1], new Float32Array(384)), { rule: "sgd" });
  // @ts-expect-error: read-only
  (await Embedding.turkish()).dModel = 3;
}
