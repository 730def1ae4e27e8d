// Time against length, from 8,192 tokens to a million.

import type { TimedKernel } from "../../src/api";
import { type Bench, shapeOf } from "../bench";

const kernels: readonly TimedKernel[] = ["write_only", "fast", "sorted", "embed_lookup", "embed_backward"];

export default async function growth(bench: Bench): Promise<void> {
  const { longest } = bench.settings;
  const available = await bench.available(kernels);
  for (let n = longest < 8_192 ? 512 : 8_192; n <= Math.min(longest, 1_048_576); n *= 2) {
    const shape = shapeOf(n);
    const tokens = bench.tokens(shape);
    for (const kernel of available) {
      if (!bench.tooLongToScatter(kernel, n)) await bench.time("growth", kernel, shape, tokens);
    }
  }
}
