// What a sorted gradient holds on the GPU beyond its inputs and outputs: all that its kernels are given.

import { type Bench, shapeOf } from "../bench";
import { boundBytes } from "../devices";
import { MEMORY_TARGET } from "../targets";

export default async function memory(bench: Bench): Promise<void> {
  for (const n of bench.lengths([512, 8_192, 65_536, 262_144])) {
    const shape = shapeOf(n);
    const { d } = shape;
    const tokens = bench.tokens(shape);
    await bench.guard("memory", "gomme", `sorted N=${n}`, async () => {
      const { lab } = await bench.stand(d);
      const time = () => lab.time("sorted", tokens, { samples: 1, minMilliseconds: 0 });
      const { result, bytes } = await boundBytes(time);
      const [inputs, outputs] = [4 * n + 4 * n * d, 4 * result.usedRows * d];
      const extra = bytes - inputs - outputs;
      const base = { part: "memory", by: "gomme", operation: "gradient", n, d } as const;
      bench.recorder.figure({ ...base, what: "sorted, beyond inputs and outputs", value: extra, unit: "bytes" });
      const value = extra / (4 * n * d);
      bench.recorder.figure({ ...base, what: "the same / 4·N·D", value, unit: "1", target: MEMORY_TARGET });
    });
  }
}
