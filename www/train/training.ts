// The reader's training: settings, the run under way, and what was read of it last. Views follow its signals.
import { batch, computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals-core";
import type { Job } from "../job";
import { pause, SLICE_MS } from "../schedule";
import { DEFAULTS, type Rule, type Source as SourceName, type State } from "../state";
import { loadPairs } from "./load";
import { type Outcome, outcomeOf } from "./outcome";
import { type Experiment, GOAL, type Pace, paceOn, SLOW_MS } from "./pace";
import type { Page } from "./page";
import { type Point, Run, type Touched } from "./run";
import { canTrain, fromPairs, fromTokens, type Source } from "./source";
import type { StepRule, Tables } from "./tables";
import type { Trained } from "./text-gradient";
import { type Watched, type Wish, watched } from "./watch";

/** What was read of a run, for the views. */
export interface Snapshot {
  readonly source: Source;
  readonly kind: SourceName;
  readonly watched: readonly Watched[];
  readonly points: readonly Point[];
  readonly touched: Touched | undefined;
  readonly step: number;
  readonly pairs: number;
  /** Rows of the source's words before the first step, and as read last, with the step of that. */
  readonly before: Float32Array;
  readonly now: Float32Array;
  readonly nowAt: number;
  /** Steps a second: over the last readings while it runs, over all of what ran last when it has stopped. */
  readonly speed: number | undefined;
  readonly rule: Rule;
  /** The step size; undefined where it was changed on the way. */
  readonly rate: number | undefined;
  readonly seed: number;
  /** It stopped by itself, having drawn as many pairs as a start is for. */
  readonly reached: boolean;
  readonly outcome: Outcome;
}

/** A run as it is now, to be shown elsewhere. */
export interface TrainedTable extends Trained {
  readonly steps: number;
}

/** What the last run is, beside the one before it with the same settings. */
export type Repeat =
  | { readonly kind: "same"; readonly readings: number }
  | { readonly kind: "differs"; readonly step: number };

export interface Training {
  readonly slow: Signal<boolean>;
  readonly pace: ReadonlySignal<Pace>;
  readonly job: Job;
  readonly snapshot: ReadonlySignal<Snapshot | undefined>;
  /** The source as chosen; undefined until it is there. */
  readonly source: ReadonlySignal<Source | undefined>;
  /** The pairs that the next run will watch, for as long as there is none. */
  readonly preview: ReadonlySignal<readonly Watched[]>;
  /** Why the pairs could not be had. */
  readonly missing: ReadonlySignal<string | undefined>;
  /** Steps that went with a lost device. */
  readonly lost: ReadonlySignal<number | undefined>;
  /** The tab is hidden, and the run waits for it. */
  readonly asleep: ReadonlySignal<boolean>;
  readonly repeat: ReadonlySignal<Repeat | undefined>;
  start(): void;
  stop(): void;
  step(): void;
  /** From the first step on with the same seed, as far as the run has come. */
  again(): void;
  /** A run from the start that goes wrong in its own way. */
  attempt(experiment: Experiment): void;
  /** Back to the rule and the rate of the first visit, from the start. */
  restore(): void;
  /** Both tables' rows of the source's words; undefined while the run goes on, or where it is gone. */
  trained(): Promise<TrainedTable | undefined>;
}

/** Milliseconds between two readings of all words' rows. */
const WORDS_MS = 400;

export type MakeTables = (state: State, pairs: number, seed: number) => Promise<Tables>;

export function createTraining(state: State, page: Page, makeTables: MakeTables): Training {
  const { source: kind, trainSeed: seed, rule, rate } = state;
  const slow = signal(false);
  const pairs = signal<Source | undefined>(undefined);
  const missing = signal<string | undefined>(undefined);
  const lost = signal<number | undefined>(undefined);
  const asleep = signal(false);
  const repeat = signal<Repeat | undefined>(undefined);
  const snapshot = signal<Snapshot | undefined>(undefined);
  const pace = computed(() => paceOn(state.device.value));
  const job = page.createJob();

  loadPairs(page.inlined).then(
    (table) => {
      pairs.value = fromPairs(table);
    },
    (error) => {
      missing.value = page.messageOf(error);
    },
  );
  const source = computed((): Source | undefined => {
    const vocabSize = state.vocabSize.value;
    if (kind.value === "pairs") return pairs.value;
    if (kind.value === "text") return state.tokens.value && fromTokens(state.tokens.value.ids, vocabSize);
    const { value: engine } = state.engine;
    return engine && fromTokens(engine.encode(page.tale).ids, vocabSize);
  });

  const preview = computed(() => {
    const { value: from } = source;
    if (snapshot.value || !from || !canTrain(from)) return [];
    return watchedIn(state, kind.value, from);
  });

  // ---- the run
  let run: Run | undefined;
  let before: Float32Array = new Float32Array(0);
  /** Settings that a run cannot change on its way. */
  const settings = () => `${kind.peek()} ${seed.peek()} ${rule.peek()} ${pace.peek().pairs}`;
  let made = "";
  /** The one rate of the run, or undefined once it was changed. */
  let steady: number | undefined;
  /** The step size as it is, and the step at which it was set. */
  let set = { rate: 0, at: 0 };
  /** Check sums of the readings by step, of the run and of the one before with the same settings. */
  let prints = new Map<number, number>();
  let record: { of: string; prints: ReadonlyMap<number, number> } | undefined;

  /** Runs that are given up, to be freed once no call on them is under way. */
  const dropped: Run[] = [];
  let busy = false;
  const free = () => {
    for (const one of dropped.splice(0)) one.tables.free();
  };
  const drop = () => {
    if (!run) return;
    if (steady !== undefined && run.step > 0) record = { of: `${made} ${steady}`, prints };
    dropped.push(run);
    run = undefined;
    if (!busy) free();
  };

  /** The run for the settings as they are; a new one where they are not those of the old. */
  async function prepared(): Promise<Run> {
    const { value: text } = source;
    if (!text || !canTrain(text)) throw new Error(missing.peek() ?? "…");
    if (run && made === settings() && run.source === text) return run;
    drop();
    made = settings();
    const tables = await makeTables(state, pace.peek().pairs, seed.peek());
    const next = new Run(text, tables, watchedIn(state, kind.peek(), text), seed.peek());
    try {
      await next.begin();
      before = await next.words();
    } catch (error) {
      tables.free();
      throw error;
    }
    run = next;
    prints = new Map();
    steady = rate.peek();
    set = { rate: steady, at: 0 };
    batch(() => {
      lost.value = undefined;
      repeat.value = undefined;
    });
    publish(next, before, 0, undefined);
    return next;
  }

  function publish(of: Run, now: Float32Array, nowAt: number, speed: number | undefined, reached = false): void {
    snapshot.value = {
      source: of.source,
      kind: kind.peek(),
      watched: of.watched,
      points: of.points,
      touched: of.touched,
      step: of.step,
      pairs: of.step * of.tables.pairs,
      before,
      now,
      nowAt,
      speed,
      rule: rule.peek(),
      rate: steady,
      seed: of.seed,
      reached,
      outcome: outcomeOf(of.points, of.watched, set.at),
    };
  }

  /** Goes on until `goal`, or until it is stopped. */
  function go(goal: (run: Run) => number, far = false): void {
    void job.start(async ({ stopped, tell, pass }) => {
      busy = true;
      try {
        const now = await prepared();
        const first = now.step;
        if (first === 0) {
          steady = rate.peek();
          set = { rate: steady, at: 0 };
        }
        const last = goal(now);
        const clock = stopwatch();
        let words = { rows: snapshot.peek()?.now ?? before, at: snapshot.peek()?.nowAt ?? 0, time: 0 };
        const readWords = async () => {
          words = { rows: await now.words(), at: now.step, time: performance.now() };
        };
        const meter = speedometer();
        const rest = inShortTasks();
        while (!stopped() && now.step < last) {
          // Time in which it waits is not its own.
          clock.stop();
          await awake(asleep, stopped);
          await pass();
          if (stopped()) break;
          clock.start();
          const every = slow.peek() ? 1 : pace.peek().every;
          await now.advance(Math.min(every, last - now.step), stepRule, rest);
          if (run !== now) return;
          note(now);
          if (performance.now() - words.time > WORDS_MS) await readWords();
          publish(now, words.rows, words.at, meter(now.step));
          tell(now.step - first, last - first, "");
          await pause();
          if (slow.peek()) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
        }
        // Given up meanwhile: nothing of it is shown any more.
        if (run !== now) return;
        if (now.step > words.at) await readWords();
        clock.stop();
        const seconds = clock.seconds();
        const mean = seconds > 0 ? (now.step - first) / seconds : undefined;
        publish(now, words.rows, words.at, mean, far && now.step >= last);
        if (now.step > first) compare();
      } catch (error) {
        await fail(error);
      } finally {
        busy = false;
        free();
      }
    });
  }

  const stepRule = (): StepRule => {
    if (rate.peek() !== steady) steady = undefined;
    if (rate.peek() !== set.rate) set = { rate: rate.peek(), at: run?.step ?? 0 };
    return { rule: rule.peek(), lr: rate.peek() };
  };

  function note(now: Run): void {
    const point = now.points.at(-1);
    if (point) prints.set(point.step, point.print);
  }

  /** The run beside the one before: the same numbers for the same settings? */
  function compare(): void {
    if (!record || record.of !== `${made} ${steady}`) return;
    const common = [...prints].filter(([step]) => record?.prints.has(step));
    const other = common.find(([step, print]) => record?.prints.get(step) !== print);
    if (other) repeat.value = { kind: "differs", step: other[0] };
    else if (common.length > 0) repeat.value = { kind: "same", readings: common.length };
  }

  /** A device that went took the tables along; what was read of them stays to be seen. */
  async function fail(error: unknown): Promise<void> {
    if (!run || !(await run.tables.isLost(error))) throw error;
    lost.value = run.step;
    steady = undefined;
    drop();
    const shown = snapshot.peek();
    if (shown) snapshot.value = { ...shown, speed: undefined };
  }

  const forward = (steps: number) => (of: Run) => of.step + steps;
  const restart = () => {
    drop();
    made = "";
  };
  const clear = () =>
    batch(() => {
      snapshot.value = undefined;
      lost.value = undefined;
      repeat.value = undefined;
    });

  // A reset of the page begins here, too, from nothing.
  effect(() => {
    if (state.resets.value === 0) return;
    untracked(() => {
      job.stop();
      restart();
      clear();
      state.ownTable.value = undefined;
      state.ownGradient.value = false;
    });
  });

  // What was trained on another text, or with another seed, is not shown for this one.
  effect(() => {
    kind.value;
    seed.value;
    rule.value;
    untracked(() => {
      if (!made || made === settings()) return;
      job.stop();
      restart();
      clear();
    });
  });

  return {
    slow,
    pace,
    job,
    snapshot,
    source,
    preview,
    missing,
    lost,
    asleep,
    repeat,
    start: () => {
      // Numbers that are gone stay gone: it begins anew.
      if (snapshot.peek()?.outcome.kind === "broken") restart();
      go((of) => of.step + Math.max(1, Math.ceil(GOAL / of.tables.pairs)), true);
    },
    stop: () => job.stop(),
    step: () => go(forward(1)),
    again: () => {
      const far = snapshot.peek()?.step ?? 0;
      restart();
      go(() => far);
    },
    attempt: (experiment) => {
      restart();
      batch(() => {
        rule.value = experiment.rule;
        rate.value = experiment.rate;
      });
      go(() => experiment.steps);
    },
    trained: async () => {
      if (!run || busy) return undefined;
      const { source: from, tables, step, seed: drawn } = run;
      try {
        const [centres, contexts] = [await run.words(), await tables.contexts(from.ids)];
        return { source: from, centres, contexts, width: tables.width, seed: drawn, steps: step };
      } catch (error) {
        await fail(error);
        return undefined;
      }
    },
    restore: () => {
      restart();
      batch(() => {
        rule.value = DEFAULTS.rule;
        rate.value = DEFAULTS.rate;
        snapshot.value = undefined;
      });
    },
  };
}

/** Lets input and painting pass whenever the task has become long. */
function inShortTasks(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await pause();
    began = performance.now();
  };
}

/** Seconds between its starts and stops. */
function stopwatch(): { start(): void; stop(): void; seconds(): number } {
  let [total, since] = [0, 0];
  return {
    start: () => {
      since = performance.now();
    },
    stop: () => {
      if (since > 0) total += performance.now() - since;
      since = 0;
    },
    seconds: () => total / 1_000,
  };
}

/** Steps a second, over the last second or so. */
function speedometer(): (step: number) => number | undefined {
  const marks: { step: number; time: number }[] = [];
  return (step) => {
    const time = performance.now();
    marks.push({ step, time });
    while (marks.length > 2 && time - (marks[0]?.time ?? time) > 1_500) marks.shift();
    const first = marks[0];
    return first && time > first.time ? ((step - first.step) / (time - first.time)) * 1_000 : undefined;
  };
}

/** Waits while the tab is hidden: nobody sees it, and the device may be wanted elsewhere. */
async function awake(asleep: Signal<boolean>, stopped: () => boolean): Promise<void> {
  while (document.hidden && !stopped()) {
    asleep.value = true;
    await new Promise((resolve) => {
      document.addEventListener("visibilitychange", resolve, { once: true });
      setTimeout(resolve, 1_000);
    });
  }
  asleep.value = false;
}

const WISHES: { readonly [kind in SourceName]: readonly (readonly [string, string, "control"?])[] } = {
  pairs: [
    ["kedi", "köpek"],
    ["anne", "baba"],
    ["ankara", "istanbul"],
    ["kırmızı", "mavi"],
    ["kedi", "ankara", "control"],
    ["kedi", "tren", "control"],
  ],
  tale: [
    ["kedi", "köpek"],
    ["gündüz", "gece"],
  ],
  text: [],
};

/** The pairs that are watched in this source. */
function watchedIn(state: State, kind: SourceName, source: Source): Watched[] {
  const { value: engine } = state.engine;
  const idOf = (word: string) => {
    const ids = engine?.encode(word).ids;
    return ids?.length === 1 ? ids[0] : undefined;
  };
  const wishes = WISHES[kind].map(([left, right, control]): Wish => {
    return { ids: [idOf(left), idOf(right)], control: control !== undefined };
  });
  // A piece that begins a word, of at least two letters.
  return watched(source, wishes, (id) => /^▁\p{L}{2,}$/u.test(engine?.piece(id) ?? ""));
}
