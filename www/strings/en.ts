// Every word the page shows in English; loaded when English is asked for.
import { count } from "../format";
import type { Strings } from "./tr";

const nen = (value: number) => count("en", value);

export const en: Strings = {
  title: "Gömme: how does a word become numbers?",
  brand: "gömme",
  skip: "Skip to content",
  language: "Language",
  appearance: "Appearance",
  light: "Light",
  dark: "Dark",
  system: "Follow system",
  copyLink: "Copy link",
  copied: "Copied",
  linkTooLong: (kept) => `Copied, with the first ${nen(kept)} characters of the text`,
  linkByHand: "Here is the link, selected and ready to copy",
  linkByHandCut: (kept) => `Here is the link, selected; it holds the first ${nen(kept)} characters of the text`,
  reset: "Reset",
  wasReset: "Everything is back to the beginning",
  textReplaced: "Text replaced",
  undo: "Undo",
  close: "Close",
  followed: "You followed a link here.",
  goBack: "Go back",
  resetHint: "Back to the beginning; the same numbers come out again",
  sections: "Sections",
  short: ["Start", "Text", "Vectors", "Gradient", "CAS", "Race", "Speed", "Kernel", "Training"],

  badge: {
    starting: "Looking for a device…",
    hidden: "the browser hides its name",
    gpu: "Graphics card",
    software: (name) => (name ? `Software adapter: ${name}` : "Software adapter"),
    cpu: "Running on the CPU twin",
    failed: "Could not start",
    adapter: "Adapter",
    inSoftware:
      "Not a graphics card: a program that carries out GPU commands on the CPU. Results are right; times say nothing about a graphics card.",
    f16Yes: "present, the table is read as f16",
    f16No: "missing, the same table is read as packed `u32`",
    buffer: "Buffer limit",
    clock: "Timestamps",
    yes: "present",
    no: "missing",
    why: "Why the CPU",
    how: "To get WebGPU",
    cpuNote:
      "The kernels’ CPU twins do the same sums. Everything works, except that there is no race to see: there is one worker.",
    reason: {
      "no-webgpu": "This browser has no `navigator.gpu`.",
      "no-adapter": "The browser has WebGPU but gave no adapter",
      "no-device": "The browser gave an adapter, but the adapter gave no device (`GPUDevice`)",
      insecure: "The page was not opened from a secure origin; WebGPU needs HTTPS, localhost or a file on disk.",
      other: "The GPU could not be used",
    },
    howIn: {
      insecure: "Open the page over HTTPS or from localhost.",
      firefox: "Firefox: set `dom.webgpu.enabled` to true in `about:config` and restart.",
      chromium:
        "Chrome, Edge: turn on hardware acceleration in the settings; `chrome://gpu` tells the reason. On Linux, `chrome://flags/#enable-unsafe-webgpu` may be needed.",
      safari: "Safari: macOS 26, iOS 26 or later.",
      other: "Use a current Chrome, Edge, Firefox or Safari.",
    },
  },
  lost: (times) =>
    times === 1
      ? "The device was lost once (the driver was reset, or memory ran out). A new one was made and the last work done again."
      : `The device was lost ${nen(times)} times. Each time a new one was made and the last work done again.`,
  failed: "Something went wrong:",
  loadingVectors: (loaded, total) => `Loading vectors: ${loaded} of ${total}`,
  vectorsFailed:
    "The vectors did not arrive. Tokens, gradient and hits still work; pictures that need the table stay empty. Reload the page.",

  held: {
    label: "Selected token",
    at: "position",
    hits: "hits",
    adds: "additions",
    retries: "retries",
    none: "The text is empty: no token is selected.",
    and: (list, more) => (more > 0 ? `${list} and ${nen(more)} more` : list),
  },

  figure: {
    table: "Numbers",
    hideTable: "Hide numbers",
    png: "PNG",
    csv: "CSV",
    json: "JSON",
    save: (what, kind) => `${what}: download as ${kind}`,
    more: (shown, all) => `The first ${nen(shown)} rows are shown; all ${nen(all)} are in the CSV and JSON files.`,
    failed: "The picture could not be made",
    nothing: "There are no numbers here yet; measure first.",
    working: "working…",
  },
  page: {
    of: (from, to, all) => `${nen(from)}–${nen(to)} of ${nen(all)}`,
    before: "Previous",
    after: "Next",
  },

  hero: {
    title: "How does a word become numbers?",
    lead: (word, id) =>
      `Say you have ${word}. A computer doesn’t work with words; it works with numbers. The tokenizer gives this piece one: ${id}. That number is arbitrary; that it is larger or smaller than another piece’s means nothing. What carries the meaning is the 384 numbers that stand beside it in the table.`,
    leadOutside: (id) =>
      `The selected id is ${id}, and the vocabulary has no such id. No row stands beside it in the table; the kernel writes 384 zeros instead. Click a piece: the meaning is in the 384 numbers beside its id.`,
    leadEmpty:
      "A computer doesn’t work with words; it works with numbers. The tokenizer gives every piece one, and the meaning is in the 384 numbers that stand beside it in the table. The text is empty: type something.",
    here: "This page reads that table *on your own device*, writes the gradient back, and shows what happens in between. What is measured is measured here; a number from elsewhere carries its source. Nothing you type leaves the page.",
    needs:
      "*You need:* to be able to read a loop in Python. No GPU knowledge; terms with a dotted line lead to the [glossary](#glossary). The page grew out of a set of Turkish lecture notes on embedding kernels: they are what it calls [the document](#corrections).",
    loop: "The whole job is three lines:",
    loopForward: "read a row",
    loopBackward: "add to a row",
    atOnce:
      "A [GPU](#g-webgpu) doesn’t go round this loop: *all s, and the 384 numbers of each s, run at once*. For reading that is fine. But where one token stands at two positions, two [threads](#g-thread) add to the same row of `grad` at the same time. The rest of the page is about that collision.",
    word: "piece",
    id: "id",
    row: (id) => `row ${id} of the table: 384 numbers`,
    zeroRow: "not in the vocabulary: 384 zeros",
    strip: (piece) => `the 384 values of row ${piece}, as a strip of colours`,
  },

  s1: {
    title: "Text → tokens",
    say: (v) =>
      `The [tokenizer](#g-tokenizer) splits the text into pieces of its [vocabulary](#g-vocabulary), which has ${nen(v)} of them; each piece is a [token](#g-token). The mark \`▁\` is the space in front of a piece; one is added at the start of the text too. Point at a piece: its letters, its row, how often it occurs and the [positions](#g-position) it collides with light up together. Click, and it stays selected.`,
    formula: (v) => ["text → t[0] … t[N−1]", `0 ≤ t < V = ${nen(v)}`],
    presets: "Sample texts",
    preset: ["Cat and dog", "In İstanbul", "IŞIK and ışık", "2024 ☕", "A long tale"],
    translations: [
      "cat and dog in the garden, the cat is sleeping",
      "There is rain in İstanbul, none in Ankara; the road from İstanbul to Ankara is long",
      "The LIGHT went out, the light came on; Mrs Işık drank her lukewarm tea",
      "In 2024, 12 cats and 1 cup ☕",
      "Once upon a time, when the sieve was in the straw, a cat and a dog lived in a small village. The cat slept by day and wandered by night; the dog wandered by day and slept by night. One day the cat said to the dog: “I know the night, you know the day. Come, let us tell each other.” The dog thought, wagged its tail and said “All right”. From then on, every evening as the sun went down, the cat and the dog met in the garden. The dog told the cat about the sun, the birds, the people in the field; the cat told the dog about the moon, the stars and the silent roads. The birds heard of this and wondered: can a cat and a dog ever be friends? But they were. One night a great storm broke; rain fell, wind blew, the garden was under water. The cat climbed a tree, the dog waited below. In the morning the cat came down and said to the dog: “You waited for me.” The dog said: “And you showed me the way.” Three apples fell from the sky: one for the cat, one for the dog, and one for whoever reads this tale.",
    ],
    translation: "In English:",
    vocabularyNote:
      "The vocabulary is Turkish: Turkish words are often one piece, while English ones shatter into several. Both are worth a try.",
    text: "Text",
    chips: "Tokens",
    letters: "characters",
    tokens: "tokens",
    different: "different rows",
    addOutside: "Add an id outside the vocabulary",
    outside: "out of vocabulary",
    outsideNow: (k) => (k === 1 ? "The gradient skipped 1 position." : `The gradient skipped ${nen(k)} positions.`),
    piece: "piece",
    id: "id",
    position: "position",
    start: "start",
    end: "end",
    keySelected: "selected",
    keySame: "same row",
    keyHover: "pointed at",
    tail: (head, tail) =>
      `The box holds the first ${nen(head)} characters. The other ${nen(tail)} are behind it: they are read and counted too, and go into files. A link holds the beginning of the text.`,
    dropTail: "Drop the rest",
    reading: (part) => `Reading: ${part}%`,
    limited: (shown, all) =>
      `The text has ${nen(all)} tokens. All were counted; the first ${nen(shown)} go through the kernels and are what the pictures show.`,
    hardCuts: (cuts) =>
      `The text has very long runs without a space; it was cut in ${nen(cuts)} places to be read. Pieces may differ at the cuts.`,
    empty: "The text is empty. Type something or pick a sample.",
  },

  s2: {
    title: "Token → vector",
    say: (v) =>
      `The table is one huge array: ${nen(v)} [rows](#g-row), 384 columns. The [kernel](#g-kernel) \`embed_lookup\` fetches one row per token; for an id outside the vocabulary it writes 0. Each cell below is the work of one [thread](#g-thread): one read, one write.`,
    threads: (n, all, exact, groups) =>
      `${nen(n)} × 384 = ${nen(all)} threads. A [workgroup](#g-workgroup) is 256 threads: ${nen(all)} / 256 = ${exact}${
        Number.isInteger(all / 256)
          ? ", which comes out even"
          : `, rounded up: ${nen(groups)} groups start, and ${nen(groups * 256 - all)} threads of the last one find nothing to do and return at once`
      }.`,
    formula: ["out[s, d] = table[tokens[s], d]", "0 where tokens[s] ≥ V"],
    out: "Output",
    shape: (n) => `N × D = ${nen(n)} × 384`,
    map: "Heat map of the output. Move from cell to cell with the arrow keys; the value is read out beside it.",
    waiting: "The rows of the table will appear here when the vectors arrive.",
    norm: "norm",
    least: "least",
    most: "greatest",
    own: (steps, trained, width, wide) =>
      `What is here now is *the table you trained* in section 8: ${nen(steps)} ${steps === 1 ? "step" : "steps"}, ${nen(trained)} rows of ${width} columns (the other ${wide - width} are zeros, norms are 1). Rows that were not trained are zeros too.`,
    putBack: "Put the bundled table back",
  },

  question: "Think",
  glosses: {
    kedi: "cat",
    Kedi: "Cat",
    köpek: "dog",
    ve: "and",
    bahçe: "garden",
    bahçede: "in the garden",
    uyuyor: "is sleeping",
    kuş: "bird",
    kuşlar: "birds",
    fare: "mouse",
    yılan: "snake",
    maymun: "monkey",
    at: "horse",
    kamyon: "truck",
    araba: "car",
    yağmur: "rain",
    var: "there is",
    yok: "there is not",
    yol: "road",
    uzun: "long",
    IŞIK: "LIGHT",
    ışık: "light",
    Işık: "Light, a name",
    söndü: "went out",
    çay: "tea",
    çayını: "her tea",
    içti: "drank",
    "İstanbul’da": "in İstanbul",
    yılında: "in the year",
    fincan: "cup",
    bir: "a, one",
    bu: "this",
    su: "water",
    gün: "day",
    gece: "night",
    gündüz: "daytime",
    güneş: "sun",
    ay: "moon",
    köy: "village",
    ağaç: "tree",
    elma: "apple",
    dost: "friend",
    büyük: "big",
    küçük: "small",
    ev: "house",
    insan: "person",
    çocuk: "child",
    anne: "mother",
    baba: "father",
    okul: "school",
    kitap: "book",
    göz: "eye",
    el: "hand",
    olur: "all right",
    yağmış: "it rained",
  },
};
