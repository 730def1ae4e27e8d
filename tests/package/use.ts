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
  GpuArray,
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
  const output = ids.length > 2 ? "gpu" : "array";
  const either: Float32Array | GpuArray = await embedding.embed(ids, { output });
  const bags: Float32Array | GpuArray = await embedding.embedBag(ids, new Int32Array(1), { output, mode: "sum" });
  const mean: Float32Array = await embedding.embedBag(ids, [0] as readonly number[]);
  const grouped: EmbeddingGradient | GpuGradient = await embedding.embedGrad(ids, resident.buffer, { output });
  if (either instanceof GpuArray && bags instanceof GpuArray && "capacity" in grouped) return mean.length;
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
  const table = await Embedding.turkish();
  // @ts-expect-error: a GPUBuffer is no number
  await table.embedGrad([1], 5);
  // @ts-expect-error: nor any object
  await table.embedGrad([1], {});
  // @ts-expect-error: nor an array
  await table.embedGrad([1], [1, 2]);
  // @ts-expect-error: nor a string
  table.tokens("kedi");
  // @ts-expect-error: a GPUDevice is no number
  await Embedding.create({ vocabSize: 1, dModel: 1, device: 5 });
  // @ts-expect-error: read-only
  (await Embedding.turkish()).dModel = 3;
}
