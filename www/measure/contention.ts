// How often threads get in each other's way, measured: k neighbours on one cell, and k positions on one row of 384 cells.
import type { Control } from "../job";
import type { CellPoint } from "../models/lockstep";
import type { EmbeddingGradient, GradientKernel } from "../pkg/gomme.js";
import { bell } from "../random";

/** A gradient by a kernel of the lesson, on whatever device there is. */
export type GradientCall = (
  tokens: Uint32Array,
  upstream: Float32Array,
  kernel: GradientKernel,
) => Promise<EmbeddingGradient>;

/** Every k to 10, then both sides of the widths in which devices walk in step. */
export const CELL_KS: readonly number[] = [
  2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 17, 24, 32, 33, 48, 64, 65, 96, 128, 256, 1024, 4096,
];
export const COLUMN_KS: readonly number[] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 32, 64, 256];

/** Runs of each k: enough to see that a count is always the same. */
export const RUNS = 3;

/**
 * k equal tokens with one column (D = 1): the rivals for the cell are neighbouring threads. Failed exchanges as the GPU
 * counted them, and what the racy kernel kept of k ones.
 */
export async function measureCell(
  call: GradientCall,
  ks: readonly number[],
  control: Pick<Control, "stopped" | "tell">,
): Promise<CellPoint[]> {
  const points: CellPoint[] = [];
  for (const [i, k] of ks.entries()) {
    if (control.stopped()) return points;
    control.tell(i, ks.length, `k = ${k}`);
    const tokens = new Uint32Array(k).fill(5);
    const ones = new Float32Array(k).fill(1);
    const runs = Array.from({ length: RUNS });
    const counted = await Promise.all(runs.map(() => call(tokens, ones, "counted")));
    const racy = await Promise.all(runs.map(() => call(tokens, ones, "racy")));
    points.push({
      k,
      failures: counted.map((one) => one.retries?.[0] ?? 0),
      kept: racy.map((one) => one.grad[0] ?? 0),
    });
  }
  return points;
}

export interface ColumnPoint {
  readonly k: number;
  /** Failed exchanges a cell, the mean over the row's cells and the runs. */
  readonly perCell: number;
}

/** k positions on row `id` of `width` columns: the rivals for a cell are `width` threads apart. */
export async function measureColumns(
  call: GradientCall,
  { ks, id, width, seed }: { ks: readonly number[]; id: number; width: number; seed: number },
  control: Pick<Control, "stopped" | "tell">,
): Promise<ColumnPoint[]> {
  const points: ColumnPoint[] = [];
  for (const [i, k] of ks.entries()) {
    if (control.stopped()) return points;
    control.tell(i, ks.length, `k = ${k}`);
    const upstream = Float32Array.from({ length: k * width }, (_, at) => bell(seed, at));
    const tokens = new Uint32Array(k).fill(id);
    const results = await Promise.all(Array.from({ length: RUNS }, () => call(tokens, upstream, "counted")));
    const failed = results.reduce((sum, one) => sum + (one.retries?.[0] ?? 0), 0);
    points.push({ k, perCell: failed / RUNS / width });
  }
  return points;
}
