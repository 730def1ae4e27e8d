// Text to token ids in this browser, beside @huggingface/tokenizers on the same vocabulary.

import type { Bench } from "../bench";
import { seen } from "../meter";
import type { TokenizerRival } from "../rivals/rival";
import { median, range } from "../statistics";
import { allDifferent, lines, prose } from "../text";

const texts = (): Record<string, string> => ({
  "100 KB": prose(100_000),
  "1 MB": prose(1_000_000),
  "1 MB, all different": allDifferent(1_000_000),
});

/** Seconds after which the samples are enough. */
const SECONDS = 3;

export default async function tokenizer(bench: Bench): Promise<void> {
  const ours = await bench.pkg.Tokenizer.turkish();
  try {
    for (const [name, text] of Object.entries(texts())) {
      await bench.guard("tokenizer", "gomme", name, async () =>
        measureText(bench, "gomme", name, text, (text) => ours.encode(text).ids),
      );
    }
    if (!bench.settings.rivals.includes("hf")) return;
    await bench.guard("tokenizer", "@huggingface/tokenizers", "encode", async () => {
      const rival = await bench.load<TokenizerRival>("hf");
      const address = bench.beside("bench/turkish-16k.model");
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${address}: ${response.status}`);
      const encode = await rival.open(new Uint8Array(await response.arrayBuffer()));
      const equal = lines.filter((line) => sameIds(encode(line), ours.encode(line).ids)).length;
      const text = `${equal} of ${lines.length} lines give the ids that ours gives`;
      bench.recorder.check({ by: rival.name, what: "encode", n: lines.length, d: 0, ok: equal === lines.length, text });
      for (const [name, text] of Object.entries(texts())) await measureText(bench, rival.name, name, text, encode);
    });
  } finally {
    ours.free();
  }
}

async function measureText(
  { recorder, settings }: Bench,
  by: string,
  name: string,
  text: string,
  encode: (text: string) => ArrayLike<number>,
): Promise<void> {
  const bytes = new TextEncoder().encode(text).length;
  let tokens = encode(text).length;
  const samples = await seen(async () => {
    const times: number[] = [];
    const begin = performance.now();
    while (times.length < settings.samples && (times.length < 1 || performance.now() - begin < SECONDS * 1_000)) {
      const start = performance.now();
      tokens = encode(text).length;
      times.push(performance.now() - start);
    }
    return times;
  });
  const base = { part: "tokenizer", by, samples: samples.length, clock: "wall" } as const;
  const what = `${name}, ${tokens} tokens`;
  const value = median(samples);
  const spread = range(samples);
  recorder.figure({ ...base, what, value, unit: "ms", ...(spread ? { range: spread } : {}) });
  recorder.figure({ ...base, what, value: bytes / 1_000 / value, unit: "MB/s" });
}

function sameIds(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
