// The workshop's words in English.
import { count } from "../../format";
import type { Words } from "./tr";

const n = (value: number) => count("en", value);

export const en: Words = {
  exercises: {
    bounds: {
      name: "Bounds",
      goal: "Keep the spare threads of the last workgroup from writing behind the array.",
      hints: [
        "Look at the picture: there are 12 elements, and workgroups of 8, so two are needed. How many threads run, and how many have nothing to do?",
        "A thread with nothing to do has an `i` of at least `N · D`. That number is at hand in `dims`: `dims.x * dims.y`.",
        "Right after `i` is computed, before any array is read: `if (i >= …) { return; }`",
      ],
      lesson:
        "Threads are rounded up to whole workgroups, elements are not. Whatever the spare ones write lands on what lies behind the buffer: sentinels here, another table in real life. Where the buffer is exactly as long as the data, WebGPU silently drops the write or moves it to the last element, so the fault shows only where there is room for it.",
    },
    nan: {
      name: "NaN",
      goal: "Skip gradients that are ±0, ±Inf or NaN; catch the NaN too.",
      hints: [
        "`abs(val) > 3.4e38` is true of Inf. But every comparison with NaN is false, so a NaN walks through this gate.",
        "`val != val` is no help either: a WGSL compiler may assume that there are no NaNs and drop the comparison. Don't compare floats; look at the bits: `bitcast<u32>(val)`.",
        "The exponent bits are `0x7f800000u`. If all of them are 1, the number is Inf or NaN: `(bits & 0x7f800000u) == 0x7f800000u`. To keep the bits as they were stored, declare `grad_out` as `array<u32>`.",
      ],
      lesson:
        "Once a NaN is in a cell, the cell stays NaN, and from there it spreads through the model. WGSL lets its compiler assume that NaN and Inf never occur; the only test to rely on is the bits of the number.",
    },
    packed: {
      name: "f16",
      goal: "Read every f16 from the right word and the right half, even when D is odd.",
      hints: [
        "Two f16 share one `u32` word, with no gap between rows. If D = 3, in which word and which half does row 1 begin?",
        "With an odd D, `d_model / 2` loses half an element. Find the place in the whole table first: `k = t * D + d`.",
        "The word is `k / 2u`, the half `k % 2u`: 0 is `pair.x`, 1 is `pair.y`.",
      ],
      lesson:
        "Without `shader-f16`, an f16 table is read as `u32`. With an even D each row begins at a word, and a wrong address never shows; D = 3 gives it away right after the first row.",
    },
    race: {
      name: "Race",
      goal: "Keep threads that write the same cell from erasing each other's additions.",
      hints: [
        "Read, add, write: three steps. If two threads read the same old value, each writes its own sum and one is lost. While writing you have to check that the cell still holds what you read.",
        "WGSL has no atomic f32, but it has atomic u32: make the table `array<atomic<u32>>` and work on bits: `atomicLoad`, `bitcast<f32>`, add, `bitcast<u32>`.",
        "`atomicCompareExchangeWeak(&grad_table[cell], old_bits, new_bits)` has `.exchanged` true if it wrote. If not, `.old_value` is your new old value: try again in a `loop`.",
      ],
      lesson:
        "Compare-and-exchange is one step that nothing can split: it writes if the cell still holds the bits you read, and otherwise hands you the new ones. It compares u32; if it compared floats, a cell with a NaN in it would keep the loop going for ever.",
    },
    sum: {
      name: "No atomics",
      goal: "Add up without atomics: one thread alone writes each cell, and every run gives the same bits.",
      hints: [
        "The kernel trusts that equal tokens stand side by side. With `tokens = [2, 1, 2]`, how many owners has row 2?",
        "Let the *first* position of a token own its row: a thread steps back if the same token came before. For that it must look at all positions from `0` to `s`.",
        "The owner looks at *all* positions after its own and adds up the equal ones in order; it doesn't stop at the first other token.",
      ],
      lesson:
        "With one writer for each cell there is no race and no atomic, and the order of addition is always the same: equal bits. The price is that each thread reads all positions. This project's default kernel sorts the positions by token first; that is the layout the given kernel relied on.",
    },
    free: {
      name: "Free",
      goal: "Write `embed_lookup` yourself, from an empty body: `out[s, d] = table[tokens[s], d]`, and 0 outside the vocabulary.",
      hints: [
        "Each thread is one element: `i = gid.y * nwg.x * GROUP + gid.x`. The bounds check comes first.",
        "Position `s = i / D`, column `d = i % D`, token `t = tokens[s]`.",
        "If `t >= V`, then `out[i] = 0.0`; else `out[i] = table[t * D + d]`. D is `dims.y`, V is `dims.z`.",
      ],
      lesson:
        "That is all there is to the forward pass of an embedding layer: a division, a remainder, two reads, a write. The rest is memory.",
    },
    fixed: {
      name: "Fixed point",
      goal: "Add up with integer atomics: equal bits in three runs, an error of at most 2⁻¹⁶ for each addition, and no overflow up to ±16,384.",
      hints: [
        "Adding integers doesn't care about order; `atomicAdd` will do. Something else is lost: with `SCALE = 16` the smallest step is 1/16.",
        "Rounding costs at most half a step for each addition. If the error may be 2⁻¹⁶, how large may a step be?",
        "The finer the step, the shorter the range: an `i32` holds at most 2³¹ − 1. 16,384 · SCALE must stay below that.",
      ],
      lesson:
        "Order no longer matters: equal bits, and no loop at all. In return you gave up two things that floating point gives: small gradients vanish below one step, and large sums run out of range. f32 has neither problem, because its step grows with the number.",
    },
  },
  common: {
    unknown: "This name is not defined here: check its spelling, and that a `let`, `var` or `fn` introduces it.",
    semicolon: "A `;` is missing, most often at the end of the line before.",
    bracket: "A bracket is missing or one too many here, or this word doesn't belong here.",
    types:
      "The types don't match, and WGSL converts nothing by itself. Write `u32(…)` or `f32(…)` between `u32`, `i32` and `f32`; `1`, `1u` and `1.0` are different types.",
    assign: "A `let` or a parameter can't be changed; use `var` for what will change.",
    returns:
      "Every way through the function must return a value of the type it promises, and none if it promises none.",
    atomic:
      "An atomic cell isn't read or written directly: `atomicLoad(&a[i])`, `atomicStore(&a[i], x)`, `atomicAdd(&a[i], x)`, with the `&`.",
    uniform:
      "All threads must reach a barrier together: it can't stand in a branch that some don't take, or after some have returned.",
    pointer: "A pointer (`&a[i]`) and a value have been mixed up here.",
    f16: "Not every device has `f16`; these exercises are solved without it (`unpack2x16float`).",
    reserved: "This name is a reserved word of WGSL; choose another.",
    const: "A number known at compile time is needed here: a `const` or a plain number.",
    arguments: "This function doesn't take so many arguments, or not of these types.",
    access:
      "This variable is read-only; writing takes `var<storage, read_write>` (in the exercises that is the output, binding 2).",
    redeclared: "This name is defined twice in the same place.",
    character: "WGSL has no such character. For `a ? b : c` write `select(c, b, a)`; there are no quoted texts either.",
    declare: "A variable is declared by `let name = …;` or `var name: f32 = …;`, not as in C by `float name`.",
    loop: "The loop has no way out: it takes a `break` or a condition.",
  },
  rules: {
    "needs-atomic":
      "The numbers came out right on this device, but nothing in the kernel is atomic: a graphics card whose threads really run side by side may lose additions. To count as solved, the cells must be atomic.",
    "no-atomic":
      "The numbers are right, but the goal is a sum without atomics: there is still an `atomic` in the kernel.",
    "no-exchange": "The numbers are right, but the goal is `atomicAdd`: the kernel still uses compare-and-exchange.",
  },
  formula: [
    "out[i] ≟ twin[i], bit by bit",
    "The right answer comes from the kernel's twin on the CPU; sentinels (−777) stand behind the last element.",
  ],
  choose: "Exercises",
  solved: "solved",
  solvedOf: (done: number, all: number) => `${done} of ${all} exercises solved`,
  goal: "Goal",

  code: "WGSL code",
  keys: "Ctrl+Enter (⌘+Enter on a Mac) runs it. Tab indents; to leave, press Escape, then Tab.",
  plainEditor: "The editor with colours didn't come; a plain text area does the same job.",
  run: "Run and check",
  stop: "Stop",
  judging: (done: number, total: number) => `Case ${Math.min(total, done + 1)} of ${total}`,
  restore: "Back to the given kernel",
  restored: "The given kernel is back; Ctrl+Z brings your code back.",
  share: "Copy a link to the code",
  shared: "Link copied, with the exercise and the code in it.",
  shareFailed: "The link is in the address bar; copy it from there.",
  tooLong: (most: number) =>
    `The code is longer than ${n(most)} characters: it isn't kept, doesn't fit a link and isn't run.`,
  fromLink: "This code came with the link. It has not been run.",
  ownDraft: "Back to my own draft",
  badLink: "The code in the link could not be read; the exercise opened with its given kernel.",
  tookDown:
    "The last time this code ran, it took the page down. Your draft is here and won't run by itself; look at its loops first.",

  compiling: "Compiling…",
  compiled: "Compiled without errors.",
  errors: (many: number) => (many === 1 ? "Does not compile: 1 error." : `Does not compile: ${n(many)} errors.`),
  keptVerdict: "The result below belongs to the last code that compiled.",
  oldVerdict: "This result belongs to the code before you changed it.",
  line: (line: number) => `line ${n(line)}`,
  whole: "All of it, in the browser's words",
  problems: "What the compiler says",

  readOnly: "Code can be read here, but not run: kernels need a GPU. Why there is none:",
  readOnlyAsked: "The page runs on its CPU twin.",
  waitingForLast: "The kernel before has not ended yet; this one runs when the GPU lets go of it.",

  verdict: "Result",
  none: "Not run yet. The given kernel compiles, but gets one of the cases wrong: run it first.",
  noneFree: "Not run yet. The body is empty: start writing, or run it to see what the first case wants.",
  passed: (cases: number) => `Passed: all ${n(cases)} cases, right to the last bit.`,
  passedHere: (cases: number) =>
    `Passed, on this device: all ${n(cases)} cases are right. The cells are atomic, so a device that runs the threads in another order loses nothing either.`,
  passedSame: (cases: number) =>
    `Passed, on this device: all ${n(cases)} cases are right, with equal bits in three runs.`,
  floatCheck:
    "Passed, on this device. But you told the NaN by comparing floats: WGSL lets a compiler drop that, and another device may let the NaN through. Look at the bits.",
  next: "Next exercise",
  about: "What this was about",
  failed: (name: string, sizes: string) => `Case *${name}* (${sizes}):`,
  sizes: (tokens: string, width: string) => `N = ${tokens}, D = ${width}`,
  value: (cell: string, want: string, got: string) => `\`${cell}\` should be ${want} and is ${got}.`,
  lost: (cell: string, want: string, got: string, lost: string) =>
    `\`${cell}\` should be ${want} and is ${got}; ${lost} additions were lost.`,
  unwritten: (cell: string, want: string) =>
    `\`${cell}\` should be ${want}, but nothing wrote it: the sentinel is still there.`,
  beyond: (cell: string, size: string, got: string) =>
    `\`${cell}\` lies outside the output (of ${size} elements) and was overwritten all the same: ${got} instead of the sentinel −777.`,
  differs: (cell: string, a: string, b: string) =>
    `\`${cell}\` was ${a} in one run and ${b} in another: the bits differ.`,
  beyondMany: (many: number) => `Sentinels overwritten behind the output: ${n(many)}.`,
  wrongMany: (many: number, of: number) => `${n(many)} of ${n(of)} numbers are wrong.`,
  placeOut: (thread: string, group: string, token: string) =>
    `The element's thread is ${thread}, its workgroup ${group}, its token ${token}.`,
  placeCell: (row: string, column: string, hits: string) =>
    `Row ${row}, column ${column}; positions that want this row: ${hits}.`,
  passedMark: "passed",
  failedMark: "failed",
  notRun: "not tried",
  caseList: "Cases",
  endless: (line: number, keyword: string, turns: number) =>
    `The \`${keyword}\` in line ${n(line)} did not end within ${n(turns)} turns of one thread, and was stopped. Look at its way out.`,
  inCase: (name: string) => `Case *${name}*.`,

  trouble: {
    "no-device":
      "The browser gave the workshop no GPU device. After a few losses browsers give a site no new one: close the tab and open it again. Sections 1 to 6 go on with a device of their own.",
    lost: "The workshop's GPU device was lost while the code ran. Sections 1 to 6 have a device of their own and go on. Run again, and a new one is asked for.",
    hanging: (seconds: number) =>
      `The kernel didn't end within ${seconds} seconds. A running kernel can't be stopped from outside; once the GPU lets go of it you can run again. Its result was not waited for.`,
    memory: "The device ran out of memory. The kernel asks for too much room.",
    refused: "The code compiles, but the browser made no pipeline of this kernel. In its words:",
    "no-entry": (entry: string) =>
      `There is no \`@compute @workgroup_size(…) fn ${entry}\`: the entry point must have this name.`,
    "group-unknown": (entry: string) =>
      `The \`@workgroup_size\` of \`${entry}\` could not be read: write a number, or the name of a \`const\`; the grid is made to fit it.`,
    groupAll: (asked: number, most: number) =>
      `The workgroup asks for ${n(asked)} threads; this device allows at most ${n(most)}.`,
    groupAxis: (axis: string, asked: number, most: number) =>
      `The workgroup asks for ${n(asked)} threads along ${axis}; this device allows at most ${n(most)}.`,
  },

  cases: {
    partial: "the last workgroup isn't full",
    full: "workgroups exactly full",
    outside: "edge of the vocabulary: V − 1, V, 2³² − 1",
    folded: "folded grid (x and y)",
    random: "mixed tokens",
    small: "three tokens, D = 4",
    even: "D even",
    odd: "D odd",
    nan: "NaN in the gradient",
    inf: "±Inf in the gradient",
    zero: "±0 in the gradient, −0 in a cell",
    large: "very large but finite",
    distinct: "each token once",
    repeats: "repeated tokens",
    skips: "0, Inf and NaN are skipped",
    nanCell: "a NaN is in the cell already",
    race: "one token, D = 1",
    apart: "equal tokens far apart",
    adjacent: "equal tokens side by side",
    fine: "small fractions",
    wide: "a large sum: 4,096 · 4",
    signs: "plus and minus",
  },

  picture: "Thread → cell",
  pictureSmall: (tokens: string, width: string, group: string) =>
    `tokens = [${tokens}], D = ${width}, workgroups of ${group}`,
  pictureBefore: "Dashed: the cell that this thread wants. Once run, what it really writes is drawn too.",
  pictureAfter: "Solid: the cell that the thread really wrote when it ran alone. Dashed: wanted, but not written.",
  pictureUnseen:
    "The threads of this kernel could not be watched alone (it has a barrier, or no `global_invocation_id`); only what they want is drawn.",
  thread: "thread",
  workgroup: "workgroup",
  wants: "wants",
  wrote: "wrote",
  margin: "sentinel",
  moreThreads: (many: number) => `… and ${n(many)} more`,
  threadsSay: (threads: number, strays: number, shared: number) =>
    [
      `${n(threads)} threads.`,
      strays > 0 ? `${n(strays)} of them write behind the output.` : "",
      shared > 0 ? `${n(shared)} ${shared === 1 ? "cell is" : "cells are"} written by several threads.` : "",
    ]
      .filter(Boolean)
      .join(" "),

  output: "Output, wrong ones ringed",
  outputSay: (wrong: number, shown: number) => `Heat map: ${n(wrong)} of the ${n(shown)} cells shown are wrong.`,
  outputPart: (from: string, to: string, rows: string) => `Rows ${from} to ${to} of ${rows} are shown.`,
  outputWritten: "In a ringed box: the number that came out, and behind ≠ the one that should have.",
  outputMargin: "Grey: the sentinels behind the output.",
  row: "row",
  column: "column",
  index: "index",
  want: "should be",
  got: "is",
  cellSay: (cell: string, want: string, got: string) => `${cell}: should be ${want}, is ${got}`,

  hint: (k: number) => `Hint ${k}`,
  showHint: (k: number) => `Show hint ${k}`,
  hints: "Hints",
  solution: "Solution",
  showSolution: "Show the solution",
  useSolution: "Put the solution into the editor",
  solutionLast: "The solution opens after the three hints.",

  comments: {
    bounds: "embed_lookup: each thread is one element.\nOne check is missing.",
    boundsFix: "Spare threads leave here.",
    free: "embed_lookup: the body is yours.\nout[s, d] = table[tokens[s], d]; 0 where tokens[s] >= V",
    freeHere: "i, s, d, t …",
    nan: "embed_backward: gradients that are 0, Inf or NaN must be skipped.",
    nanHere: "Inf is caught here. And NaN?",
    nanFix: "All exponent bits 1: Inf or NaN.",
    packed: "embed_lookup from an f16 table: two f16 in one u32 word.",
    packedTable: "Element k is half k % 2 of word k / 2.",
    packedHere: "Does each row begin at a word?",
    packedFix: "First the place in the table, then word and half.",
    race: "embed_backward: grad_table[tokens[s], d] += grad_out[s, d]",
    raceHere: "Read, add, write.",
    raceFix: "Write if the cell still holds the bits that were read; else try again.",
    skips: "±0, ±Inf and NaN are not added; their bits tell.",
    sum: "A sum without atomics: the owner of a row writes its cells.",
    sumHere: "If the position before has the same token, that is the owner. And if it is further back?",
    sumFix: "The first position of a token is the owner.",
    fixed: "Fixed point: the gradient times SCALE is added up as i32.",
    fixedFix: "Step 1 / 65,536, range ±32,768.",
    fixedAdd: "Integers don't care about order.",
    fixedBack: "Second pass: one thread a cell, from i32 to f32.",
  },
};
