// The parts, in the order in which they run. What throws is written down and the rest goes on.

import { type Bench, Cut } from "./bench";
import call from "./parts/call";
import check from "./parts/check";
import growth from "./parts/growth";
import memory from "./parts/memory";
import ratio from "./parts/ratio";
import resident from "./parts/resident";
import rivals from "./parts/rivals";
import skew from "./parts/skew";
import startup from "./parts/startup";
import targets from "./parts/targets";
import tokenizer from "./parts/tokenizer";
import train from "./parts/train";
import { type Part, parts } from "./report";

const run: Record<Part, (bench: Bench) => Promise<void>> = {
  check,
  targets,
  growth,
  skew,
  memory,
  ratio,
  call,
  resident,
  tokenizer,
  train,
  rivals,
  startup,
};

export async function runSuite(bench: Bench): Promise<void> {
  const { recorder, settings } = bench;
  try {
    for (const part of parts) {
      if (!settings.parts.has(part)) continue;
      recorder.progress(part);
      await bench.guard(part, "gomme", part, () => run[part](bench));
    }
  } catch (error) {
    if (!(error instanceof Cut)) throw error;
    recorder.report.cut = true;
  } finally {
    await bench.free();
  }
}
