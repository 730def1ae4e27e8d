// Ratios that a computer without a GPU can measure too: the pairs in turn, because it is rarely idle.

import type { TimedKernel } from "../../src/api";
import { type Bench, shapeOf } from "../bench";
import { median } from "../statistics";

const ROUNDS = 7;
const pairs: readonly (readonly [TimedKernel, TimedKernel])[] = [
  ["fast", "embed_lookup"],
  ["sorted", "embed_backward"],
  ["w16_fast", "embed_lookup"],
];

export default async function ratio(bench: Bench): Promise<void> {
  const shape = shapeOf(Math.min(4_096, bench.settings.longest));
  const { lab } = await bench.stand(shape.d);
  const tokens = bench.tokens(shape);
  const time = async (kernel: TimedKernel): Promise<number> =>
    (await lab.time(kernel, tokens, { samples: 3, minMilliseconds: 10 })).microseconds;
  for (const [fast, slow] of pairs) {
    const what = `${fast} / ${slow}`;
    await bench.guard("ratio", "gomme", what, async () => {
      const [fasts, slows]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        fasts.push(await time(fast));
        slows.push(await time(slow));
      }
      const value = median(fasts) / median(slows);
      bench.recorder.figure({ part: "ratio", by: "gomme", what, n: shape.n, d: shape.d, value, unit: "1" });
    });
  }
}
