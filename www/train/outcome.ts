// What a run shows, told from its numbers alone: sentences on the page follow this, and never what was expected.
import { type Point, START_LOSS } from "./run";
import type { Watched } from "./watch";

/** Everything points one way from this cosine on. */
const TOGETHER = 0.9;
/** Related pairs are apart from the controls by this much. */
const APART = 0.15;
/** A related pair has come together. */
const CLOSE = 0.35;
/** Loss is above its start: noise stays far below this much. */
const ABOVE = 1.05;

export type Outcome =
  /** No step was done. */
  | { readonly kind: "none" }
  /** The loss, or the cosine of a watched pair, is no number any more; `frozen` where rows stay what they were. */
  | { readonly kind: "broken"; readonly step: number; readonly loss: number; readonly frozen: boolean }
  | TooLarge
  /** Every watched cosine is near 1, those of the controls too. */
  | { readonly kind: "collapsed"; readonly least: number; readonly control: number | undefined; readonly loss: number }
  /** Related pairs stand apart from the controls. */
  | { readonly kind: "apart"; readonly related: number; readonly control: number; readonly loss: number }
  /** Related pairs came together, and a control rose with them. */
  | { readonly kind: "control-rose"; readonly related: number; readonly control: number; readonly loss: number }
  /** Related pairs came together, and there is no control to compare with. */
  | { readonly kind: "no-control"; readonly related: number; readonly loss: number }
  /** The pairs have not come together yet. */
  | { readonly kind: "early"; readonly related: number; readonly control: number | undefined; readonly loss: number };

/** The loss is above that of an untrained table. */
export interface TooLarge {
  readonly kind: "too-large";
  readonly loss: number;
  /** The loss where the step size was set last, and whether that was on the way. */
  readonly before: number;
  readonly changed: boolean;
  /** The highest loss since. */
  readonly peak: number;
  readonly at: number;
  /** Where it is going: back down from its peak, down ever since the step size was set, or not down. */
  readonly trend: "rising" | "falling" | "recovering";
}

/** `set` is the step at which the step size was set last. */
export function outcomeOf(points: readonly Point[], watched: readonly Watched[], set = 0): Outcome {
  const last = points.at(-1);
  if (!last || last.step === 0) return { kind: "none" };
  const broken = points.find((one) => !isWhole(one));
  if (broken && !isWhole(last)) {
    return { kind: "broken", step: broken.step, loss: last.loss, frozen: isFrozen(points) };
  }
  if (last.loss > START_LOSS * ABOVE) return tooLarge(points, last, set);
  const of = (control: boolean) => last.cosines.filter((_, i) => watched[i]?.control === control);
  const [pairs, controls] = [of(false), of(true)];
  const control = controls.length > 0 ? Math.max(...controls) : undefined;
  const least = Math.min(...last.cosines);
  if (last.cosines.length > 0 && least > TOGETHER) return { kind: "collapsed", least, control, loss: last.loss };
  const related = pairs.reduce((sum, one) => sum + one, 0) / Math.max(1, pairs.length);
  if (related < CLOSE) return { kind: "early", related, control, loss: last.loss };
  if (control === undefined) return { kind: "no-control", related, loss: last.loss };
  if (related - control >= APART) return { kind: "apart", related, control, loss: last.loss };
  return { kind: "control-rose", related, control, loss: last.loss };
}

/** A loss has turned when it is this far below its peak, and no higher than the readings before it. */
const TURNED = 0.9;

function tooLarge(points: readonly Point[], last: Point, set: number): TooLarge {
  const first = points.filter(({ step }) => step <= set).at(-1) ?? last;
  const since = points.filter(({ step, loss }) => step >= first.step && Number.isFinite(loss));
  const peak = since.reduce((most, one) => (one.loss > most.loss ? one : most), last);
  const recent = since.slice(-4, -1);
  const mean = recent.reduce((sum, { loss }) => sum + loss, 0) / Math.max(1, recent.length);
  const turned = last.loss < TURNED * peak.loss && last.loss <= mean;
  const trend = !turned ? "rising" : peak === first ? "recovering" : "falling";
  return {
    ...{ kind: "too-large", loss: last.loss, before: first.loss, changed: set > 0 },
    ...{ peak: peak.loss, at: peak.step, trend },
  };
}

/** The cosines are numbers, and the same as at the reading before: the package adds no gradient that is not finite. */
function isFrozen(points: readonly Point[]): boolean {
  const [before, last] = points.slice(-2);
  if (!before || !last || last.cosines.length === 0) return false;
  return last.cosines.every((one, i) => Number.isFinite(one) && one === before.cosines[i]);
}

const isWhole = (point: Point) => Number.isFinite(point.loss) && point.cosines.every((one) => Number.isFinite(one));
