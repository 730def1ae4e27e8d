// The outcome of a measurement as one word, by which the page chooses its sentence: no outcome is written into the page beforehand.
import type { ColumnPoint } from "../measure/contention";
import type { Run } from "../measure/race";
import type { SkewPoint } from "../measure/speed";
import type { HalfSum } from "./half";
import { failuresInStep, type Width } from "./lockstep";

export type Backend = "gpu" | "cpu";

/** Neighbours on one cell: no contention possible, none seen, all in step, groups in step, or in step only so far. */
export type CellOutcome = "cpu" | "apart" | "all" | "groups" | "mixed";

export function cellOutcome(backend: Backend, width: Width): CellOutcome {
  if (backend === "cpu") return "cpu";
  if (width.width < 2) return "apart";
  if (width.atLeast) return "all";
  return width.inGroups ? "groups" : "mixed";
}

/** Rivals D threads apart, compared with lock step: they never met, seldom did, or met as if in step. */
export type ColumnsOutcome = "cpu" | "none" | "few" | "near";

export function columnsOutcome(backend: Backend, point: ColumnPoint): ColumnsOutcome {
  if (backend === "cpu") return "cpu";
  if (point.perCell === 0) return "none";
  return point.perCell < failuresInStep(point.k) / 2 ? "few" : "near";
}

/** Additions that runs lost: none, in some runs, in all. */
export type LossOutcome = "none" | "some" | "all";

export function lossOutcome(runs: readonly Pick<Run, "lost">[]): LossOutcome {
  const some = runs.filter((run) => run.lost > 0).length;
  if (some === 0) return "none";
  return some < runs.length ? "some" : "all";
}

/** The bits of runs compared with the first one; a single run says nothing. */
export type BitsOutcome = "alone" | "same" | "moved";

export function bitsOutcome(runs: readonly Pick<Run, "cells">[]): BitsOutcome {
  if (runs.length < 2) return "alone";
  return runs.some((run) => run.cells > 0) ? "moved" : "same";
}

/** A time compared with another; five samples cannot show a difference of less than a tenth. */
export type PaceOutcome = "slower" | "alike" | "faster";

export function paceOutcome(ratio: number): PaceOutcome {
  if (ratio > 1.1) return "slower";
  return ratio < 1 / 1.1 ? "faster" : "alike";
}

/** A kernel compared with the time that writing alone takes. */
export type FloorOutcome = "near" | "far";

export function floorOutcome(ratio: number): FloorOutcome {
  return ratio <= 2 ? "near" : "far";
}

export interface Growth {
  readonly n: number;
  readonly additions: number;
  readonly retries: number;
}

/** Failed attempts as N grows: none at all, always fewer than additions, or more of them from some N on. */
export type GrowthOutcome =
  | { readonly kind: "none" }
  | { readonly kind: "below" }
  | { readonly kind: "overtaken"; readonly n: number };

export function growthOutcome(points: readonly Growth[]): GrowthOutcome {
  if (points.every((point) => point.retries === 0)) return { kind: "none" };
  const first = [...points].sort((a, b) => a.n - b.n).find((point) => point.retries > point.additions);
  return first ? { kind: "overtaken", n: first.n } : { kind: "below" };
}

/**
 * From flat to skewed frequencies: what the time did, and whether failed attempts grew. Fewer than one in a hundred additions are
 * too few to set a time; without more, a time that goes both up and down on the way says nothing either.
 */
export interface SkewOutcome {
  readonly time: PaceOutcome | "unsteady";
  readonly retries: "grew" | "few" | "level";
}

const FEW = 1 / 100;

export function skewOutcome(points: readonly SkewPoint[], additions: number): SkewOutcome | undefined {
  const sorted = [...points].sort((a, b) => a.skew - b.skew);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last || first === last) return undefined;
  const retries = (point: SkewPoint) => point.measure.retries ?? 0;
  const grew = retries(last) > retries(first);
  const many = retries(last) >= additions * FEW;
  const steps = sorted.flatMap((one, i) =>
    sorted.slice(i + 1).map((later) => paceOutcome(later.measure.microseconds / one.measure.microseconds)),
  );
  const unsteady = !(grew && many) && steps.includes("slower") && steps.includes("faster");
  return {
    time: unsteady ? "unsteady" : paceOutcome(last.measure.microseconds / first.measure.microseconds),
    retries: !grew ? "level" : many ? "grew" : "few",
  };
}

/** A sum in f16: infinite, missing additions, merely less exact, or the very same number. */
export type HalfOutcome = "nothing" | "overflow" | "lost" | "inexact" | "exact";

export function halfOutcome(sum: HalfSum): HalfOutcome {
  if (sum.additions === 0) return "nothing";
  if (sum.overflow !== undefined) return "overflow";
  if (sum.lost.f16 > 0) return "lost";
  return sum.f16 === sum.f32 ? "exact" : "inexact";
}

/** What a reader may expect of a number beside another. */
export type Guess = "more" | "same" | "less";

/** Which guess was right; `slack` is how far apart two equal numbers may be, as a factor. */
export function truth(value: number, beside: number, slack = 1): Guess {
  if (value > beside * slack) return "more";
  return value * slack < beside ? "less" : "same";
}
