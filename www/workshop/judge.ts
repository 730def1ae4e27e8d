// Runs a reader's kernel on the cases of an exercise and compares every number, and what lies behind the last one, with what
// the CPU twin says. Small cases come first; a loop without end ends the judging.
import { floatOf } from "../format";
import { culprit, type Loop } from "./bound";
import { type Case, type Expected, type Job, withMargin } from "./case";
import type { Exercise } from "./exercises/exercise";
import { type Kernel, limits, MARGIN, prepare, run, SENTINEL, TroubleError, type Work } from "./gpu";
import { brokenRule, comparesFloats, type Rule } from "./rules";
import type { Trouble } from "./types";
import { type Size, workgroupSizes } from "./workgroup";

export type FaultKind = "value" | "unwritten" | "beyond" | "lost" | "nan" | "differs";

export interface Fault {
  readonly kind: FaultKind;
  readonly job: Job;
  /** Index of the first wrong number, past the end of the output for `beyond`. */
  readonly index: number;
  readonly want: number;
  readonly got: number;
  /** All wrong indices. */
  readonly wrong: readonly number[];
  readonly expected: Uint32Array;
  readonly words: Uint32Array;
  /** Where the output need not be right to the bit: how far off the first wrong number may be, and after how many additions. */
  readonly allowed?: { readonly slack: number; readonly hits: number } | undefined;
}

export interface CaseResult {
  readonly id: string;
  readonly passed: boolean;
  readonly fault?: Fault;
}

export type Verdict =
  | { readonly kind: "passed"; readonly results: readonly CaseResult[]; readonly doubt: boolean }
  | { readonly kind: "failed"; readonly results: readonly CaseResult[]; readonly id: string; readonly fault: Fault }
  | { readonly kind: "rule"; readonly results: readonly CaseResult[]; readonly rule: Rule }
  | { readonly kind: "endless"; readonly loop: Loop; readonly id: string }
  | { readonly kind: "trouble"; readonly trouble: Trouble; readonly id: string | undefined };

export interface Judged {
  readonly verdict: Verdict;
  /** Cells that each thread of the drawn job wrote when it ran alone; undefined where that can't be seen. */
  readonly traces: readonly (readonly number[])[] | undefined;
  /** Threads of a workgroup of the first entry point. */
  readonly group: number;
}

export interface Control {
  /** Cases done, and their number. */
  tell(done: number, total: number): void;
  /** True once nobody waits for the verdict. */
  stopped(): boolean;
}

export async function judge(exercise: Exercise, source: string, control: Control): Promise<Judged | undefined> {
  let at: string | undefined;
  let group = 0;
  try {
    const sizes = workgroupSizes(
      source,
      exercise.passes.map(({ entry }) => entry),
      await limits(),
    );
    group = sizes[0]?.threads ?? 1;
    const kernel = await prepare(
      source,
      exercise.passes.map(({ entry }) => entry),
    );
    const results: CaseResult[] = [];
    const cases = exercise.cases(group);
    for (const one of cases) {
      at = one.id;
      if (control.stopped()) return undefined;
      control.tell(results.length, cases.length);
      const outcome = await judgeCase(exercise, kernel, sizes, one);
      if ("ended" in outcome) {
        const verdict = { kind: "endless", loop: outcome.ended, id: one.id } as const;
        return { verdict, traces: undefined, group };
      }
      results.push(outcome);
    }
    control.tell(cases.length, cases.length);
    at = undefined;
    const traces = await traced(exercise, source, sizes, kernel);
    return { verdict: sumUp(exercise, source, results), traces, group };
  } catch (error) {
    if (!(error instanceof TroubleError)) throw error;
    return { verdict: { kind: "trouble", trouble: error.trouble, id: at }, traces: undefined, group };
  }
}

function sumUp(exercise: Exercise, source: string, results: readonly CaseResult[]): Verdict {
  const failed = results.find(({ passed }) => !passed);
  if (failed?.fault) return { kind: "failed", results, id: failed.id, fault: failed.fault };
  const rule = brokenRule(exercise.rules, source);
  if (rule) return { kind: "rule", results, rule };
  return { kind: "passed", results, doubt: exercise.id === "nan" && comparesFloats(source) };
}

async function judgeCase(
  exercise: Exercise,
  kernel: Kernel,
  sizes: readonly Size[],
  { id, jobs }: Case,
): Promise<CaseResult | { ended: Loop }> {
  let fault: Fault | undefined;
  for (const job of jobs) {
    const expected = await job.expect();
    let first: Uint32Array | undefined;
    for (let k = 0; k < (job.runs ?? 1) && !fault; k++) {
      const { words, ended } = await run(kernel, workOf(exercise, job, sizes));
      const loop = culprit(kernel.bounded.loops, ended);
      if (loop) return { ended: loop };
      if (job.probe) continue;
      fault = compare(job, expected, words);
      if (!fault && first && exercise.sameBits) fault = differing(job, first, words);
      first ??= words;
    }
  }
  return fault ? { id, passed: false, fault } : { id, passed: true };
}

/** Workgroups for so many threads, at least one, so that the bounds check has something to do. */
function gridOf(threads: number, size: Size, folded: boolean): [number, number] {
  const groups = Math.max(1, Math.ceil(threads / size.threads));
  if (!folded || groups < 2) return [groups, 1];
  const x = Math.ceil(groups / 2);
  return [x, Math.ceil(groups / x)];
}

export function workOf(exercise: Exercise, job: Job, sizes: readonly Size[], only?: number): Work {
  return {
    // Behind the tokens stand valid ones, and behind the values ordinary numbers: a thread too many does not stay harmless.
    tokens: withMargin(job.tokens, 0),
    values: withMargin(job.values, exercise.gradient ? 0x3f800000 : SENTINEL),
    start: withMargin(job.start, SENTINEL),
    dims: [job.n, job.d, job.v, 0],
    grids: exercise.passes.map(({ threads }, k) =>
      gridOf(threads === "cells" ? job.v * job.d : job.n * job.d, sizes[k] ?? { threads: 1 }, job.folded ?? false),
    ),
    ...(only === undefined ? {} : { only }),
  };
}

const isNan = (bits: number) => (bits & 0x7fffffff) > 0x7f800000;

function fits(want: number, got: number, slack: number | undefined): boolean {
  if (want === got || (isNan(want) && isNan(got))) return true;
  return slack !== undefined && Math.abs(floatOf(got) - floatOf(want)) <= slack + 2 ** -24 * Math.abs(floatOf(want));
}

function compare(job: Job, { bits, slack }: Expected, words: Uint32Array): Fault | undefined {
  const wrong: number[] = [];
  for (let i = 0; i < words.length; i++) {
    const want = i < bits.length ? (bits[i] ?? 0) : SENTINEL;
    if (!fits(want, words[i] ?? 0, i < bits.length ? slack?.[i] : undefined)) wrong.push(i);
  }
  const index = wrong[0];
  if (index === undefined) return undefined;
  const inside = index < bits.length;
  const want = inside ? (bits[index] ?? 0) : SENTINEL;
  const got = words[index] ?? 0;
  const room = inside ? slack?.[index] : undefined;
  const hits = job.tokens.filter((token) => token === Math.floor(index / job.d)).length;
  return {
    ...{ kind: kindOf(job, inside, want, got), job, index, want, got, wrong, expected: bits, words },
    allowed: room === undefined ? undefined : { slack: room, hits },
  };
}

function kindOf(job: Job, inside: boolean, want: number, got: number): FaultKind {
  if (!inside) return "beyond";
  if (got === SENTINEL) return "unwritten";
  if (isNan(got)) return "nan";
  if (job.ones && floatOf(got) < floatOf(want)) return "lost";
  return "value";
}

function differing(job: Job, first: Uint32Array, words: Uint32Array): Fault | undefined {
  const wrong = [...words.keys()].filter((i) => words[i] !== first[i]);
  const [index] = wrong;
  if (index === undefined) return undefined;
  return {
    kind: "differs",
    job,
    index,
    want: first[index] ?? 0,
    got: words[index] ?? 0,
    wrong,
    expected: first.slice(0, first.length - MARGIN),
    words,
  };
}

/** Threads that are drawn at most. */
const DRAWN = 24;

/** Runs each thread of the drawn job alone and looks which cells it changed. */
async function traced(
  exercise: Exercise,
  source: string,
  sizes: readonly Size[],
  kernel: Kernel,
): Promise<number[][] | undefined> {
  const job = exercise.drawn;
  const [pass] = exercise.passes;
  const [size] = sizes;
  if (!pass || !size) return undefined;
  let alone: Kernel;
  try {
    // One thread alone is another flow of control, which a barrier need not allow.
    alone = await prepare(source, [pass.entry], pass.entry);
  } catch (error) {
    if (error instanceof TroubleError && error.trouble.kind === "refused") return undefined;
    throw error;
  }
  if (kernel.pipelines.length === 0) return undefined;
  const threads = Math.min(DRAWN, gridOf(job.n * job.d, size, false)[0] * size.threads);
  const traces: number[][] = [];
  for (let only = 0; only < threads; only++) {
    const work = workOf(exercise, job, sizes, only);
    const { words } = await run(alone, work);
    traces.push([...words.keys()].filter((i) => words[i] !== work.start[i]));
  }
  return traces;
}
