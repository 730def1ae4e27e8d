// What the training loop asks of whoever computes: the package on a GPU, the package on the CPU, or a test's own arrays.
import type { Batch } from "./draw";

/** How a gradient changes the table; Adagrad with one accumulator a row. */
export type StepRule =
  | { readonly rule: "sgd"; readonly lr: number }
  | { readonly rule: "adagrad"; readonly lr: number };

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
  free(): void;
}
