// What a sorted gradient holds on the GPU beyond its inputs and outputs: the buffers that a fresh device makes for it.

import { type Bench, shapeOf } from "../bench";
import { aliveBytes } from "../devices";
import { MEMORY_TARGET } from "../targets";

export default async function memory(bench: Bench): Promise<void> {
  for (const n of bench.lengths([512, 8_192, 65_536, 262_144])) {
    const shape = shapeOf(n);
    const { d, v } = shape;
    const tokens = bench.tokens(shape);
    await bench.guard("memory", "gomme", `sorted N=${n}`, async () => {
      const { result: usedRows, peak } = await aliveBytes(async () => {
        const lab = await bench.pkg.Lab.create({ vocabSize: v, dModel: d, backend: "gpu" });
        try {
          return (await lab.time("sorted", tokens, { samples: 1, minMilliseconds: 0 })).usedRows;
        } finally {
          lab.free();
        }
      });
      const [inputs, outputs] = [4 * n + 4 * n * d, 4 * usedRows * d];
      const extra = peak - inputs - outputs;
      const base = { part: "memory", by: "gomme", operation: "gradient", n, d } as const;
      bench.recorder.figure({ ...base, what: "sorted, beyond inputs and outputs", value: extra, unit: "bytes" });
      const value = extra / (4 * n * d);
      bench.recorder.figure({ ...base, what: "the same / 4·N·D", value, unit: "1", target: MEMORY_TARGET });
    });
  }
}
