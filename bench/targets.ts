// The table that the project set itself, for an NVIDIA H200: each row with its target, what PyTorch's twin calls the
// same work, and what the bytes alone would take.

import type { TimedKernel } from "../src/api";

export interface Target {
  readonly label: "lookup" | "lookupHalf" | "gradientGrouped" | "gradient";
  readonly kernels: readonly TimedKernel[];
  readonly n: number;
  readonly d: number;
  /** Microseconds. */
  readonly target?: number;
  readonly stretch?: number;
  /** Instead of `target`: at most this share of the f32 lookup at the same shape, in the same run. */
  readonly ofLookup?: number;
  /** The twin's name for the same work. */
  readonly torch?: string;
  /** At most this share of PyTorch's time. */
  readonly ofTorch?: number;
}

export const targets: readonly Target[] = [
  { label: "lookup", kernels: ["fast"], n: 262_144, d: 384, target: 120, stretch: 108, torch: "embedding" },
  { label: "lookup", kernels: ["fast"], n: 65_536, d: 768, target: 66, stretch: 58, torch: "embedding" },
  {
    label: "lookupHalf",
    kernels: ["w16_fast", "w16_packed", "w16_native"],
    n: 262_144,
    d: 384,
    ofLookup: 1.03,
    torch: "embedding_f16",
  },
  { label: "gradientGrouped", kernels: ["sorted_parts"], n: 262_144, d: 384, target: 115, stretch: 105 },
  {
    label: "gradient",
    kernels: ["sorted"],
    n: 262_144,
    d: 384,
    target: 295,
    stretch: 200,
    torch: "embedding_dense_backward",
    ofTorch: 0.5,
  },
  {
    label: "gradient",
    kernels: ["sorted"],
    n: 65_536,
    d: 384,
    target: 110,
    stretch: 80,
    torch: "embedding_dense_backward",
  },
  {
    label: "gradient",
    kernels: ["sorted"],
    n: 8_192,
    d: 384,
    target: 45,
    stretch: 30,
    torch: "embedding_dense_backward",
  },
  {
    label: "gradient",
    kernels: ["sorted"],
    n: 512,
    d: 384,
    target: 20,
    stretch: 15,
    torch: "embedding_dense_backward",
  },
];

/** The document's kernels and the bare write, timed at every shape of the table as its baseline. */
export const baselines: readonly TimedKernel[] = ["write_only", "embed_lookup", "embed_backward"];

/** A pass of Chromium's takes this much longer than one of Firefox's on the same GPU; the targets allow for it. */
export const chromiumMicrosecondsPerPass = 2;
