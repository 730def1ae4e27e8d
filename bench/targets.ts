// The table that the project set itself, for an NVIDIA H200 and both browsers alike: each row with its target, and what
// PyTorch's twin calls the same work. Rows without a target are there to be seen.

import type { TimedKernel } from "../src/api";
import { VOCABULARY, WIDTH } from "./workload";

export interface Target {
  readonly label: "lookup" | "lookupHalf" | "gradient";
  readonly kernel: TimedKernel;
  readonly v: number;
  readonly n: number;
  readonly d: number;
  /** Microseconds. */
  readonly target?: number;
  readonly stretch?: number;
  /** Instead of `target`: at most this share of the f32 lookup at the same shape, in the same run. */
  readonly ofLookup?: number;
  /** The twin's name for the same work. */
  readonly torch?: string;
}

const gradient = (n: number, target?: number, stretch?: number, v = VOCABULARY): Target => ({
  label: "gradient",
  kernel: "sorted",
  v,
  n,
  d: WIDTH,
  ...(target === undefined ? {} : { target }),
  ...(stretch === undefined ? {} : { stretch }),
  torch: "embedding_dense_backward",
});

const lookup = (n: number, d: number, target: number, stretch: number): Target => ({
  label: "lookup",
  kernel: "fast",
  v: VOCABULARY,
  n,
  d,
  target,
  stretch,
  torch: "embedding",
});

export const targets: readonly Target[] = [
  lookup(262_144, 384, 120, 108),
  lookup(65_536, 768, 65, 58),
  {
    label: "lookupHalf",
    kernel: "w16_fast",
    v: VOCABULARY,
    n: 262_144,
    d: WIDTH,
    ofLookup: 1.03,
    torch: "embedding_f16",
  },
  gradient(512, 10, 7),
  gradient(2_048, 16, 11),
  gradient(4_096, 22, 16),
  gradient(8_192, 28, 20),
  gradient(65_536, 62, 50),
  gradient(262_144, 152, 140),
  // 1.6 GB a buffer, where Firefox stops at 1 GiB.
  gradient(1_048_576, 530, 500),
  // Other vocabularies: more of them need more rounds of sorting, and lists of rows that grow with V.
  ...[1_000, 131_072, 1_048_576].flatMap((v) => [
    gradient(2_048, undefined, undefined, v),
    gradient(65_536, undefined, undefined, v),
  ]),
];

/** Skew: all tokens equal at most this much slower than all rows equally often, at every N. */
export const SKEW_TARGET = 1.3;

/** Memory beyond inputs and outputs: at most this many times the 4·N·D bytes of the upstream gradient. */
export const MEMORY_TARGET = 2;

/**
 * The document's kernels, timed for comparison and judged by nothing: f16 by both of its paths, the lookup and the loop of
 * compare-exchanges; and the bare write, whose speed is the floor.
 */
export const baselines: readonly { kernel: TimedKernel; n: number; d: number }[] = [
  ...(["write_only", "embed_lookup", "embed_backward"] as const).flatMap((kernel) =>
    [512, 8_192, 262_144].map((n) => ({ kernel, n, d: WIDTH })),
  ),
  ...(["w16_packed", "w16_native"] as const).map((kernel) => ({ kernel, n: 262_144, d: WIDTH })),
  { kernel: "write_only", n: 65_536, d: 768 },
  { kernel: "fast", n: 8_192, d: WIDTH },
];
