// Loads the page itself in a frame and reads the marks that it leaves.

import type { Bench } from "../bench";
import { sleep } from "../devices";
import { seen } from "../meter";
import { median, range } from "../statistics";

const LOADS = 5;
const LIMIT_MILLISECONDS = 30_000;

export default async function startup(bench: Bench): Promise<void> {
  const address = bench.beside("index.html");
  const there = await fetch(address, { method: "HEAD" });
  if (!there.ok) throw new Error("the page was left out of this site");
  const samples = new Map<string, number[]>();
  for (let i = 0; i < Math.min(LOADS, bench.settings.samples); i++) {
    for (const { name, startTime } of await seen(() => load(address))) {
      samples.set(name, [...(samples.get(name) ?? []), startTime]);
    }
  }
  for (const [what, [first, ...later]] of samples) {
    const base = { part: "startup", by: "gomme", what, unit: "ms", clock: "wall" } as const;
    if (first !== undefined) {
      bench.recorder.figure({ ...base, value: first, samples: 1, remark: "first load in this run" });
    }
    const spread = range(later);
    if (!spread) continue;
    const remark = "later loads";
    bench.recorder.figure({ ...base, value: median(later), samples: later.length, range: spread, remark });
  }
}

/** The page's marks once it has shown its first lookup. */
async function load(address: string): Promise<PerformanceEntry[]> {
  const frame = document.createElement("iframe");
  // In view: Firefox draws a frame that is out of sight once a second.
  frame.style.cssText = "position:fixed;top:0;left:0;width:1280px;height:800px;border:0;opacity:0;pointer-events:none";
  frame.title = "start-up";
  const start = performance.now();
  frame.src = address;
  document.body.append(frame);
  try {
    for (;;) {
      await sleep(50);
      const marks = frame.contentWindow?.performance.getEntriesByType("mark") ?? [];
      const found = marks.filter(({ name }) => name.startsWith("gomme:"));
      if (found.some(({ name }) => name === "gomme:first-lookup")) return found;
      if (performance.now() - start > LIMIT_MILLISECONDS) throw new Error("no mark gomme:first-lookup within 30 s");
    }
  } finally {
    frame.remove();
  }
}
