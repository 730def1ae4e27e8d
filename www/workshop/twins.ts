// The right results: from the package on the CPU, where each kernel has a tested twin.
import { Embedding } from "../pkg/gomme.js";

async function onCpu<T>(
  options: { vocabSize: number; dModel: number; table?: Float32Array; precision?: "f32" | "f16" },
  ask: (embedding: Embedding) => Promise<T>,
): Promise<T> {
  const embedding = await Embedding.create({ ...options, backend: "cpu" });
  try {
    return await ask(embedding);
  } finally {
    embedding.free();
  }
}

/** Bits of the rows of a V·D table for these tokens. */
export async function lookupOf(
  table: Float32Array,
  v: number,
  d: number,
  tokens: Uint32Array,
  precision: "f32" | "f16",
): Promise<Uint32Array> {
  const rows = await onCpu({ vocabSize: v, dModel: d, table, precision }, (embedding) => embedding.embed(tokens));
  return new Uint32Array(rows.slice().buffer);
}

/** Bits of the V·D cells after the gradient was added to them, positions in order; a NaN in a cell stays there. */
export async function gradientOf(
  cells: Uint32Array,
  v: number,
  d: number,
  tokens: Uint32Array,
  gradient: Uint32Array,
): Promise<Uint32Array> {
  const before = new Float32Array(cells.slice().buffer);
  // What the cells hold is a first addition to each row; −0 and NaN, which are no additions, are put back below.
  const ids = Uint32Array.from([...Array.from({ length: v }, (_, row) => row), ...tokens]);
  const bits = new Uint32Array(cells.length + gradient.length);
  bits.set(cells);
  bits.set(gradient, cells.length);
  const { rows, grad } = await onCpu({ vocabSize: v, dModel: d }, (embedding) =>
    embedding.embedGrad(ids, new Float32Array(bits.buffer), { method: "cas" }),
  );
  const sums = new Uint32Array(v * d);
  const found = new Uint32Array(grad.slice().buffer);
  rows.forEach((row, u) => {
    sums.set(found.subarray(u * d, (u + 1) * d), row * d);
  });
  before.forEach((value, cell) => {
    const untouched = sums[cell] === 0 && value === 0;
    if (Number.isNaN(value) || untouched) sums[cell] = cells[cell] ?? 0;
  });
  return sums;
}
