// The table of targets, a shape after the other, and the document's kernels beside it.

import type { TimedKernel } from "../../src/api";
import { type Bench, type Shape, shapeOf } from "../bench";
import { baselines, targets } from "../targets";
import { VOCABULARY } from "../workload";

export default async function measureTargets(bench: Bench): Promise<void> {
  const { longest, shortest, vocabulary } = bench.settings;
  const shapes = new Map<string, { shape: Shape; kernels: Set<TimedKernel> }>();
  const add = (kernel: TimedKernel, shape: Shape): void => {
    if (shape.n > longest || shape.n < shortest || bench.tooLongToScatter(kernel, shape.n)) return;
    if (vocabulary !== undefined && shape.v !== vocabulary) return;
    const key = JSON.stringify(shape);
    const row = shapes.get(key) ?? { shape, kernels: new Set() };
    shapes.set(key, row);
    row.kernels.add(kernel);
  };
  for (const { kernel, v, n, d } of targets) add(kernel, shapeOf(n, { v, d }));
  for (const { kernel, n, d } of baselines) add(kernel, shapeOf(n, { v: VOCABULARY, d }));
  for (const { shape, kernels } of shapes.values()) {
    const tokens = bench.tokens(shape);
    const { kernels: available } = await bench.lab(shape);
    for (const kernel of kernels) {
      if (available.includes(kernel)) await bench.time("targets", kernel, shape, tokens);
      else bench.recorder.failure({ part: "targets", by: "gomme", what: kernel, message: "not on this device" });
    }
  }
}
