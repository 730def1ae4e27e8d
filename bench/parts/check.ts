// Right, before fast: every kernel and both calls against the definition, ids outside the vocabulary included.

import type { GradientKernel, LookupKernel } from "../../src/api";
import { type Bench, shapeOf } from "../bench";
import { checkLookup, GradientOracle, type Verdict } from "../oracle";
import { noise, VOCABULARY } from "../workload";

const lookups: readonly LookupKernel[] = ["embed_lookup", "fast", "w16_packed", "w16_native", "w16_fast"];
const gradients: readonly GradientKernel[] = ["embed_backward", "counted", "sorted", "sorted_on_gpu"];

export default async function check(bench: Bench): Promise<void> {
  const shape = shapeOf(Math.min(4_096, bench.settings.longest));
  const { n, d } = shape;
  const { embedding, lab, table } = await bench.stand(d);
  const tokens = bench.tokens(shape);
  // Two ids outside the vocabulary: zero rows, no gradient.
  tokens[3] = VOCABULARY;
  tokens[n - 1] = 0xffff_ffff;
  const judge = (what: string, { ok, text }: Verdict): void => {
    bench.recorder.check({ by: "gomme", what, n, d, ok, text });
  };
  const guard = (what: string, step: () => Promise<void>) => bench.guard("check", "gomme", what, step);

  for (const kernel of await bench.available(lookups)) {
    await guard(kernel, async () => judge(kernel, await bench.checkLookup(kernel, shape, tokens)));
  }
  const gradOut = noise(n * d, 11);
  const oracle = new GradientOracle(tokens, gradOut, d, VOCABULARY);
  for (const kernel of await bench.available(gradients)) {
    await guard(kernel, async () => judge(kernel, oracle.check(await lab.gradient(tokens, gradOut, kernel))));
  }
  await guard("embed", async () => judge("embed", checkLookup(await embedding.embed(tokens), table, tokens, d)));
  await guard("embedGrad", async () => {
    const first = await embedding.embedGrad(tokens, gradOut);
    judge("embedGrad", oracle.check(first));
    const second = await embedding.embedGrad(tokens, gradOut);
    const ok = sameBits(first.grad, second.grad);
    judge("embedGrad twice", { ok, worst: 0, text: ok ? "same bits" : "other bits in the second run" });
  });
}

function sameBits(a: Float32Array, b: Float32Array): boolean {
  const left = new Uint32Array(a.buffer, a.byteOffset, a.length);
  const right = new Uint32Array(b.buffer, b.byteOffset, b.length);
  return left.length === right.length && left.every((word, i) => word === right[i]);
}
