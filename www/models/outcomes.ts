// The outcome of a measurement as one word, by which the page chooses its sentence: no outcome is written into the page beforehand.
import type { ColumnPoint } from "../measure/contention";
import type { Run } from "../measure/race";
import type { SkewPoint } from "../measure/speed";
import type { HalfSum } from "./half";
import { type CellPoint, failuresInStep, keptInStep, median, type Width, widthOf } from "./lockstep";

export type Backend = "gpu" | "cpu";

/** Neighbours on one cell: no contention possible, none seen, all in step, groups that take turns or overlap, or in step only so far. */
export type CellOutcome = "cpu" | "apart" | "all" | "groups" | "overlap" | "mixed";

export function cellOutcome(backend: Backend, width: Width): CellOutcome {
  if (backend === "cpu") return "cpu";
  if (width.width < 2) return "apart";
  if (width.atLeast) return "all";
  if (width.inGroups) return "groups";
  return width.overlap ? "overlap" : "mixed";
}

/** Ones that the racy kernel kept of neighbours: all, one of each group in step, next to none of many groups, or just fewer. */
export type KeptOutcome = "cpu" | "none" | "groups" | "one" | "some";

export function keptOutcome(backend: Backend, points: readonly CellPoint[]): KeptOutcome {
  if (backend === "cpu") return "cpu";
  const kept = (point: CellPoint) => median(point.kept);
  if (points.every((point) => kept(point) >= point.k)) return "none";
  const width = widthOf(points)?.width ?? 1;
  const beyond = points.filter((point) => point.k > width);
  const last = [...points].sort((a, b) => a.k - b.k).at(-1);
  if (last && kept(last) <= 2 && (last.k <= width || keptInStep(last.k, width) > 2)) return "one";
  const near = (point: CellPoint) => {
    const expected = keptInStep(point.k, width);
    return Math.abs(kept(point) - expected) <= Math.max(0.5, 0.05 * expected);
  };
  return width > 1 && beyond.length > 0 && points.every(near) ? "groups" : "some";
}

/** Rivals D threads apart, beside lock step: they never met at any k, hardly ever, seldom, or as if in step. */
export type ColumnsOutcome = "cpu" | "none" | "hardly" | "few" | "near";

/** What `point` says, beside all that was measured with it. */
export function columnsOutcome(backend: Backend, point: ColumnPoint, all: readonly ColumnPoint[]): ColumnsOutcome {
  if (backend === "cpu") return "cpu";
  if (all.every((one) => one.perCell === 0)) return "none";
  const inStep = failuresInStep(point.k);
  if (point.perCell < inStep / 100) return "hardly";
  return point.perCell < inStep / 2 ? "few" : "near";
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

export function paceOutcome(ratio: number, slack = 1.1): PaceOutcome {
  if (ratio > slack) return "slower";
  return ratio < 1 / slack ? "faster" : "alike";
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
 * too few to set a time. Times that differ more between rounds than between skews, or go up and down on the way, say nothing.
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
  const time = paceBetween(first, last);
  const { peak, valley } = turnsOf(sorted);
  // Equal at both ends is not the same all the way.
  const level = time !== "alike" || sorted.every((point) => paceBetween(first, point) === "alike");
  // With many failed attempts a time that falls first and rises then is what fewer rows and more rivals do.
  const explained = grew && many && time !== "alike";
  return {
    time: peak || (valley && !explained) || !level ? "unsteady" : time,
    retries: !grew ? "level" : many ? "grew" : "few",
  };
}

/** One kernel on one device over seconds: a software adapter on a busy computer moves by a tenth and more between two measurements. */
const SLACK = 1.2;

/** A slower or faster time must be so in the rounds that both points have, in all but one of five. */
function paceBetween(a: SkewPoint, b: SkewPoint): SkewOutcome["time"] {
  const ratios = (a.rounds ?? []).flatMap((one, round) => {
    const other = b.rounds?.[round];
    return one && other ? [other / one] : [];
  });
  const pace = paceOutcome(b.measure.microseconds / a.measure.microseconds, SLACK);
  if (pace === "alike" || ratios.length < 3) return pace;
  const agree = ratios.filter((ratio) => paceOutcome(ratio) === pace).length;
  return agree >= 0.8 * ratios.length ? pace : "unsteady";
}

/** Whether a time is clearly above, or clearly below, one before it and one after it. */
function turnsOf(sorted: readonly SkewPoint[]): { readonly peak: boolean; readonly valley: boolean } {
  const paces = (at: SkewPoint) => {
    const i = sorted.indexOf(at);
    const before = sorted.slice(0, i).map((one) => paceBetween(one, at));
    const after = sorted.slice(i + 1).map((one) => paceBetween(at, one));
    return { before, after };
  };
  const turns = (up: PaceOutcome, down: PaceOutcome) =>
    sorted.some((point) => {
      const { before, after } = paces(point);
      return before.includes(up) && after.includes(down);
    });
  return { peak: turns("slower", "faster"), valley: turns("faster", "slower") };
}

/** A sum in f16: of nothing, of one contribution, infinite, missing additions, merely less exact, or the very same number. */
export type HalfOutcome = "nothing" | "single" | "overflow" | "lost" | "inexact" | "exact";

export function halfOutcome(sum: HalfSum): HalfOutcome {
  if (sum.additions === 0) return "nothing";
  if (sum.additions === 1) return "single";
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
