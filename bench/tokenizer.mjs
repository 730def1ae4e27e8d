// The tokenizer beside others, one thread each, the same Turkish texts, in MB/s: natively and as wasm in Node, SentencePiece
// (its Python package) and @huggingface/tokenizers.
//
//   node bench/tokenizer.mjs        (after ./build.sh and npm ci --prefix bench; pip install sentencepiece for its rows)

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundled } from "./bundled.mjs";

const RUNS = 11;
/** Seconds after which the runs of one text are enough. */
const SECONDS = 3;
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..");
const model = new Uint8Array(readFileSync(join(root, "data", "turkish-16k.model")));
const rows = [];

/** Another program's lines of JSON, or the reason why there are none. */
function ask(by, command, args, environment = {}) {
  try {
    const options = { cwd: root, encoding: "utf8", env: { ...process.env, ...environment }, stdio: "pipe" };
    const printed = execFileSync(command, args, options);
    for (const line of printed.trim().split("\n")) if (line.startsWith("{")) rows.push(JSON.parse(line));
  } catch (error) {
    console.error(
      `${by}: not measured (${String(error.stderr || error.message)
        .trim()
        .split("\n")
        .at(-1)})`,
    );
  }
}

const { lines, prose, allDifferent } = await bundled("text.ts");
const texts = {
  "one sentence a call": lines,
  "100 KB": [prose(100_000)],
  "1 MB": [prose(1_000_000)],
  "1 MB, all different": [allDifferent(1_000_000)],
};

/** Times `encode`, which gives the ids of a text. */
function time(by, encode) {
  for (const [what, calls] of Object.entries(texts)) {
    const bytes = calls.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const samples = [];
    let tokens = 0;
    const begin = performance.now();
    while (samples.length < RUNS && (samples.length === 0 || performance.now() - begin < SECONDS * 1_000)) {
      const start = performance.now();
      tokens = calls.reduce((sum, text) => sum + encode(text).length, 0);
      samples.push(performance.now() - start);
    }
    const milliseconds = samples.sort((a, b) => a - b)[samples.length >> 1];
    rows.push({ by, what, tokens, milliseconds, "MB/s": bytes / 1_000 / milliseconds });
  }
}

// The wasm is built for size, a native program for speed.
const speed = { CARGO_PROFILE_RELEASE_OPT_LEVEL: "3", CARGO_TARGET_DIR: join(root, "target", "speed") };
ask("gomme, native", "cargo", ["run", "--quiet", "--locked", "--release", "--example", "tokenizer_speed"], speed);
if (existsSync(join(root, "pkg", "gomme.js"))) {
  const { default: init, Tokenizer } = await import(join(root, "pkg", "gomme.js"));
  await init({ module_or_path: readFileSync(join(root, "pkg", "gomme_bg.wasm")) });
  const ours = Tokenizer.fromModel(model);
  time("gomme, wasm in Node", (text) => ours.encode(text).ids);
  ours.free();
} else console.error("gomme, wasm: not measured (no pkg/; run ./build.sh)");
if (existsSync(join(here, "node_modules", "@huggingface"))) {
  const { default: rival } = await bundled("rivals/hf.ts");
  time(rival.name, await rival.open(model));
} else console.error("@huggingface/tokenizers: not measured (run npm ci --prefix bench)");
ask("SentencePiece", "python3", [join(here, "tokenizer_twin.py")]);

console.log(`${"text".padEnd(22)}${"by".padEnd(34)}${"tokens".padStart(9)}${"ms".padStart(10)}${"MB/s".padStart(8)}`);
for (const what of new Set(rows.map((row) => row.what))) {
  for (const row of rows.filter((row) => row.what === what)) {
    const [ms, rate] = [row.milliseconds.toFixed(2), row["MB/s"].toFixed(1)];
    const cells = [String(row.tokens).padStart(9), ms.padStart(10), rate.padStart(8)];
    console.log(`${what.padEnd(22)}${row.by.padEnd(34)}${cells.join("")}`);
  }
}
