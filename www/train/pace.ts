// How long a run goes on, how often it is read, and what "too slow" and "too large" are on this device.
import type { Device } from "../results";
import type { Rule } from "../state";

/** Rates that the slider offers. */
export const RATES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, 20, 50] as const;

/** The one of `RATES` next to this rate, which an address may have from between them. */
export function rateIndex(rate: number): number {
  const far = RATES.map((one) => Math.abs(Math.log(one / rate)));
  return far.indexOf(Math.min(...far));
}

/** Pairs until a run stops by itself; it can be made to go on. */
export const GOAL = 2 ** 21;

/** Milliseconds between steps in slow motion. */
export const SLOW_MS = 400;

export interface Pace {
  /** Pairs of a step. */
  readonly pairs: number;
  /** Steps between two readings, each of which waits for the device. */
  readonly every: number;
}

/**
 * A graphics card is asked for more at a time, because handing work over takes it longer than the work. An adapter that
 * computes on the CPU takes so long for a step that each one is shown.
 */
export function paceOn(device: Device | undefined): Pace {
  if (device?.backend !== "gpu") return { pairs: 4_096, every: 2 };
  return device.adapter?.software === false ? { pairs: 16_384, every: 4 } : { pairs: 4_096, every: 1 };
}

/** Runs that go wrong, each in its own way, and the steps until that shows. Gradients are sums: more pairs, smaller rate. */
export interface Experiment {
  readonly rule: Rule;
  readonly rate: number;
  readonly steps: number;
}

export const collapse = ({ pairs }: Pace): Experiment =>
  pairs > 8_192 ? { rule: "sgd", rate: 0.01, steps: 32 } : { rule: "sgd", rate: 0.025, steps: 64 };

export const tooLarge = (_: Pace): Experiment => ({ rule: "sgd", rate: 0.5, steps: 40 });
