// The exercises on the way forward: the bounds check, the packed f16 table, and the lookup from an empty body.
import { bell } from "../../random";
import { type Case, type Job, lookupJob, packedJob, type Sizes } from "../case";
import boundsSolution from "../kernels/bounds.solution.wgsl" with { type: "text" };
import bounds from "../kernels/bounds.wgsl" with { type: "text" };
import freeSolution from "../kernels/free.solution.wgsl" with { type: "text" };
import free from "../kernels/free.wgsl" with { type: "text" };
import packedSolution from "../kernels/packed.solution.wgsl" with { type: "text" };
import packed from "../kernels/packed.wgsl" with { type: "text" };
import type { Exercise } from "./exercise";

const LARGEST = 2 ** 32 - 1;

/** A table in which a number tells its place: row 2, column 3 holds 2.3. */
const plain = ({ v, d }: Sizes) =>
  Array.from({ length: v * d }, (_, k) => Math.floor(k / d) + Math.round((k % d) * 1000) / 10_000);
/** A table of which no two numbers are equal. */
const noise = ({ v, d }: Sizes) => Array.from({ length: v * d }, (_, k) => bell(7, k));

/** Neighbours that differ: a lookup that mixes up positions can't come out right. */
const steps = (n: number, v: number) => Array.from({ length: n }, (_, s) => (s * 7 + 3) % v);

const look = (sizes: Sizes): Job => lookupJob(sizes, noise(sizes));
const drawn = lookupJob({ tokens: [4, 1, 3], d: 4, v: 5 }, plain({ tokens: [], d: 4, v: 5 }));

/** Elements that leave threads over in the last workgroup, for any workgroup of 2 to 256 threads; folded ones too. */
const partial: Case = {
  id: "partial",
  jobs: [
    drawn,
    look({ tokens: [6], d: 1, v: 9 }),
    look({ tokens: [], d: 4, v: 5 }),
    look({ tokens: steps(51, 40), d: 5, v: 40 }),
    look({ tokens: steps(257, 64), d: 1, v: 64 }),
    look({ tokens: steps(77, 40), d: 3, v: 40, folded: true }),
  ],
};
/** Times an even D this id comes round to row 1: a comparison as signed numbers would let it through. */
const WRAPS = 2 ** 31 + 1;
const outside: Case = {
  id: "outside",
  jobs: [
    look({ tokens: [8, 9, LARGEST, 0], d: 2, v: 9 }),
    look({ tokens: [9, WRAPS, 10, 8, LARGEST, 1, 9, 0], d: 4, v: 9 }),
  ],
};
const folded = (group: number): Case => ({
  id: "folded",
  jobs: [look({ tokens: steps(group, 50), d: 4, v: 50, folded: true })],
});
const full: Case = {
  id: "full",
  jobs: [look({ tokens: steps(2, 7), d: 4, v: 7 }), look({ tokens: steps(256, 90), d: 1, v: 90 })],
};
const random: Case = {
  id: "random",
  jobs: [look({ tokens: steps(64, 61), d: 8, v: 61 }), look({ tokens: steps(128, 100), d: 6, v: 100 })],
};

const lookup = {
  passes: [{ entry: "embed_lookup", threads: "elements" }],
  gradient: false,
  sameBits: false,
  rules: [],
  output: "out",
} as const;

export const boundsExercise: Exercise = {
  ...lookup,
  id: "bounds",
  start: bounds,
  solution: boundsSolution,
  cases: (group) => [full, outside, folded(group), partial, random],
  drawn,
};

export const freeExercise: Exercise = {
  ...lookup,
  id: "free",
  start: free,
  solution: freeSolution,
  cases: (group) => [{ id: "small", jobs: [drawn] }, full, outside, folded(group), partial, random],
  drawn,
};

/** Finite f16 bits, no two neighbours alike: 1, −2, 65504, 2⁻¹⁴ … but none that is subnormal, which a device may flush. */
const halves = ({ v, d }: Sizes) =>
  Array.from({ length: v * d }, (_, k) => {
    const special = [0x3c00, 0xc000, 0x7bff, 0x0400, 0xfbff, 0x3555][k];
    return special ?? (((k * 2654435761) >>> 17) & 0x83ff) | ((1 + ((k * 7) % 29)) << 10);
  });
const pack = (sizes: Sizes): Job => packedJob(sizes, halves(sizes));
/** f16 bits of 0.5, 1, 1.5, … */
const counted = [0x3800, 0x3c00, 0x3e00, 0x4000, 0x4100, 0x4200, 0x4300, 0x4400, 0x4480, 0x4500, 0x4580, 0x4600];
const drawnPacked = packedJob({ tokens: [2, 1, 3], d: 3, v: 4 }, counted);

export const packedExercise: Exercise = {
  ...lookup,
  id: "packed",
  start: packed,
  solution: packedSolution,
  cases: (group) => [
    {
      id: "even",
      jobs: [pack({ tokens: steps(group, 30), d: 2, v: 30 }), pack({ tokens: steps(group, 9), d: 8, v: 9 })],
    },
    {
      id: "partial",
      jobs: [
        pack({ tokens: [], d: 2, v: 3 }),
        pack({ tokens: [1], d: 2, v: 3 }),
        pack({ tokens: steps(43, 20), d: 6, v: 20 }),
      ],
    },
    {
      id: "outside",
      jobs: [pack({ tokens: [6, 7, LARGEST, 0], d: 2, v: 7 }), pack({ tokens: [5, 6, WRAPS, 1, LARGEST], d: 4, v: 6 })],
    },
    { id: "folded", jobs: [pack({ tokens: steps(group, 20), d: 4, v: 20, folded: true })] },
    {
      id: "odd",
      jobs: [
        drawnPacked,
        pack({ tokens: steps(9, 8), d: 1, v: 8 }),
        pack({ tokens: steps(50, 33), d: 5, v: 33 }),
        pack({ tokens: [6, 7, LARGEST, 5], d: 7, v: 7 }),
      ],
    },
  ],
  drawn: drawnPacked,
};
