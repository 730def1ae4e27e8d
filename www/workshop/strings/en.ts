// The workshop’s words in English.
import { count } from "../../format";
import type { Words } from "./tr";

const n = (value: number) => count("en", value);

export const en: Words = {
  exercises: {
    bounds: {
      name: "Bounds",
      goal: "Keep the spare [threads](#g-thread) of the last [workgroup](#g-workgroup) from writing past the end of the array.",
      hints: [
        "Look at the picture: there are 12 elements, and workgroups of 8, so two are needed. How many threads run, and how many have nothing to do?",
        "A thread with nothing to do has an `i` of at least `N · D`. That number is at hand in `dims`: `dims.x * dims.y`.",
        "Right after `i` is computed, before any array is read: `if (i >= …) { return; }`",
      ],
      lesson:
        "Threads are rounded up to whole workgroups, elements are not. Whatever the spare ones write lands past the end of the data in the [buffer](#g-buffer): on [sentinels](#g-sentinel) here, on another table in real life. Where the buffer is exactly as long as the data, WebGPU silently drops the write or moves it to the last element, so the fault shows only where there is room for it.",
    },
    nan: {
      name: "NaN",
      goal: "Skip gradients that are ±0, ±Inf or NaN; catch the NaN too.",
      hints: [
        "`abs(val) > 3.4e38` is true of Inf. But `<`, `>` and `==` are all false for a NaN, so it walks through this gate.",
        "On paper `val != val` is true of NaN alone; but a WGSL compiler may assume that there are no NaNs and drop the comparison. Don’t compare floats; look at their bits: `bitcast<u32>(val)`.",
        "The exponent bits are `0x7f800000u`. If all of them are 1, the number is Inf or NaN: `(bits & 0x7f800000u) == 0x7f800000u`. To keep the bits as they were stored, declare `grad_out` as `array<u32>`.",
      ],
      lesson:
        "Once a NaN is in a cell, the cell stays NaN, and from there it spreads through the model. WGSL lets its compiler assume that NaN and Inf never occur; the only test to rely on is the bits of the number.",
    },
    packed: {
      name: "f16",
      goal: "Read every [f16](#g-f16) from the right `u32` and the right half of it, even when D is odd.",
      hints: [
        "Two f16 share one `u32`, with no gap between rows. If D = 3, in which `u32` and which half does row 1 begin?",
        "D is `dims.y` here. With an odd D, `dims.y / 2u` loses half an element. Find the element’s place in the whole table first: `k = t * D + d`.",
        "The `u32` is number `k / 2u`, the half `k % 2u`: 0 is `pair.x`, 1 is `pair.y`.",
      ],
      lesson:
        "WGSL’s own f16, `shader-f16`, is missing on some devices; there an f16 table is read as `u32`. With an even D each row begins at a `u32`, and a wrong address never shows; with an odd D every row after row 0 is off.",
    },
    race: {
      name: "Race",
      goal: "Keep threads that write the same cell from erasing each other’s additions.",
      hints: [
        "Read, add, write: three steps. If two threads read the same old value, each writes its own sum and one is lost. While writing you have to check that the cell still holds what you read.",
        "WGSL has no atomic f32, but it has atomic u32: make the table `array<atomic<u32>>` and work on bits: `atomicLoad`, `bitcast<f32>`, add, `bitcast<u32>`.",
        "`atomicCompareExchangeWeak(&grad_table[cell], old_bits, new_bits)` returns `.exchanged`, true if it wrote. If it did not, `.old_value` is what the cell holds now: try again with that, in a `loop`.",
      ],
      lesson:
        "[Compare-and-exchange](#g-cas) is one step that nothing can split: it writes if the cell still holds the bits you read, and otherwise hands you the new ones. It compares u32; if it compared floats, a cell with a NaN in it would keep the loop going for ever.",
    },
    sum: {
      name: "No atomics",
      goal: "Add up without atomics: one thread alone writes each cell, and every run gives the same bits.",
      hints: [
        "The kernel trusts that equal tokens stand side by side. With `tokens = [2, 1, 2]`, how many owners has row 2?",
        "Let the *first* position of a token own its row: a thread steps back if the same token came before. For that it must look at all positions before `s`.",
        "The owner looks at *all* positions after its own and adds up the equal ones in order; it doesn’t stop at the first other token.",
      ],
      lesson:
        "With one writer for each cell there is no race and no atomic, and the order of addition is always the same: equal bits. The price is that each thread reads all positions. This project’s default kernel sorts the positions by token first; that is the layout the given kernel relied on.",
    },
    free: {
      name: "Free",
      goal: "Write `embed_lookup` yourself, from an empty body: `out[s, d] = table[tokens[s], d]`, and 0 outside the vocabulary.",
      hints: [
        "Each thread is one element: `let i = gid.y * nwg.x * GROUP + gid.x;`. When workgroups don’t fit into one line, the grid is folded: `gid.x` is the place in a line, `gid.y` which line. Then comes the bounds check.",
        "Position `s = i / D`, column `d = i % D`, token `t = tokens[s]`; a `let` for each.",
        "If `t >= V`, then `out[i] = 0.0;`, else `out[i] = table[t * D + d];`. N is `dims.x`, D is `dims.y`, V is `dims.z`.",
      ],
      lesson:
        "That is all there is to the forward pass of an embedding layer: a division, a remainder, two reads, a write. The rest is memory.",
    },
    fixed: {
      name: "Fixed point",
      goal: "Add up with integer atomics: equal bits in three runs, an error of at most 2⁻¹⁶ for each number added, and no overflow up to ±16,384.",
      hints: [
        "Adding integers doesn’t care about order; `atomicAdd` will do. Something else is lost: with `SCALE = 16` the smallest step is 1/16.",
        "Rounding costs at most half a step for each number added. If the error may be 2⁻¹⁶, how large may a step be?",
        "The finer the step, the shorter the range: an `i32` holds at most 2³¹ − 1. 16,384 · SCALE must stay below that.",
      ],
      lesson:
        "Order no longer matters: equal bits, and no loop at all. In return you gave up two things that floating point gives: gradients below half a step vanish, and sums that reach ±32,768 overflow (with SCALE = 65536). The step of an f32 grows with the number: it keeps far smaller numbers and overflows at 3.4 · 10³⁸ only; but a small number added to a large sum is lost there too, and that is why order matters.",
    },
  },
  common: {
    unknown: "This name is not defined here: check its spelling, and that a `let`, `var` or `fn` introduces it.",
    semicolon: "A `;` is missing, most often at the end of the line before.",
    bracket: "A bracket is missing or one too many here, or this word doesn’t belong here.",
    types:
      "The types don’t match, and WGSL converts no variable by itself. Write `u32(…)` or `f32(…)` between `u32`, `i32` and `f32`. `1u` is always a `u32` and `1.0` always a float; a plain `1` fits both.",
    assign: "A `let` or a parameter can’t be changed; use `var` for what will change.",
    returns:
      "A function with `-> type` beside its name returns a value of that type at the end of every path; one without returns none.",
    atomic:
      "An atomic cell isn’t read or written directly: `atomicLoad(&a[i])`, `atomicStore(&a[i], x)`, `atomicAdd(&a[i], x)`, with the `&`.",
    uniform:
      "All threads must reach a barrier together: it can’t stand in a branch that some don’t take, or after some have returned.",
    pointer: "A pointer (`&a[i]`) and a value have been mixed up here.",
    f16: "Not every device has `f16`; these exercises are solved without it (`unpack2x16float`).",
    reserved: "This name is a reserved word of WGSL; choose another.",
    const: "A number known at compile time is needed here: a `const` or a plain number.",
    arguments: "This function doesn’t take so many arguments, or not of these types.",
    access:
      "This variable is read-only; writing takes `var<storage, read_write>` (in the exercises that is the output, binding 2).",
    redeclared: "This name is defined twice in the same place.",
    character:
      "WGSL has no such character. For `a ? b : c` write `select(c, b, a)`, for `#` write `//`; there are no quoted texts either.",
    declare: "A variable is declared by `let name = …;` or `var name: f32 = …;`, not as in C by `float name`.",
    loop: "The loop has no way out: it takes a `break` or a condition.",
    atomicType: "There is no `atomic<f32>`: use `atomic<u32>`, and work on the bits of the number (`bitcast`).",
    atomicPlain:
      "This array isn’t declared atomic: for `atomicAdd` and the like its declaration must be `array<atomic<u32>>` (or `i32`).",
    atomicValue:
      "The cell holds `u32` (or `i32`), and the value is of another type. `u32(x)` makes an integer of it, `bitcast<u32>(x)` gives the bits of a float.",
    exchange:
      "The result of `atomicCompareExchangeWeak` has two fields: `.exchanged` (did it write) and `.old_value` (what the cell held).",
    range: "This number doesn’t fit its type: a `u32` has no minus, and `u32` and `i32` have 32 bits.",
    print: "WGSL has no `print`; write the value to `out[i]` and look at it in the result.",
    typeName:
      "The types of WGSL are `u32` (an integer without sign), `i32`, `f32` and `bool`; names such as `int` or `float` don’t exist.",
    isNan:
      "WGSL has no `isnan`, `isinf`, `NaN` or `Inf`; look at the bits of the number: `bitcast<u32>(x) & 0x7f800000u`.",
    length:
      "`arrayLength(&array)` gives a length; in these kernels the sizes are at hand in `dims`. There is no `range`, but there is `for`.",
    words: "Instead of `and`, `or`, `not` WGSL has `&&`, `||`, `!`; `true` and `false` are in lower case.",
    elseIf: "Instead of `elif` write `else if (…) { … }`.",
    forLoop: "A loop is written like this: `for (var k = 0u; k < n; k += 1u) { … }`.",
    braces: "Indentation and `:` open no block in WGSL; `{ … }` follows a condition or a loop.",
    equality:
      "Ask for equality with `==`, for inequality with `!=`; a single `=` assigns, and can’t stand in a condition.",
    power: "There is no `**`: multiply an integer by itself; for floats there is `pow(x, y)`.",
    increment: "`i++` gives no value; it stands alone, `i++;`, and `i` must be a `var`.",
    cast: "A conversion is written like a call: not `(float)i`, but `f32(i)`.",
    division:
      "`//` is no integer division, it starts a comment; divide with `/`, which drops the remainder of a `u32`. If a comment is what you meant, a `;` is missing before it.",
    statement:
      "A value alone is no statement: give it a name (`let x = …;`), write it somewhere (`out[i] = …;`), or take it away.",
    mixing:
      "Side by side these operators need parentheses: `(a & b) == c`, `(a && b) || c`. `&` joins bits, `&&` joins conditions.",
    field:
      "There is no field of this name. In `dims`, N, D and V are `dims.x`, `dims.y` and `dims.z`; `gid` too is read by `.x`, `.y`, `.z`.",
    local: "Inside a function `var name = …;` is enough; `var<…>` stands outside functions.",
    index: "The index is out of range: 0 to 3 for `dims`, 0 to 2 for `gid`; there are no negative ones.",
    call: "This is no function; an element of an array is read with square brackets: `table[k]`.",
    outside:
      "This line is outside the function; most often there is a `}` too many above it. Only `const`, `var<…>`, `struct` and `fn` stand outside.",
  },
  rules: {
    "needs-atomic":
      "The numbers came out right on this device, but nothing in the kernel is atomic: a graphics card whose threads really run side by side may lose additions. To count as solved, the cells must be atomic.",
    "no-atomic":
      "The numbers are right, but the goal is a sum without atomics: there is still an `atomic` in the kernel.",
    "no-exchange": "The numbers are right, but the goal is `atomicAdd`: the kernel still uses compare-and-exchange.",
  },
  formula: [
    "out[i] == twin[i], bit by bit",
    "twin: the kernel that does the same work on the CPU; it gives the right answer. Sentinels (−777) follow the last element: nobody should write there.",
  ],
  choose: "Exercises",
  solved: "solved",
  solvedOf: (done: number, all: number) =>
    done === all ? "All seven exercises solved" : `${done} of ${all} exercises solved`,
  goal: "Goal",

  primer: "WGSL in two minutes",
  primerLines: [
    [
      "@group(0) @binding(1) var<storage, read> table: array<f32>;",
      "An array in the device’s memory, a [buffer](#g-buffer). `read` is for reading only, `read_write` for writing too; `@binding` says which buffer it is.",
    ],
    [
      "@group(0) @binding(3) var<uniform> dims: vec4<u32>;",
      "Four integers that all threads see: `dims.x` is N, `dims.y` D, `dims.z` V.",
    ],
    [
      "@compute @workgroup_size(GROUP) fn embed_lookup(… gid: vec3<u32>)",
      "This is the kernel: each [thread](#g-thread) runs the function once. `gid` says which thread it is, `GROUP` how many are in a workgroup.",
    ],
    [
      "let a = 2u;   var b = 0.5;   b += f32(a);",
      "A `let` gets its value once, a `var` changes. `u32` is an integer without sign (`2u`), `f32` has a fraction (`0.5`); `f32(a)` and `u32(b)` convert.",
    ],
    [
      "for (var k = 0u; k < n; k += 1u) { if (k % 2u == 1u) { return; } }",
      "Blocks stand between `{ }`, a statement ends in `;`, a comment starts with `//`. `/` drops the remainder of an integer, `%` gives it.",
    ],
  ],

  code: "WGSL code",
  keys: "Ctrl+Enter (⌘+Enter on a Mac) runs it. Tab indents; to leave, press Escape, then Tab.",
  plainEditor: "The editor with colours didn’t come; a plain text area does the same job.",
  run: "Run and check",
  stop: "Stop",
  judging: (done: number, total: number) => `Case ${Math.min(total, done + 1)} of ${total}`,
  restore: "Back to the given kernel",
  restored: "The given kernel is back.",
  solutionPut: "The solution is in the editor.",
  draftReplaced: "You changed the code of the link: it is your draft now.",
  draftBack: "Your own draft is back.",
  undo: "Undo",
  queued: "Next in line: the device is busy with something else…",
  elsewhere: {
    passed: (name: string) => `Exercise “${name}” passed.`,
    failed: (name: string) => `Exercise “${name}” has run; there is a result.`,
    broken: (name: string) => `The code of exercise “${name}” does not compile and was not run.`,
  },
  goTo: (name: string) => `Open ${name}`,
  share: "Copy a link to the code",
  shared: "Link copied: it holds the exercise and the code, and your text and settings of section 1.",
  shareFailed: "The link is in the address bar; copy it from there.",
  noRoomInLink: "This code is too long for a link, so none was made.",
  tooLong: (most: number) =>
    `The code is longer than ${n(most)} characters: it isn’t kept, doesn’t fit a link and isn’t run.`,
  fromLink: "This code came with the link. It has not been run.",
  ownDraft: "Back to my own draft",
  badLink: "The code in the link could not be read; the exercise opened with its given kernel.",
  tookDown:
    "The last time this code ran, it took the page down. Your draft is here and won’t run by itself; look at its loops first.",

  compiling: "Compiling…",
  compiled: "Compiled without errors.",
  errors: (many: number) => (many === 1 ? "Does not compile: 1 error." : `Does not compile: ${n(many)} errors.`),
  keptVerdict: "The result below belongs to the last code that ran.",
  cannotRun: "It compiles, but can’t run as it is.",
  oldVerdict: "This result belongs to the code before you changed it.",
  line: (line: number) => `line ${n(line)}`,
  whole: "All of it, in the browser’s words",
  problems: "What the compiler says",

  readOnly: "Code can be read here, but not run: kernels need WebGPU. Why it is missing:",
  readOnlyAsked: "The page runs on its CPU twin.",
  waitingForLast: "The kernel before has not ended yet; this one runs when the GPU lets go of it.",

  verdict: "Result",
  runOf: (run: number, at: Date) => `run ${n(run)}, ${at.toLocaleTimeString("en")}`,
  none: "Not run yet. The given kernel compiles, but gets one of the cases wrong: run it first.",
  noneOwn: "This code has not been run yet.",
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
  tooFar: (off: string, slack: string, hits: string) =>
    `It is off by ${off}; with ${hits === "1" ? "one number" : `${hits} numbers`} added, ${slack} is allowed.`,
  clamped: "This is the very last element of the buffer; an index beyond it may have been clamped to here.",
  unwritten: (cell: string, want: string) =>
    `\`${cell}\` should be ${want}, but nothing wrote it: the sentinel is still there.`,
  beyond: (cell: string, size: string, got: string) =>
    `\`${cell}\` lies outside the output (of ${size} elements) and was overwritten all the same: ${got} instead of the sentinel −777.`,
  differs: (cell: string, a: string, b: string) =>
    `\`${cell}\` was ${a} in one run and ${b} in another: the bits differ.`,
  beyondMany: (many: number) => `Sentinels overwritten past the end of the output: ${n(many)}.`,
  wrongMany: (many: number, of: number) => `${n(many)} of ${n(of)} numbers are wrong.`,
  placeOut: (thread: string, group: string, token: string) =>
    `The element’s thread is ${thread}, its workgroup ${group}, its token ${token}.`,
  placeCell: (row: string, column: string, hits: string) =>
    `Row ${row}, column ${column}; positions that want this row: ${hits}.`,
  passedMark: "passed",
  failedMark: "failed",
  notRun: "not reached",
  caseList: "Cases",
  endless: (line: number, keyword: string, turns: number) =>
    `The \`${keyword}\` in line ${n(line)} did not end within ${n(turns)} turns of one thread, and was stopped. Look at its way out.`,
  inCase: (name: string) => `Case *${name}*.`,

  trouble: {
    "no-device":
      "The browser gave the workshop no GPU device. After a few losses browsers give a site no new one: close the tab and open it again. Sections 1 to 6 go on with a device of their own.",
    lost: "The workshop’s GPU device was lost while the code ran. Sections 1 to 6 have a device of their own and go on. Run again, and a new one is asked for.",
    hanging: (seconds: number) =>
      `The kernel didn’t end within ${seconds} seconds. A running kernel can’t be stopped from outside; once the GPU lets go of it you can run again. Its result was not waited for.`,
    memory: "The device ran out of memory. The kernel asks for too much room.",
    refused: "The code compiles, but the browser made no pipeline of this kernel. In its words:",
    "no-entry": (entry: string) =>
      `There is no \`@compute @workgroup_size(…) fn ${entry}\`: the entry point must have this name.`,
    "group-unknown": (entry: string) =>
      `The \`@workgroup_size\` of \`${entry}\` could not be read: write a number, or the name of a \`const\`; the number of workgroups is made to fit it.`,
    groupAll: (asked: number, most: number) =>
      `The workgroup asks for ${n(asked)} threads; this device allows at most ${n(most)}.`,
    groupAxis: (axis: string, asked: number, most: number) =>
      `The workgroup asks for ${n(asked)} threads along ${axis}; this device allows at most ${n(most)}.`,
  },

  cases: {
    partial: "the last workgroup isn’t full",
    full: "workgroups exactly full",
    outside: "edge of the vocabulary: V − 1, V, 2³² − 1",
    folded: "workgroups folded into x and y",
    random: "mixed tokens",
    small: "three tokens",
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
    race: "one token throughout",
    apart: "equal tokens far apart",
    adjacent: "equal tokens side by side",
    fine: "small fractions and values in between",
    wide: "a large sum: 4,096 · 4",
    signs: "plus and minus",
  },

  picture: "Thread → cell",
  pictureSmall: (tokens: string, width: string, group: string) =>
    `tokens = [${tokens}], D = ${width}, workgroups of ${group} threads`,
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
      strays > 0 ? `${n(strays)} of them write past the end of the output.` : "",
      shared > 0 ? `${n(shared)} ${shared === 1 ? "cell is" : "cells are"} written by several threads.` : "",
    ]
      .filter(Boolean)
      .join(" "),

  output: "Output, wrong values framed",
  outputSay: (wrong: number, shown: number) => `Heat map: ${n(wrong)} of the ${n(shown)} cells shown are wrong.`,
  outputPart: (from: string, to: string, rows: string) => `Rows ${from} to ${to} of ${rows} are shown.`,
  outputWritten: "In a framed box: the number that came out, and after ≠ the one that should have.",
  outputMargin: "Grey boxes with dashed edges: untouched sentinels past the end of the output.",
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
  solutionKey: "Coloured lines are missing from the given kernel, or differ there.",
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
    packed: "embed_lookup from an f16 table: two f16 in one u32.",
    packedTable: "Element k is half k % 2 of u32 number k / 2.",
    packedHere: "Does each row begin at a u32?",
    packedFix: "First the place in the table, then the u32 and its half.",
    race: "embed_backward: grad_table[tokens[s], d] += grad_out[s, d]",
    raceHere: "Read, add, write.",
    raceFix: "Write if the cell still holds the bits that were read; else try again.",
    skips: "±0, ±Inf and NaN are not added; their bits tell.",
    sum: "A sum without atomics: the owner of a row writes its cells.",
    sumHere: "If the position before has the same token, that is the owner. And if it is further back?",
    sumFix: "The first position of a token is the owner.",
    fixed: "Fixed point: the gradient times SCALE is added up as i32.",
    fixedFix: "Step 1 / 65,536, range ±32,768.",
    fixedAdd: "Integers don’t care about order.",
    fixedBack: "Second pass: one thread a cell, from i32 to f32.",
  },
};
