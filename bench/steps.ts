// `step` against its formulas in f64, and against what PyTorch computed from the same seeds (torch_twin.py, `CASE`).

import type { StepRule } from "../src/api";
import type { Package } from "./bench";
import type { Check, TorchReport } from "./report";
import { noise, zipfTokens } from "./workload";

export const CASE = { v: 64, d: 8, n: 96, steps: 5, lr: 0.05 } as const;
export const RULES = ["sgd", "adagrad", "adam"] as const satisfies StepRule["rule"][];

/** Relative error that the contract allows, against the weight and all that was added to it. */
const ALLOWED = 2e-5;

/** Tokens and upstream gradient of step `k`, counted from 1. */
export const inputOf = (k: number): { tokens: Uint32Array; gradOut: Float32Array } => ({
  tokens: zipfTokens(CASE.n, CASE.v, k),
  gradOut: noise(CASE.n * CASE.d, 100 + k),
});

export const startTable = (): Float32Array => noise(CASE.v * CASE.d, 7);

/** The table after the steps, and the sum of the magnitudes that went into each weight. */
export function stepsInF64(rule: StepRule["rule"]): { values: Float64Array; magnitudes: Float64Array } {
  const { v, d, steps, lr } = CASE;
  const values = Float64Array.from(startTable());
  const magnitudes = values.map(Math.abs);
  const [accumulators, first, second] = [new Float64Array(v), new Float64Array(v * d), new Float64Array(v * d)];
  const at = (array: Float64Array, i: number): number => array[i] ?? 0;
  for (let k = 1; k <= steps; k++) {
    for (const [row, gradient] of rowsOf(inputOf(k))) {
      const square = gradient.reduce((sum, g) => sum + g * g, 0) / d;
      accumulators[row] = at(accumulators, row) + square;
      gradient.forEach((g, column) => {
        const i = row * d + column;
        let change = lr * g;
        if (rule === "adagrad") change /= Math.sqrt(at(accumulators, row)) + 1e-8;
        if (rule === "adam") {
          first[i] = 0.9 * at(first, i) + 0.1 * g;
          second[i] = 0.999 * at(second, i) + 0.001 * g * g;
          change = (lr * at(first, i)) / (1 - 0.9 ** k) / (Math.sqrt(at(second, i) / (1 - 0.999 ** k)) + 1e-8);
        }
        values[i] = at(values, i) - change;
        magnitudes[i] = at(magnitudes, i) + Math.abs(change);
      });
    }
  }
  return { values, magnitudes };
}

/** The gradient's rows, summed in f64. */
function rowsOf({ tokens, gradOut }: { tokens: Uint32Array; gradOut: Float32Array }): Map<number, Float64Array> {
  const rows = new Map<number, Float64Array>();
  tokens.forEach((token, s) => {
    const row = rows.get(token) ?? new Float64Array(CASE.d);
    rows.set(token, row);
    for (let column = 0; column < CASE.d; column++) {
      row[column] = (row[column] ?? 0) + (gradOut[s * CASE.d + column] ?? 0);
    }
  });
  return rows;
}

/** The largest error of these values, as a share of what is allowed. */
export function worstOf(values: ArrayLike<number>, wanted: ArrayLike<number>, magnitudes: ArrayLike<number>): number {
  let worst = values.length === wanted.length ? 0 : Number.NaN;
  for (let i = 0; i < values.length; i++) {
    const error = Math.abs((values[i] ?? Number.NaN) - (wanted[i] ?? Number.NaN));
    const share = error / (ALLOWED * (magnitudes[i] ?? 0));
    // A NaN must count as wrong, and no later value may hide it.
    if (Number.isNaN(share)) return share;
    worst = Math.max(worst, share);
  }
  return worst;
}

/** Runs the case by each rule on the GPU, with gradients that stay there. */
export async function checkSteps(pkg: Package, torch: TorchReport | undefined): Promise<Check[]> {
  const checks: Check[] = [];
  for (const rule of RULES) {
    const { v, d, n, lr } = CASE;
    const embedding = await pkg.Embedding.create({ vocabSize: v, dModel: d, table: startTable(), backend: "gpu" });
    for (let k = 1; k <= CASE.steps; k++) {
      const { tokens, gradOut } = inputOf(k);
      const gradient = await embedding.embedGrad(tokens, gradOut, { output: "gpu" });
      await embedding.step(gradient, { rule, lr });
      gradient.dispose();
    }
    const rows = await embedding.rows();
    embedding.free();
    const { values, magnitudes } = stepsInF64(rule);
    const say = (by: string, wanted: ArrayLike<number>): void => {
      const worst = worstOf(rows, wanted, magnitudes);
      const text = `${CASE.steps} steps, against ${by}: error at most ${worst.toPrecision(2)} of the bound`;
      checks.push({ by: "gomme", what: `step ${rule}`, v, n, d, ok: worst <= 1, text });
    };
    say("the formula in f64", values);
    const twin = torch?.steps?.find(
      (one) => one.rule === rule && one.dtype === "float64" && one.n === n && one.v === v,
    );
    if (twin) say("PyTorch in f64", twin.values);
  }
  return checks;
}
