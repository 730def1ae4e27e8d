// The parts of the benchmark, in the order in which they run. Each measures what it can; what throws is written down
// and the rest goes on.

import type { Embedding, GradientKernel, Lab, LookupKernel, TimedKernel, TimeOptions, Timing } from "../src/api";
import { type MeterOptions, measure, median, newestDevice, type Operation, poke, sleep } from "./meter";
import { checkLookup, GradientOracle, type Verdict } from "./oracle";
import type { Figure, Part, Recorder } from "./report";
import type { Rival, Session, TokenizerRival } from "./rivals/rival";
import { baselines, targets } from "./targets";
import { allDifferent, lines, prose } from "./text";
import { checksum, equalTokens, noise, spread, spreadTokens, VOCABULARY, zipfTokens } from "./workload";

export type Package = typeof import("../src/api") & { default(): Promise<unknown> };

export const parts: readonly Part[] = [
  "check",
  "targets",
  "growth",
  "skew",
  "ratio",
  "call",
  "tokenizer",
  "rivals",
  "startup",
];

export interface Settings {
  readonly parts: ReadonlySet<Part>;
  /** Longest sequence; longer rows are left out. */
  readonly longest: number;
  /** Shortest sequence of a rival's row and of a target's. */
  readonly shortest: number;
  readonly samples: number;
  readonly minMilliseconds: number;
  readonly warmMilliseconds: number;
  /** The document's compare-exchange loop is left out above this length: it takes 0.04 s a run at 262,144 on an H200. */
  readonly longestCas: number;
  /** Seconds after which no measurement begins. */
  readonly limitSeconds: number;
  /** Seconds for one rival's one function at one shape. */
  readonly rivalSeconds: number;
  readonly rivals: readonly string[];
}

interface Bench {
  readonly embedding: Embedding;
  readonly lab: Lab;
  readonly table: Float32Array;
  readonly device: GPUDevice;
}

const message = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return `${error.name}${typeof code === "string" ? ` ${code}` : ""}: ${error.message}`.slice(0, 600);
};

/** The time ran out: not a failure of what did not run. */
class Cut extends Error {}

export class Suite {
  readonly #benches = new Map<number, Promise<Bench>>();

  constructor(
    readonly pkg: Package,
    readonly settings: Settings,
    readonly recorder: Recorder,
    /** Address of a file beside the page. */
    readonly beside: (path: string) => string,
  ) {}

  async run(): Promise<void> {
    const { recorder } = this;
    const run: Record<Part, () => Promise<void>> = {
      check: () => this.#check(),
      targets: () => this.#targets(),
      growth: () => this.#growth(),
      skew: () => this.#skew(),
      ratio: () => this.#ratio(),
      call: () => this.#call(),
      tokenizer: () => this.#tokenizer(),
      rivals: () => this.#rivals(),
      startup: () => this.#startup(),
    };
    try {
      for (const part of parts) {
        if (!this.settings.parts.has(part)) continue;
        recorder.progress(part);
        await this.#guard(part, "gomme", part, run[part]);
      }
    } catch (error) {
      if (!(error instanceof Cut)) throw error;
      recorder.report.cut = true;
    } finally {
      for (const bench of this.#benches.values()) {
        await bench.then(
          ({ lab, embedding }) => {
            lab.free();
            embedding.free();
          },
          () => undefined,
        );
      }
    }
  }

  /** Runs one step; what it throws, and a step that never ends, become a failure in the report. */
  async #guard<T>(part: Part, by: string, what: string, step: () => Promise<T>, seconds = 0): Promise<T | undefined> {
    if (this.recorder.elapsedSeconds > this.settings.limitSeconds) throw new Cut();
    try {
      if (seconds === 0) return await step();
      const late = sleep(seconds * 1_000).then(() => {
        throw new Error(`no answer within ${seconds} s`);
      });
      return await Promise.race([step(), late]);
    } catch (error) {
      if (error instanceof Cut) throw error;
      this.recorder.failure({ part, by, what, message: message(error) });
      return undefined;
    }
  }

  /** A table of V rows of this width on the GPU, known to the page. */
  #bench(d: number): Promise<Bench> {
    const made = this.#benches.get(d);
    if (made) return made;
    const bench = (async () => {
      const table = noise(VOCABULARY * d, 7 + d, 0.04);
      const embedding = await this.pkg.Embedding.create({ vocabSize: VOCABULARY, dModel: d, table, backend: "gpu" });
      const lab = this.pkg.Lab.of(embedding);
      this.recorder.report.adapter = plain(embedding.adapter);
      return { embedding, lab, table, device: newestDevice() };
    })();
    this.#benches.set(d, bench);
    return bench;
  }

  /** Zipf tokens, noted in the report. */
  #zipf(n: number): Uint32Array {
    const tokens = zipfTokens(n);
    this.recorder.input({ n, checksum: checksum(tokens), ...spread(tokens) });
    return tokens;
  }

  async #time(
    part: Part,
    kernel: TimedKernel,
    tokens: Uint32Array,
    d: number,
    how: Figure["tokens"] = "zipf",
    options: Partial<Settings & { clock: "wall" }> = {},
  ): Promise<Timing | undefined> {
    const n = tokens.length;
    const what = `${kernel} N=${n} D=${d}`;
    return this.#guard(
      part,
      "gomme",
      what,
      async () => {
        const { lab, device } = await this.#bench(d);
        const { samples, minMilliseconds, warmMilliseconds } = { ...this.settings, ...options };
        const wanted: TimeOptions & { clock?: "wall" } = { samples, minMilliseconds, warmMilliseconds };
        if (options.clock) wanted.clock = options.clock;
        const timed = lab.time(kernel, tokens, wanted);
        // By the wall clock a late wait would count: wait for ours as for the rivals.
        const timing = await (options.clock ? poke(device, timed) : timed);
        this.recorder.figure(figureOf(part, timing, n, d, how));
        return timing;
      },
      120,
    );
  }

  // --- check -------------------------------------------------------------------------------------------------------

  async #check(): Promise<void> {
    const n = Math.min(4_096, this.settings.longest);
    const d = 384;
    const { embedding, lab, table } = await this.#bench(d);
    const tokens = this.#zipf(n);
    // Two ids outside the vocabulary: zero rows, no gradient.
    tokens[3] = VOCABULARY;
    tokens[n - 1] = 0xffff_ffff;
    const judge = (what: string, { ok, text }: Verdict): void => {
      this.recorder.check({ by: "gomme", what, n, d, ok, text });
    };
    const lookups: readonly LookupKernel[] = ["embed_lookup", "fast", "w16_packed", "w16_native", "w16_fast"];
    for (const kernel of lookups.filter((kernel) => lab.kernels.includes(kernel))) {
      await this.#guard("check", "gomme", kernel, async () => {
        const { out } = await lab.lookup(tokens, kernel);
        judge(kernel, checkLookup(out, table, tokens, d, kernel.startsWith("w16")));
      });
    }
    const gradOut = noise(n * d, 11);
    const oracle = new GradientOracle(tokens, gradOut, d, VOCABULARY);
    const gradients: readonly GradientKernel[] = ["embed_backward", "counted", "sorted"];
    for (const kernel of gradients.filter((kernel) => lab.kernels.includes(kernel))) {
      await this.#guard("check", "gomme", kernel, async () => {
        judge(kernel, oracle.check((await lab.gradient(tokens, gradOut, kernel)).toDense()));
      });
    }
    await this.#guard("check", "gomme", "embed", async () => {
      judge("embed", checkLookup(await embedding.embed(tokens), table, tokens, d));
    });
    await this.#guard("check", "gomme", "embedGrad", async () => {
      const first = await embedding.embedGrad(tokens, gradOut);
      judge("embedGrad", oracle.check(first.toDense()));
      const second = await embedding.embedGrad(tokens, gradOut);
      const same = sameBits(first.grad, second.grad);
      judge("embedGrad twice", { ok: same, worst: 0, text: same ? "same bits" : "other bits in the second run" });
    });
  }

  // --- kernels -----------------------------------------------------------------------------------------------------

  async #targets(): Promise<void> {
    const { longest, shortest, longestCas } = this.settings;
    const shapes = new Map<string, { n: number; d: number; kernels: Set<TimedKernel> }>();
    for (const { n, d, kernels } of targets) {
      if (n > longest || n < shortest) continue;
      const shape = shapes.get(`${n} ${d}`) ?? { n, d, kernels: new Set() };
      for (const kernel of kernels) shape.kernels.add(kernel);
      shapes.set(`${n} ${d}`, shape);
    }
    for (const { n, d, kernels } of shapes.values()) {
      const { lab } = await this.#bench(d);
      const tokens = this.#zipf(n);
      // The lookup at every shape: what the f16 one is compared with.
      for (const kernel of new Set<TimedKernel>(["write_only", "fast", ...kernels, ...baselines])) {
        if (!lab.kernels.includes(kernel)) {
          this.recorder.failure({ part: "targets", by: "gomme", what: kernel, message: "not on this device" });
        } else if (kernel !== "embed_backward" || n <= longestCas) {
          await this.#time("targets", kernel, tokens, d);
        }
      }
      await this.#dispatches(tokens, d);
    }
  }

  /** How many dispatches one sorted gradient makes, counted at the browser's door; lookups make one. */
  async #dispatches(tokens: Uint32Array, d: number): Promise<void> {
    const n = tokens.length;
    const what = "dispatches of sorted";
    if (!targets.some(({ n: there, d: wide, kernels }) => there === n && wide === d && kernels.includes("sorted")))
      return;
    await this.#guard("targets", "gomme", what, async () => {
      const { lab } = await this.#bench(d);
      const value = await countDispatches(() => lab.gradient(tokens, new Float32Array(n * d), "sorted"));
      this.recorder.figure({ part: "targets", by: "gomme", what, n, d, value, unit: "1" });
    });
  }

  async #growth(): Promise<void> {
    const d = 384;
    const { longest, longestCas } = this.settings;
    const { lab } = await this.#bench(d);
    const kernels: readonly TimedKernel[] = [
      "write_only",
      "fast",
      "sorted",
      "sorted_parts",
      "embed_lookup",
      "embed_backward",
    ];
    for (let n = longest < 8_192 ? 512 : 8_192; n <= Math.min(longest, 1_048_576); n *= 2) {
      const tokens = this.#zipf(n);
      for (const kernel of kernels.filter((kernel) => lab.kernels.includes(kernel))) {
        if (kernel === "embed_backward" && n > longestCas) continue;
        await this.#time("growth", kernel, tokens, d);
      }
    }
  }

  async #skew(): Promise<void> {
    const d = 384;
    const { longest, longestCas } = this.settings;
    const kernels: readonly TimedKernel[] = ["fast", "sorted", "sorted_parts", "embed_backward"];
    for (const n of [4_096, 16_384, 65_536, 262_144]) {
      if (n > longest) continue;
      for (const kernel of kernels) {
        // Equal tokens are the loop's worst case: n · (n-1) / 2 failed exchanges if all run in lock step.
        if (kernel === "embed_backward" && (n > longestCas || n > 16_384)) continue;
        const equal = await this.#time("skew", kernel, equalTokens(n), d, "equal");
        const different = await this.#time("skew", kernel, spreadTokens(n), d, "spread");
        if (!equal || !different) continue;
        const value = equal.microseconds / different.microseconds;
        this.recorder.figure({ part: "skew", by: "gomme", what: `${kernel}: equal / spread`, n, d, value, unit: "1" });
      }
    }
  }

  /** Ratios that a computer without a GPU can measure too: the pairs in turn, because it is rarely idle. */
  async #ratio(): Promise<void> {
    const n = Math.min(4_096, this.settings.longest);
    const d = 384;
    const { lab } = await this.#bench(d);
    const tokens = this.#zipf(n);
    const pairs: readonly [TimedKernel, TimedKernel][] = [
      ["fast", "embed_lookup"],
      ["sorted", "embed_backward"],
      ["w16_fast", "embed_lookup"],
    ];
    for (const [fast, slow] of pairs) {
      await this.#guard("ratio", "gomme", `${fast} / ${slow}`, async () => {
        const times: [number[], number[]] = [[], []];
        for (let round = 0; round < 7; round++) {
          for (const [i, kernel] of [fast, slow].entries()) {
            const { microseconds } = await lab.time(kernel, tokens, { samples: 3, minMilliseconds: 10 });
            times[i as 0 | 1].push(microseconds);
          }
        }
        const value = median(times[0]) / median(times[1]);
        this.recorder.figure({ part: "ratio", by: "gomme", what: `${fast} / ${slow}`, n, d, value, unit: "1" });
      });
    }
  }

  // --- the call ----------------------------------------------------------------------------------------------------

  async #call(): Promise<void> {
    const d = 384;
    const { embedding, table } = await this.#bench(d);
    const twin = await this.#guard("call", "gomme, CPU twin", "create", () =>
      this.pkg.Embedding.create({ vocabSize: VOCABULARY, dModel: d, table, backend: "cpu" }),
    );
    for (const n of [512, 8_192]) {
      if (n > this.settings.longest) continue;
      const tokens = this.#zipf(n);
      const gradOut = noise(n * d, 11);
      const both = [["gomme", embedding] as const, ...(twin ? [["gomme, CPU twin", twin] as const] : [])];
      for (const [by, target] of both) {
        const calls: readonly [string, () => Promise<unknown>][] = [
          ["embed()", () => target.embed(tokens)],
          ["embedGrad()", () => target.embedGrad(tokens, gradOut)],
        ];
        for (const [what, call] of calls) {
          await this.#guard("call", by, `${what} N=${n}`, () => this.#timeCall(by, what, n, d, call), 60);
        }
      }
    }
    twin?.free();
  }

  async #timeCall(by: string, what: string, n: number, d: number, call: () => Promise<unknown>): Promise<void> {
    const { recorder } = this;
    const record = (what: string, samples: number[], repeats: number): void => {
      const base = { part: "call", by, what, n, d, unit: "µs", clock: "wall" } as const;
      recorder.figure({ ...base, value: median(samples), samples: samples.length, repeats, range: range(samples) });
    };
    // One after the other, enough of them to be long against the clock's steps.
    for (const until = performance.now() + this.settings.warmMilliseconds; performance.now() < until; ) await call();
    let repeats = 1;
    for (;;) {
      const start = performance.now();
      for (let i = 0; i < repeats; i++) await call();
      if (performance.now() - start >= 20 || repeats >= 256) break;
      repeats *= 2;
    }
    const sequential: number[] = [];
    for (let sample = 0; sample < this.settings.samples; sample++) {
      const start = performance.now();
      for (let i = 0; i < repeats; i++) await call();
      sequential.push(((performance.now() - start) * 1_000) / repeats);
    }
    record(`${what}, one after the other`, sequential, repeats);
    // Eight at once: what waiting costs when something else is under way.
    const overlapped: number[] = [];
    for (let sample = 0; sample < this.settings.samples; sample++) {
      const start = performance.now();
      await Promise.all(Array.from({ length: 8 }, call));
      overlapped.push(((performance.now() - start) * 1_000) / 8);
    }
    record(`${what}, eight at once`, overlapped, 8);
    // After a rest, as a reader's click: here a browser that looks seldom shows.
    const idle: number[] = [];
    for (let sample = 0; sample < Math.min(this.settings.samples, 10); sample++) {
      await sleep(200);
      const start = performance.now();
      await call();
      idle.push((performance.now() - start) * 1_000);
    }
    record(`${what}, after 0.2 s of rest`, idle, 1);
  }

  // --- tokenizer ---------------------------------------------------------------------------------------------------

  async #tokenizer(): Promise<void> {
    const modelAddress = this.beside("pkg/data/turkish-16k.model");
    const tokenizer = await this.pkg.Tokenizer.turkish();
    const texts = {
      "100 KB": prose(100_000),
      "1 MB": prose(1_000_000),
      "1 MB, all different": allDifferent(1_000_000),
    };
    const measureText = (by: string, name: string, text: string, encode: (text: string) => ArrayLike<number>): void => {
      const bytes = new TextEncoder().encode(text).length;
      let tokens = encode(text).length;
      const samples: number[] = [];
      const begin = performance.now();
      while (samples.length < this.settings.samples && (samples.length < 3 || performance.now() - begin < 3_000)) {
        const start = performance.now();
        tokens = encode(text).length;
        samples.push(performance.now() - start);
      }
      const base = { part: "tokenizer", by, samples: samples.length, clock: "wall" } as const;
      const what = `${name}, ${tokens} tokens`;
      this.recorder.figure({ ...base, what, value: median(samples), unit: "ms", range: range(samples) });
      this.recorder.figure({ ...base, what, value: bytes / 1_000 / Math.max(median(samples), 0.001), unit: "MB/s" });
    };
    for (const [name, text] of Object.entries(texts)) {
      await this.#guard("tokenizer", "gomme", name, async () =>
        measureText("gomme", name, text, (text) => tokenizer.encode(text).ids),
      );
    }
    if (!this.settings.rivals.includes("hf")) return;
    await this.#guard("tokenizer", "@huggingface/tokenizers", "encode", async () => {
      const rival = await this.#load<TokenizerRival>("hf");
      const response = await fetch(modelAddress);
      if (!response.ok) throw new Error(`${modelAddress}: ${response.status}`);
      const encode = await rival.open(new Uint8Array(await response.arrayBuffer()));
      const equal = lines.filter((line) => sameIds(encode(line), tokenizer.encode(line).ids)).length;
      const ok = equal === lines.length;
      const text = `${equal} of ${lines.length} lines give the ids that ours gives`;
      this.recorder.check({ by: rival.name, what: "encode", n: lines.length, d: 0, ok, text });
      for (const [name, text] of Object.entries(texts)) measureText(rival.name, name, text, encode);
    });
    tokenizer.free();
  }

  // --- rivals ------------------------------------------------------------------------------------------------------

  async #load<T>(name: string): Promise<T> {
    const address = this.beside(`bench/${name}.js`);
    const there = await fetch(address, { method: "HEAD" });
    if (!there.ok) throw new Error("left out of this build");
    return ((await import(address)) as { default: T }).default;
  }

  async #rivals(): Promise<void> {
    const d = 384;
    const { table } = await this.#bench(d);
    const lengths = [512, 8_192, 65_536, 262_144].filter(
      (n) => n <= this.settings.longest && n >= this.settings.shortest,
    );
    const quick = { samples: Math.min(this.settings.samples, 7), minMilliseconds: 250, clock: "wall" } as const;
    for (const n of lengths) {
      const tokens = this.#zipf(n);
      for (const kernel of ["fast", "sorted"] as const) {
        const timing = await this.#time("rivals", kernel, tokens, d, "zipf", quick);
        if (timing && timing.clock === "timestamp") {
          const text = 'Lab.time did not take clock: "wall"; this figure is by timestamps';
          this.recorder.failure({ part: "rivals", by: "gomme", what: `${kernel} N=${n}`, message: text });
        }
      }
    }
    for (const name of this.settings.rivals.filter((name) => name !== "hf")) {
      const opened = await this.#guard(
        "rivals",
        name,
        "open",
        async () => {
          const rival = await this.#load<Rival>(name);
          return { rival, session: await rival.open({ vocabulary: VOCABULARY, width: d }, table) };
        },
        60,
      );
      if (!opened) continue;
      const { rival, session } = opened;
      let lost = "";
      void session.device.lost.then(({ message }) => {
        lost = message;
      });
      for (const what of ["lookup", "gradient"] as const) {
        const right = await this.#checkRival(rival, session, what, table, d);
        if (!right) continue;
        for (const n of lengths) {
          if (lost) throw new Error(`${rival.name}: device lost: ${lost}`);
          const seconds = await this.#timeRival(rival, session, what, n, d);
          // A length that took the whole budget for three calls: four or eight times that is no use to anybody.
          if (seconds === undefined || seconds > this.settings.rivalSeconds * 4) break;
        }
      }
      session.close();
    }
  }

  async #checkRival(
    rival: Rival,
    session: Session,
    what: "lookup" | "gradient",
    table: Float32Array,
    d: number,
  ): Promise<boolean> {
    const n = Math.min(4_096, this.settings.longest);
    const tokens = this.#zipf(n);
    const gradOut = noise(n * d, 11);
    const checked = await this.#guard(
      "rivals",
      rival.name,
      rival[what],
      async () => {
        const operation = await uncaptured(session.device, () => prepare(session, what, tokens, gradOut));
        try {
          const result = await uncaptured(session.device, () => operation.read());
          const { ok, text } =
            what === "lookup"
              ? checkLookup(result, table, tokens, d)
              : new GradientOracle(tokens, gradOut, d, VOCABULARY).check(result);
          return this.recorder.check({ by: rival.name, what: rival[what], n, d, ok, text });
        } finally {
          operation.free();
        }
      },
      90,
    );
    return checked ?? false;
  }

  async #timeRival(
    rival: Rival,
    session: Session,
    what: "lookup" | "gradient",
    n: number,
    d: number,
  ): Promise<number | undefined> {
    const tokens = this.#zipf(n);
    const start = performance.now();
    const done = await this.#guard(
      "rivals",
      rival.name,
      `${rival[what]} N=${n}`,
      async () => {
        // Results may wait in memory together: 4 GiB of them on a GPU, less where its memory is the computer's.
        const most = this.recorder.report.adapter?.software ? 2 ** 29 : 2 ** 32;
        const outputBytes = (what === "lookup" ? n : VOCABULARY) * d * 4;
        const options: MeterOptions = {
          samples: Math.min(this.settings.samples, 7),
          minMilliseconds: this.settings.minMilliseconds < 10 ? 50 : 250,
          warmMilliseconds: Math.min(500, this.settings.warmMilliseconds * 10),
          budgetMilliseconds: this.settings.rivalSeconds * 1_000,
          maxRepeats: Math.max(1, Math.min(2_000, Math.floor(most / outputBytes))),
        };
        // Work that the browser refused takes no time at all: an error nobody looked at makes the figure void.
        const measured = await uncaptured(session.device, async () => {
          const operation = await prepare(session, what, tokens, noise(what === "lookup" ? 0 : n * d, 11));
          try {
            return await measure(session.device, operation, options);
          } finally {
            operation.free();
          }
        });
        const { wallMicroseconds, gpuMicroseconds, samples, repeats } = measured;
        const base = { part: "rivals", by: rival.name, what: rival[what], n, d, tokens: "zipf", unit: "µs" } as const;
        const shared = { ...base, repeats, samples: samples.length };
        this.recorder.figure({ ...shared, value: wallMicroseconds, clock: "wall", range: range(samples) });
        if (gpuMicroseconds !== undefined) {
          this.recorder.figure({ ...shared, value: gpuMicroseconds, clock: "gpu markers" });
        }
        return true;
      },
      Math.max(60, this.settings.rivalSeconds * 4),
    );
    return done ? (performance.now() - start) / 1_000 : undefined;
  }

  // --- start-up ----------------------------------------------------------------------------------------------------

  /** Loads the page itself in a frame and reads the marks it leaves. */
  async #startup(): Promise<void> {
    const address = this.beside("index.html");
    const there = await fetch(address, { method: "HEAD" });
    if (!there.ok) throw new Error("the page was left out of this site");
    const samples = new Map<string, number[]>();
    for (let i = 0; i < Math.min(5, this.settings.samples); i++) {
      const frame = document.createElement("iframe");
      frame.style.cssText = "position:absolute;width:1280px;height:800px;border:0;opacity:0;pointer-events:none";
      frame.title = "start-up";
      const start = performance.now();
      frame.src = address;
      document.body.append(frame);
      try {
        for (;;) {
          await sleep(50);
          const marks = frame.contentWindow?.performance.getEntriesByType("mark") ?? [];
          const found = marks.filter(({ name }) => name.startsWith("gomme:"));
          if (found.some(({ name }) => name === "gomme:first-lookup")) {
            for (const { name, startTime } of found) samples.set(name, [...(samples.get(name) ?? []), startTime]);
            break;
          }
          if (performance.now() - start > 30_000) throw new Error("no mark gomme:first-lookup within 30 s");
        }
      } finally {
        frame.remove();
      }
    }
    for (const [what, values] of samples) {
      const base = { part: "startup", by: "gomme", what, unit: "ms", clock: "wall" } as const;
      this.recorder.figure({ ...base, value: values[0] as number, samples: 1, remark: "first load in this run" });
      if (values.length > 1) {
        const later = values.slice(1);
        this.recorder.figure({
          ...base,
          value: median(later),
          samples: later.length,
          range: range(later),
          remark: "later loads",
        });
      }
    }
  }
}

const prepare = (
  session: Session,
  what: "lookup" | "gradient",
  tokens: Uint32Array,
  gradOut: Float32Array,
): Promise<Operation> => (what === "lookup" ? session.lookup(tokens) : session.gradient(tokens, gradOut));

/** Runs `step`; a WebGPU error that the library does not look at itself is thrown here. */
async function uncaptured<T>(device: GPUDevice, step: () => Promise<T>): Promise<T> {
  const errors: string[] = [];
  const listen = (event: GPUUncapturedErrorEvent): void => {
    errors.push(event.error.message);
  };
  device.addEventListener("uncapturederror", listen);
  try {
    const result = await step();
    // The event comes as a task of its own.
    await sleep(20);
    if (errors.length > 0) throw new Error(errors[0]);
    return result;
  } catch (error) {
    throw errors.length > 0 ? new Error(errors[0]) : error;
  } finally {
    device.removeEventListener("uncapturederror", listen);
  }
}

async function countDispatches(step: () => Promise<unknown>): Promise<number> {
  const { prototype } = GPUComputePassEncoder;
  const { dispatchWorkgroups, dispatchWorkgroupsIndirect } = prototype;
  let count = 0;
  prototype.dispatchWorkgroups = function (this: GPUComputePassEncoder, ...args: [number, number?, number?]) {
    count++;
    return dispatchWorkgroups.apply(this, args);
  };
  prototype.dispatchWorkgroupsIndirect = function (this: GPUComputePassEncoder, ...args: [GPUBuffer, number]) {
    count++;
    return dispatchWorkgroupsIndirect.apply(this, args);
  };
  try {
    await step();
    return count;
  } finally {
    Object.assign(prototype, { dispatchWorkgroups, dispatchWorkgroupsIndirect });
  }
}

function figureOf(part: Part, timing: Timing, n: number, d: number, tokens: Figure["tokens"]): Figure {
  const samples = [...timing.samples];
  return {
    part,
    by: "gomme",
    what: timing.kernel,
    n,
    d,
    ...(tokens ? { tokens } : {}),
    value: timing.microseconds,
    unit: "µs",
    clock: timing.clock,
    samples: samples.length,
    repeats: timing.repeats,
    range: range(samples),
    ...(timing.cpuMicroseconds > 0 ? { cpuMicroseconds: timing.cpuMicroseconds } : {}),
    bytes: timing.bytes,
    usedRows: timing.usedRows,
    ...(timing.retries === undefined ? {} : { retries: timing.retries }),
  };
}

const range = (samples: readonly number[]): [number, number] => [Math.min(...samples), Math.max(...samples)];

const sameIds = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};

function sameBits(a: Float32Array, b: Float32Array): boolean {
  const left = new Uint32Array(a.buffer, a.byteOffset, a.length);
  const right = new Uint32Array(b.buffer, b.byteOffset, b.length);
  return sameIds(left, right);
}

/** The facts as plain data, whether the package gives an object or a class with getters. */
function plain<T extends object>(facts: T | undefined): T | undefined {
  if (!facts) return undefined;
  const names = [
    ...Object.keys(facts),
    ...Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(facts) as object))
      .filter(([, { get }]) => get !== undefined)
      .map(([name]) => name),
  ];
  return Object.fromEntries(
    names.filter((name) => !name.startsWith("__")).map((name) => [name, facts[name as keyof T]]),
  ) as T;
}
