// One step's pairs on the CPU: scores, loss, and the gradient of every row that took part. The twin of pair.wgsl.
import { TARGETS } from "./draw";

export interface PairGradients {
  /** dL/d(centre row), one a pair. */
  readonly centres: Float32Array;
  /** dL/d(target row), TARGETS a pair. */
  readonly targets: Float32Array;
  /** Mean loss of a pair. */
  readonly loss: number;
}

/** The gradients of L = Σ over pairs of −log σ(c·t₀) − Σ_k log σ(−c·t_k), for looked-up rows of centres and targets. */
export function pairGradients(centres: Float32Array, targets: Float32Array, width: number): PairGradients {
  const pairs = centres.length / width;
  const ofCentres = new Float32Array(centres.length);
  const ofTargets = new Float32Array(targets.length);
  let loss = 0;
  for (let b = 0; b < pairs; b++) {
    const c = b * width;
    for (let k = 0; k < TARGETS; k++) {
      const t = (b * TARGETS + k) * width;
      let score = 0;
      for (let d = 0; d < width; d++) score += (centres[c + d] as number) * (targets[t + d] as number);
      // exp of what is never positive: it cannot overflow.
      const e = Math.exp(-Math.abs(score));
      const sigmoid = score >= 0 ? 1 / (1 + e) : e / (1 + e);
      const slope = k === 0 ? sigmoid - 1 : sigmoid;
      loss += Math.max(k === 0 ? -score : score, 0) + Math.log1p(e);
      for (let d = 0; d < width; d++) {
        ofCentres[c + d] = (ofCentres[c + d] as number) + slope * (targets[t + d] as number);
        ofTargets[t + d] = slope * (centres[c + d] as number);
      }
    }
  }
  return { centres: ofCentres, targets: ofTargets, loss: loss / pairs };
}
