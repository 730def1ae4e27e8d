// Threads that walk in step on one cell: what compare-exchange does an attempt at a time, what the racy kernel does, and
// how many attempts fail when a device walks in groups of a certain width.
import { bitsOf, floatOf } from "../format";

/** One compare-exchange of one thread. */
export interface Attempt {
  readonly round: number;
  readonly thread: number;
  /** The bits that the thread expects, those it would write, those found in the cell, and those there afterwards. */
  readonly old: number;
  readonly next: number;
  readonly found: number;
  readonly after: number;
  readonly won: boolean;
  /** Who wrote last before a failed attempt. */
  readonly winner: number;
}

/** What a kernel does with a contribution: it adds it, or skips it and says why. */
export type Fate = "adds" | "zero" | "non-finite";

export function fateOf(value: number): Fate {
  if (value === 0) return "zero";
  return Number.isFinite(value) ? "adds" : "non-finite";
}

const sum = (cell: number, value: number) => bitsOf(Math.fround(floatOf(cell) + value));

/**
 * Compare-exchange in lock step: all threads have read the cell; in each round all that wait try in order, with the value that
 * they last saw, and the first one wins. Contributions that a kernel skips make no attempt.
 */
export function exchange(values: readonly number[]): Attempt[] {
  const attempts: Attempt[] = [];
  let cell = 0;
  let waiting = values.flatMap((value, thread) => (fateOf(value) === "adds" ? [thread] : []));
  const known = values.map(() => 0);
  for (let round = 1; waiting.length > 0; round++) {
    const tries = waiting.map((thread) => {
      const old = known[thread] ?? 0;
      return { thread, old, next: sum(old, values[thread] ?? 0) };
    });
    let winner = -1;
    for (const { thread, old, next } of tries) {
      const found = cell;
      const won = winner < 0;
      if (won) {
        cell = next;
        winner = thread;
      } else known[thread] = found;
      attempts.push({ round, thread, old, next, found, after: cell, won, winner });
    }
    waiting = waiting.filter((thread) => thread !== winner);
  }
  return attempts;
}

/** One step of a thread without compare-exchange. */
export interface RacyStep {
  readonly act: "read" | "write";
  readonly thread: number;
  /** Bits that the thread read, its sum, and what is in the cell before and after the step. */
  readonly read: number;
  readonly next: number;
  readonly found: number;
  readonly after: number;
  /** Whose sum a write erases; undefined where the cell still holds what the thread had read. */
  readonly erased: number | undefined;
}

/** Read, add, write in lock step: all read, then all write, and each write erases the one before it. */
export function racy(values: readonly number[]): RacyStep[] {
  const threads = values.flatMap((value, thread) => (fateOf(value) === "adds" ? [thread] : []));
  const steps: RacyStep[] = threads.map((thread) => ({
    act: "read",
    thread,
    read: 0,
    next: sum(0, values[thread] ?? 0),
    found: 0,
    after: 0,
    erased: undefined,
  }));
  let cell = 0;
  let last: number | undefined;
  for (const thread of threads) {
    const next = sum(0, values[thread] ?? 0);
    steps.push({ act: "write", thread, read: 0, next, found: cell, after: next, erased: last });
    cell = next;
    last = thread;
  }
  return steps;
}

const pairs = (k: number) => (k * (k - 1)) / 2;

/** Failed exchanges of k threads on a cell when a device walks in groups of `width`: each group fails among itself. */
export function failuresInStep(k: number, width = k): number {
  const w = Math.max(1, Math.min(width, k));
  return Math.floor(k / w) * pairs(w) + pairs(k % w);
}

/** Additions that the racy kernel keeps then: the last one of each group. */
export function keptInStep(k: number, width = k): number {
  return Math.ceil(k / Math.max(1, Math.min(width, k)));
}

/** k neighbouring threads on one cell, as measured: failed exchanges and additions kept, run by run. */
export interface CellPoint {
  readonly k: number;
  readonly failures: readonly number[];
  readonly kept: readonly number[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The width in which a device walks in step, read off its failures. */
/** So many groups are few enough to pass one after the other even on a busy computer. */
const FEW_GROUPS = 32;

export interface Width {
  /** Up to this k the failures were k(k − 1)/2, to the last unit; 1 where they never were. */
  readonly width: number;
  /** All that was measured was so: the width may be larger. */
  readonly atLeast: boolean;
  /**
   * Beyond it, k threads failed as groups of this width do, within 5%. Of many groups some may have met, where several processor
   * cores compute: up to twice as many failures are still those of groups.
   */
  readonly inGroups: boolean;
  /** Beyond it more failed than in groups of this width that take turns: groups got in each other's way, and may be narrower. */
  readonly overlap: boolean;
}

export function widthOf(points: readonly CellPoint[]): Width | undefined {
  const sorted = points.filter((point) => point.failures.length > 0).sort((a, b) => a.k - b.k);
  if (sorted.length === 0) return undefined;
  const first = sorted.findIndex(({ k, failures }) => median(failures) !== pairs(k));
  const width = first < 0 ? (sorted.at(-1)?.k ?? 1) : (sorted[first - 1]?.k ?? 1);
  const beyond = first < 0 ? [] : sorted.slice(first);
  const near = ({ k, failures }: CellPoint) => {
    const [measured, expected] = [median(failures), failuresInStep(k, width)];
    return measured >= 0.95 * expected && measured <= (k > FEW_GROUPS * width ? 2 : 1.05) * expected;
  };
  const above = ({ k, failures }: CellPoint) => median(failures) > 1.05 * failuresInStep(k, width);
  return {
    width,
    atLeast: first < 0,
    inGroups: beyond.length > 0 && beyond.every(near),
    overlap: width > 1 && beyond.slice(-1).some(above),
  };
}
