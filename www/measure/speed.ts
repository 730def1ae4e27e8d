// Times of the kernels as N or the skew grows; what cannot be a time is never shown as one.
import type { Control } from "../job";
import { median } from "../models/lockstep";
import type { TimedKernel, Timing } from "../pkg/gomme.js";
import { zipf } from "../random";
import { pause } from "../schedule";
import { whileVisible } from "./visible";

/** What one kernel took at one length. */
export interface Measure {
  readonly microseconds: number;
  readonly clock: "timestamp" | "wall" | "cpu";
  readonly bytes: number;
  readonly usedRows: number;
  readonly retries: number | undefined;
}

/** How a kernel is timed: `wall` asks for the wall clock where timestamps are of no use. */
export interface TimeOptions {
  readonly clock: "auto" | "wall";
  readonly samples: number;
}

/** Times a kernel on a device. */
export type TimeCall = (kernel: TimedKernel, tokens: Uint32Array, options: TimeOptions) => Promise<Timing>;

/** Shown, growing with the work: a lookup, its fast form, the two gradients, and the floor below them. */
export const SPEED_KERNELS = ["embed_lookup", "fast", "embed_backward", "sorted", "write_only"] as const;
export type SpeedKernel = (typeof SPEED_KERNELS)[number];

export const SKEWS: readonly number[] = [0, 0.5, 1, 1.5];

const LENGTHS = {
  gpu: [512, 2048, 8192, 65_536, 262_144],
  software: [128, 512, 2048, 8192],
  /** The CPU twin computes on the page's own thread. */
  cpu: [128, 512, 2048],
} as const;

/** Lengths that a sweep measures: what this device does in a few seconds. */
export function lengthsFor(backend: "gpu" | "cpu" | undefined, software: boolean | undefined): readonly number[] {
  if (backend === "cpu") return LENGTHS.cpu;
  return software === false ? LENGTHS.gpu : LENGTHS.software;
}

/** A run of a kernel takes more than nothing and less than a minute; timestamps that say otherwise are out of order. */
export function plausible(microseconds: number): boolean {
  return Number.isFinite(microseconds) && microseconds > 0 && microseconds < 60e6;
}

export type Timed = { readonly measure: Measure } | { readonly dropped: Dropped };
type Dropped = "hidden" | "clock";

interface TimedOptions {
  readonly samples?: number;
  /** Milliseconds that a hidden page is waited for. */
  readonly limit?: number;
}

/** One time that can be believed, by timestamps or else by the wall clock, or why there is none. */
export async function timed(
  call: TimeCall,
  kernel: TimedKernel,
  tokens: Uint32Array,
  { samples = 1, limit }: TimedOptions = {},
): Promise<Timed> {
  for (const clock of ["auto", "wall"] as const) {
    const counts = (measured: Timing) => measured.clock !== "timestamp";
    const found = await whileVisible(
      () => call(kernel, tokens, { clock, samples }),
      limit === undefined ? { counts } : { counts, limit },
    );
    if (!found) return { dropped: "hidden" };
    if (plausible(found.microseconds)) {
      const { bytes, usedRows, retries } = found;
      const microseconds = Number(found.microseconds.toPrecision(6));
      return { measure: { microseconds, clock: found.clock, bytes, usedRows, retries } };
    }
  }
  return { dropped: "clock" };
}

/**
 * The things to measure, round after round, each round beginning with another: a cold start, a device that slows down meanwhile
 * or a busy moment falls on all of them alike, and a median over the rounds leaves a bad one out.
 */
export function inRounds<T>(things: readonly T[], rounds: number): { readonly thing: T; readonly round: number }[] {
  return Array.from({ length: rounds }, (_, round) => {
    const shift = round % Math.max(1, things.length);
    return [...things.slice(shift), ...things.slice(0, shift)].map((thing) => ({ thing, round }));
  }).flat();
}

/** What several rounds of one measurement say. Timestamps and the wall clock don't mix: the better clock's rounds count. */
export function middleOf(rounds: readonly (Measure | undefined)[]): Measure | undefined {
  const all = rounds.filter((one) => one !== undefined);
  const stamped = all.filter((one) => one.clock === "timestamp");
  const kept = stamped.length > 0 ? stamped : all;
  const [first] = kept;
  if (!first) return undefined;
  const retries = kept.flatMap((one) => one.retries ?? []);
  return {
    ...first,
    microseconds: median(kept.map((one) => one.microseconds)),
    retries: retries.length > 0 ? Math.round(median(retries)) : undefined,
  };
}

export interface Sweep {
  readonly skew: number;
  readonly lengths: readonly number[];
  readonly times: ReadonlyMap<TimedKernel, ReadonlyMap<number, Measure>>;
  /** Measurements that gave no believable time, by reason. */
  readonly dropped: { readonly hidden: number; readonly clock: number };
}

/** A list of times as a sweep, so that the same words are found for a recording. */
export function sweepOf({
  skew,
  times,
}: {
  skew: number;
  times: readonly ({ readonly kernel: TimedKernel; readonly n: number } & Measure)[];
}): Sweep {
  const all = new Map<TimedKernel, Map<number, Measure>>();
  for (const { kernel, n, ...measure } of times) {
    all.set(kernel, (all.get(kernel) ?? new Map<number, Measure>()).set(n, measure));
  }
  const lengths = [...new Set(times.map((one) => one.n))];
  return { skew, lengths, times: all, dropped: { hidden: 0, clock: 0 } };
}

export interface SweepOptions {
  readonly lengths: readonly number[];
  readonly kernels: readonly TimedKernel[];
  readonly vocabulary: number;
  readonly skew: number;
  readonly seed: number;
}

/** Rounds of a sweep over N, and samples of each measurement in them. */
const SPEED_ROUNDS = 3;
const SPEED_SAMPLES = 2;

/** Every kernel at every length; `tell` hears what is measured now, `show` gets what there is so far. */
export async function measureSpeed(
  call: TimeCall,
  options: SweepOptions,
  control: Pick<Control, "stopped"> & { tell(done: number, total: number, kernel: TimedKernel, n: number): void },
  show: (sweep: Sweep) => void,
): Promise<Sweep | undefined> {
  const { lengths, kernels, vocabulary, skew, seed } = options;
  const times = new Map<TimedKernel, Map<number, Measure>>();
  const dropped = { hidden: 0, clock: 0 };
  const sweep = (): Sweep => ({ skew, lengths, times: new Map(times), dropped: { ...dropped } });
  let done = 0;
  for (const n of lengths) {
    await pause();
    const tokens = await zipf(n, vocabulary, skew, seed);
    const rounds = new Map<TimedKernel, (Measure | undefined)[]>();
    for (const { thing: kernel, round } of inRounds(kernels, SPEED_ROUNDS)) {
      if (control.stopped()) return undefined;
      control.tell(done++, lengths.length * kernels.length * SPEED_ROUNDS, kernel, n);
      await pause();
      const found = await timed(call, kernel, tokens, { samples: SPEED_SAMPLES });
      if (control.stopped()) return undefined;
      if ("dropped" in found) dropped[found.dropped] += 1;
      const all = rounds.get(kernel) ?? [];
      all[round] = "dropped" in found ? undefined : found.measure;
      rounds.set(kernel, all);
      const middle = middleOf(all);
      if (middle) times.set(kernel, (times.get(kernel) ?? new Map<number, Measure>()).set(n, middle));
      show(sweep());
    }
  }
  return sweep();
}

export interface SkewPoint {
  readonly skew: number;
  /** Positions of the most frequent row. */
  readonly most: number;
  readonly measure: Measure;
  /** Microseconds round by round, so that points can be compared within a round; `null` where one was dropped. */
  readonly rounds?: readonly (number | null)[];
}

export interface SkewSweep {
  readonly n: number;
  readonly points: readonly SkewPoint[];
  readonly dropped: { readonly hidden: number; readonly clock: number };
}

const SKEW_ROUNDS = 5;

/** The compare-exchange kernel at one length while the word frequencies go from flat to skewed. */
export async function measureSkew(
  call: TimeCall,
  { n, vocabulary, seed }: { n: number; vocabulary: number; seed: number },
  control: Pick<Control, "stopped"> & { tell(done: number, total: number): void },
  show: (sweep: SkewSweep) => void,
): Promise<SkewSweep | undefined> {
  const loads: SkewLoad[] = [];
  for (const skew of SKEWS) {
    await pause();
    loads.push(skewLoad(skew, await zipf(n, vocabulary, skew, seed)));
  }
  const dropped = { hidden: 0, clock: 0 };
  const sweep = (): SkewSweep => ({ n, points: loads.flatMap(pointOf), dropped: { ...dropped } });
  const turns = inRounds(loads, SKEW_ROUNDS);
  // One measurement that counts for nothing: the first one also pays for a device that was idle.
  const [cold] = loads;
  if (cold && !control.stopped()) await timed(call, "embed_backward", cold.tokens);
  for (const [i, { thing: load, round }] of turns.entries()) {
    if (control.stopped()) return undefined;
    control.tell(i, turns.length);
    await pause();
    const found = await timed(call, "embed_backward", load.tokens);
    if (control.stopped()) return undefined;
    if ("dropped" in found) dropped[found.dropped] += 1;
    load.rounds[round] = "dropped" in found ? undefined : found.measure;
    show(sweep());
  }
  return sweep();
}

interface SkewLoad {
  readonly skew: number;
  readonly tokens: Uint32Array;
  readonly most: number;
  readonly rounds: (Measure | undefined)[];
}

function skewLoad(skew: number, tokens: Uint32Array): SkewLoad {
  const hits = new Map<number, number>();
  for (const id of tokens) hits.set(id, (hits.get(id) ?? 0) + 1);
  return { skew, tokens, most: Math.max(...hits.values()), rounds: [] };
}

function pointOf({ skew, most, rounds }: SkewLoad): SkewPoint[] {
  const measure = middleOf(rounds);
  if (!measure) return [];
  const times = Array.from(rounds, (one) => (one?.clock === measure.clock ? one.microseconds : null));
  return [{ skew, most, measure, rounds: times }];
}
