// What the training loop asks of whoever computes: the package on a GPU, the package on the CPU, or a test's own arrays.
import type { StepRule as PackageRule } from "../pkg/gomme.js";
import type { Batch } from "./draw";

/** The rules of the package that training takes. */
export type StepRule = Extract<PackageRule, { rule: "sgd" | "adagrad" }>;

/** Columns of a row. */
export const WIDTH = 64;

/** Steps between two calls of `read`, at most. */
export const MAX_UNREAD = 64;

export interface Reading {
  /** Mean loss of a pair in each step since the last reading. */
  readonly losses: readonly number[];
  /** Rows of the centres as they are now, in the order asked for. */
  readonly rows: Float32Array;
}

/** Two tables of the same shape, centres and contexts, with their optimiser's state. Calls must not overlap. */
export interface Tables {
  /** Pairs of a batch. */
  readonly pairs: number;
  readonly width: number;
  /** One step: both gradients are of the tables as they were before it. Resolves when it is done, or submitted. */
  step(batch: Batch, rule: StepRule): Promise<void>;
  /** Waits for the steps. */
  read(ids: Uint32Array): Promise<Reading>;
  /** Rows of the contexts as they are now. */
  contexts(ids: Uint32Array): Promise<Float32Array>;
  /** Whether this error came because the device is gone, and the tables with it. */
  isLost(error: unknown): Promise<boolean>;
  free(): void;
}
