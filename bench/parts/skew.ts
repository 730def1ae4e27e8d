// All tokens equal against all rows equally often: how much one hot row costs.

import type { TimedKernel } from "../../src/api";
import { type Bench, operationOf, shapeOf } from "../bench";
import { SKEW_TARGET } from "../targets";

const kernels: readonly TimedKernel[] = ["fast", "sorted", "embed_backward"];

/** Equal tokens are the compare-exchange loop's worst case: n · (n-1) / 2 failed exchanges if all run in lock step. */
const LONGEST_EQUAL_SCATTER = 16_384;

export default async function skew(bench: Bench): Promise<void> {
  const available = await bench.available(kernels);
  for (const n of bench.lengths([512, 2_048, 4_096, 16_384, 65_536, 262_144])) {
    for (const kernel of available) {
      if (bench.tooLongToScatter(kernel, n)) continue;
      if (kernel === "embed_backward" && n > LONGEST_EQUAL_SCATTER) continue;
      const [equally, apart] = [shapeOf(n, { tokens: "equal" }), shapeOf(n, { tokens: "spread" })];
      const equal = await bench.time("skew", kernel, equally);
      const different = await bench.time("skew", kernel, apart);
      if (!equal || !different) continue;
      const operation = operationOf(kernel);
      bench.recorder.figure({
        part: "skew",
        by: "gomme",
        what: `${kernel}: equal / spread`,
        ...(operation ? { operation } : {}),
        n,
        d: equally.d,
        value: equal.microseconds / different.microseconds,
        unit: "1",
        ...(kernel === "sorted" ? { target: SKEW_TARGET } : {}),
      });
    }
  }
}
