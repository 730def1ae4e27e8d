// Long work that a reader starts, watches and stops: a race of many runs, a sweep over lengths.
import { batch, type ReadonlySignal, signal } from "@preact/signals-core";

export interface Control {
  stopped(): boolean;
  /** Lets jobs that wait for the device go first; resolves when it is this one's turn again, or when it was stopped. */
  pass(): Promise<void>;
  tell(done: number, total: number, label: string): void;
}

export interface Job {
  readonly running: ReadonlySignal<boolean>;
  /** It runs as soon as another job lets go of the device. */
  readonly waiting: ReadonlySignal<boolean>;
  readonly progress: ReadonlySignal<{ readonly done: number; readonly total: number; readonly label: string }>;
  readonly error: ReadonlySignal<string | undefined>;
  start(run: (control: Control) => Promise<void>): Promise<void>;
  stop(): void;
}

/** The last job in the line. Jobs share one device, and two that run at once would measure each other: each waits. */
let line: Promise<void> = Promise.resolve();

export function createJob(): Job {
  const running = signal(false);
  const waiting = signal(false);
  const progress = signal({ done: 0, total: 1, label: "" });
  const error = signal<string | undefined>(undefined);
  let turn = 0;
  /** Not begun yet: to be stopped without asking anybody. */
  let ahead = false;
  let interrupt = () => {};
  return {
    running,
    waiting,
    progress,
    error,
    async start(run) {
      if (running.value) return;
      const mine = ++turn;
      batch(() => {
        running.value = true;
        error.value = undefined;
        progress.value = { done: 0, total: 1, label: "" };
      });
      let [before, place] = [line, inLine()];
      const stopped = () => mine !== turn;
      ahead = true;
      // A place that is free at once is nothing to speak of.
      const late = setTimeout(() => {
        if (ahead && !stopped()) waiting.value = true;
      }, SHORT_MS);
      await before;
      clearTimeout(late);
      if (stopped()) return place.leave();
      batch(() => {
        ahead = false;
        waiting.value = false;
      });
      const pass = async () => {
        if (line === place.left || stopped()) return;
        place.leave();
        [before, place] = [line, inLine()];
        waiting.value = true;
        await Promise.race([
          before,
          new Promise<void>((resolve) => {
            interrupt = resolve;
          }),
        ]);
        waiting.value = false;
      };
      try {
        await run({
          stopped,
          pass,
          tell: (done, total, label) => {
            if (!stopped()) progress.value = { done, total, label };
          },
        });
      } catch (caught) {
        error.value = caught instanceof Error ? caught.message : String(caught);
      } finally {
        // Whoever was stopped while it let others go first leaves its place to them.
        void before.then(place.leave);
        running.value = false;
      }
    },
    stop() {
      turn += 1;
      interrupt();
      if (!ahead) return;
      ahead = false;
      batch(() => {
        waiting.value = false;
        running.value = false;
      });
    },
  };
}

/** Milliseconds of waiting that need no word. */
const SHORT_MS = 150;

/** A place at the end of the line; `left` resolves when it is given up. */
function inLine(): { readonly left: Promise<void>; leave(): void } {
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  line = left;
  return { left, leave };
}
