// The exercises on the way back: the NaN, the race, the sum without atomics, and the sum in fixed point.
import { bell } from "../../random";
import { anyOrder, type Case, type GradientOptions, gradientJob, type Job, type Sizes } from "../case";
import fixedSolution from "../kernels/fixed.solution.wgsl" with { type: "text" };
import fixed from "../kernels/fixed.wgsl" with { type: "text" };
import nanSolution from "../kernels/nan.solution.wgsl" with { type: "text" };
import nan from "../kernels/nan.wgsl" with { type: "text" };
import raceSolution from "../kernels/race.solution.wgsl" with { type: "text" };
import race from "../kernels/race.wgsl" with { type: "text" };
import sumSolution from "../kernels/sum.solution.wgsl" with { type: "text" };
import sum from "../kernels/sum.wgsl" with { type: "text" };
import type { Exercise } from "./exercise";

const LARGEST = 2 ** 32 - 1;
const { NaN: NAN, POSITIVE_INFINITY: INF } = Number;

/** Whole numbers, whose sums are the same in any order. */
const whole = (length: number) => Array.from({ length }, (_, i) => ((i * 37) % 19) - 9 || 3);
/** Numbers with a fraction: still exact in a cell with one addition. */
const fractions = (length: number) => Array.from({ length }, (_, i) => Math.fround(bell(11, i) + 0.001));
/** What cells hold before: no zeros, so that a kernel that overwrites is found out. */
const before = ({ v, d }: Sizes) => Array.from({ length: v * d }, (_, k) => (k % 5) + 0.5);
const same = (n: number, token: number) => new Array<number>(n).fill(token);
/** Each of 0 to n − 1 once, from the last one down. */
const apart = (n: number) => Array.from({ length: n }, (_, s) => n - 1 - s);

/** Each row has one position. */
function distinct(sizes: Sizes, options: GradientOptions = {}): Job {
  return gradientJob(sizes, fractions(sizes.tokens.length * sizes.d), options);
}
function ints(sizes: Sizes, options: GradientOptions = {}): Job {
  return gradientJob(sizes, whole(sizes.tokens.length * sizes.d), options);
}

const element = { entry: "embed_backward", threads: "elements" } as const;
const backward = { passes: [element], gradient: true, sameBits: false, output: "grad_table" } as const;

/** Times an even D this id comes round to row 1: a comparison as signed numbers would let it through. */
const WRAPS = 2 ** 31 + 1;

/** What cells hold before. In the sum without atomics this concerns only cells without a writer: the others are overwritten. */
type Before = "everywhere" | "elsewhere";
const cellsOf = (sizes: Sizes, where: Before) => {
  const wanted = new Set(sizes.tokens);
  return before(sizes).map((value, k) => (where === "elsewhere" && wanted.has(Math.floor(k / sizes.d)) ? 0 : value));
};

/**
 * What every backward kernel must get right, from plain to special; no row has two positions. The first case fills its
 * workgroups, so that a missing bounds check is found by the case that is named after it.
 */
const common = (group: number, where: Before): readonly Case[] => {
  const job = (sizes: Sizes) => distinct(sizes, { cells: cellsOf(sizes, where) });
  return [
    {
      id: "distinct",
      jobs: [job({ tokens: apart(group), d: 1, v: group + 2 }), job({ tokens: apart(group), d: 2, v: group })],
    },
    {
      id: "partial",
      jobs: [
        job({ tokens: [], d: 4, v: 3 }),
        job({ tokens: [2], d: 1, v: 3 }),
        job({ tokens: [5, 2, 7, 4, 3], d: 2, v: 8 }),
        job({ tokens: apart(51), d: 5, v: 51 }),
        job({ tokens: apart(257), d: 1, v: 257 }),
      ],
    },
    {
      id: "outside",
      jobs: [
        job({ tokens: [4, 5, LARGEST, 0], d: 2, v: 5 }),
        job({ tokens: [5, 6, 2, LARGEST, 5, 3, 7], d: 3, v: 5 }),
        job({ tokens: [5, WRAPS, 6, 2], d: 4, v: 5 }),
      ],
    },
    {
      id: "folded",
      jobs: [
        job({ tokens: apart(group), d: 4, v: group, folded: true }),
        job({ tokens: apart(77), d: 3, v: 77, folded: true }),
      ],
    },
  ];
};

const infinite: Case = {
  id: "inf",
  jobs: [
    gradientJob({ tokens: [2, 0, 3], d: 2, v: 4 }, [1, INF, -INF, 2, 3, 4], { cells: [1, 2, 3, 4, 5, 6, 7, 8] }),
    gradientJob({ tokens: [1, 1, 1], d: 1, v: 2 }, [INF, -INF, 5]),
  ],
};
const zeros: Case = {
  id: "zero",
  jobs: [gradientJob({ tokens: [0, 1, 2], d: 2, v: 3 }, [0, -0, 1, 0, -0, 2], { cells: [-0, -0, 1, -0, -0, 3] })],
};
const large: Case = {
  id: "large",
  jobs: [gradientJob({ tokens: [1, 0], d: 2, v: 2 }, [3e38, -3e38, 1e30, 2e-30])],
};

const nanTokens = [2, 0, 1];
const drawnNan = gradientJob({ tokens: nanTokens, d: 2, v: 4 }, [1, NAN, 2, 3, 4, 5]);
/** A quiet NaN, a negative one, a signalling one, and one with a payload. */
const nans = Uint32Array.of(0x7fc00000, 0xffc00000, 0x7f800001, 0xff812345);
const manyNan = gradientJob({ tokens: [3, 1, 0, 2], d: 2, v: 4 }, [], {
  bits: Uint32Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? (nans[i / 2] ?? 0) : 0x3f800000)),
  cells: [1, 2, 3, 4, 5, 6, 7, 8],
});

export const nanExercise: Exercise = {
  ...backward,
  id: "nan",
  start: nan,
  solution: nanSolution,
  rules: [],
  cases: (group) => [
    ...common(group, "everywhere"),
    large,
    zeros,
    infinite,
    { id: "nan", jobs: [drawnNan, manyNan] },
    { id: "repeats", jobs: [ints({ tokens: [1, 0, 1, 1, 2, 0], d: 3, v: 3 })] },
  ],
  drawn: drawnNan,
};

const special: Case = {
  id: "skips",
  jobs: [
    gradientJob({ tokens: [2, 0, 1, 3], d: 2, v: 4 }, [1, NAN, -INF, 2, 0, INF, -0, 4], {
      cells: [1, 2, 3, 4, 5, 6, -0, 8],
    }),
  ],
};
/** A NaN that is in a cell already: it stays, and nobody waits for it to equal itself. */
const poisoned: Case = {
  id: "nanCell",
  jobs: [gradientJob({ tokens: [0, 1, 2], d: 1, v: 3 }, [1, 2, 3], { cells: [1, NAN, 2] })],
};
const drawnRace = gradientJob({ tokens: same(8, 1), d: 1, v: 2 }, same(8, 1));

export const raceExercise: Exercise = {
  ...backward,
  id: "race",
  start: race,
  solution: raceSolution,
  rules: ["needs-atomic"],
  cases: (group) => [
    ...common(group, "everywhere"),
    special,
    poisoned,
    {
      id: "race",
      jobs: [
        { ...drawnRace, probe: true },
        gradientJob({ tokens: same(64, 0), d: 1, v: 1, probe: true }, same(64, 1)),
        gradientJob({ tokens: same(4096, 0), d: 1, v: 1, runs: 3, ones: true }, same(4096, 1)),
        gradientJob({ tokens: Array.from({ length: 1024 }, (_, s) => s % 2), d: 2, v: 2, runs: 3 }, fractions(2048), {
          slack: anyOrder,
        }),
      ],
    },
  ],
  drawn: drawnRace,
};

const drawnSum = gradientJob({ tokens: [2, 1, 2], d: 2, v: 3 }, [1, 2, 3, 4, 5, 6]);
/** Large and tiny numbers in turn: another order gives another sum. */
const mixed = (length: number) =>
  Array.from({ length }, (_, i) => Math.fround([1e4, 1, -1e4, 0.001][i % 4] ?? 0) * (1 + (i % 3)));

export const sumExercise: Exercise = {
  ...backward,
  id: "sum",
  start: sum,
  solution: sumSolution,
  sameBits: true,
  rules: ["no-atomic"],
  cases: (group) => [
    ...common(group, "elsewhere"),
    {
      id: "apart",
      jobs: [
        { ...drawnSum, runs: 3 },
        gradientJob({ tokens: Array.from({ length: 96 }, (_, s) => (s * 5) % 8), d: 3, v: 8, runs: 3 }, mixed(288), {
          slack: anyOrder,
        }),
      ],
    },
    {
      id: "adjacent",
      jobs: [
        gradientJob({ tokens: [0, 0, 0, 1, 2, 2], d: 2, v: 3, runs: 3 }, whole(12)),
        gradientJob({ tokens: same(1024, 0), d: 1, v: 1, runs: 3, ones: true }, same(1024, 1)),
        gradientJob(
          { tokens: Array.from({ length: 200 }, (_, s) => Math.floor(s / 20)), d: 2, v: 10, runs: 3 },
          mixed(400),
          { slack: anyOrder },
        ),
      ],
    },
    {
      id: "skips",
      jobs: [gradientJob({ tokens: [2, 0, 1, 3], d: 2, v: 4 }, [1, NAN, -INF, 2, 0, INF, -0, 4])],
    },
  ],
  drawn: drawnSum,
};

/** Half a step of 2⁻¹⁵ for each addition. */
const step = ({ hits }: { hits: number }) => hits * 2 ** -16;
const quarters = (length: number) => Array.from({ length }, (_, i) => (((i * 37) % 39) - 19) / 4 || 0.25);
const inSteps = (sizes: Sizes) => gradientJob(sizes, quarters(sizes.tokens.length * sizes.d), { slack: step });
/** Each row wanted once, by numbers without a pattern, so that some lie near the middle between two steps of any size. */
const between = gradientJob(
  { tokens: apart(4096), d: 1, v: 4096 },
  Array.from({ length: 4096 }, (_, i) => Math.fround(bell(17, i) / 32)),
  { slack: step },
);
const drawnFixed = gradientJob({ tokens: [1, 0, 1, 1, 0, 1], d: 1, v: 2 }, [0.5, 1, 1.5, 2, 2.5, 3], { slack: step });

export const fixedExercise: Exercise = {
  ...backward,
  id: "fixed",
  passes: [element, { entry: "to_float", threads: "cells" }],
  start: fixed,
  solution: fixedSolution,
  sameBits: true,
  rules: ["needs-atomic", "no-exchange"],
  cases: (group) => [
    {
      id: "distinct",
      jobs: [inSteps({ tokens: apart(group), d: 1, v: group }), inSteps({ tokens: apart(group), d: 2, v: group })],
    },
    {
      id: "partial",
      jobs: [
        inSteps({ tokens: [], d: 4, v: 3 }),
        inSteps({ tokens: [2], d: 1, v: 3 }),
        inSteps({ tokens: apart(51), d: 5, v: 51 }),
      ],
    },
    {
      id: "outside",
      jobs: [
        inSteps({ tokens: [4, 5, LARGEST, 0], d: 2, v: 5 }),
        inSteps({ tokens: [5, WRAPS, 0, LARGEST, 3], d: 4, v: 5 }),
      ],
    },
    { id: "folded", jobs: [inSteps({ tokens: apart(group), d: 4, v: group, folded: true })] },
    {
      id: "skips",
      jobs: [gradientJob({ tokens: [2, 0, 1, 3], d: 2, v: 4 }, [1, NAN, -INF, 2, 0, INF, -0, 4], { slack: step })],
    },
    {
      id: "signs",
      jobs: [{ ...drawnFixed, runs: 3 }, inSteps({ tokens: [1, 0, 1, 2, 2, 1], d: 4, v: 3, runs: 3 })],
    },
    {
      id: "wide",
      jobs: [
        gradientJob({ tokens: same(4096, 0), d: 1, v: 1, runs: 3 }, same(4096, 4), { slack: step }),
        gradientJob({ tokens: same(4096, 1), d: 1, v: 2 }, same(4096, -4), { slack: step }),
      ],
    },
    {
      id: "fine",
      jobs: [
        gradientJob({ tokens: [1, 0, 1, 1], d: 2, v: 2, runs: 3 }, [0.001, 0.3, 0.01, -0.7, 0.002, 0.1, -0.003, 0.2], {
          slack: step,
        }),
        gradientJob(
          { tokens: Array.from({ length: 512 }, (_, s) => (s * 3) % 7), d: 3, v: 7, runs: 3 },
          Array.from({ length: 1536 }, (_, i) => Math.fround(bell(13, i))),
          { slack: step },
        ),
        between,
      ],
    },
  ],
  drawn: drawnFixed,
};
