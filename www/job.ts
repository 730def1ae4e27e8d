// Long work that a reader starts, watches and stops: a race of many runs, a sweep over lengths.
import { batch, type ReadonlySignal, signal } from "@preact/signals-core";

export interface Control {
  stopped(): boolean;
  tell(done: number, total: number, label: string): void;
}

export interface Job {
  readonly running: ReadonlySignal<boolean>;
  readonly progress: ReadonlySignal<{ readonly done: number; readonly total: number; readonly label: string }>;
  readonly error: ReadonlySignal<string | undefined>;
  start(run: (control: Control) => Promise<void>): Promise<void>;
  stop(): void;
}

/** The last job in the line. Jobs share one device, and two that run at once would measure each other: each waits. */
let line: Promise<void> = Promise.resolve();

export function createJob(): Job {
  const running = signal(false);
  const progress = signal({ done: 0, total: 1, label: "" });
  const error = signal<string | undefined>(undefined);
  let turn = 0;
  let waiting = false;
  return {
    running,
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
      const before = line;
      let leave = () => {};
      line = new Promise((resolve) => {
        leave = resolve;
      });
      waiting = true;
      await before;
      if (mine !== turn) return leave();
      waiting = false;
      try {
        await run({
          stopped: () => mine !== turn,
          tell: (done, total, label) => {
            if (mine === turn) progress.value = { done, total, label };
          },
        });
      } catch (caught) {
        error.value = caught instanceof Error ? caught.message : String(caught);
      } finally {
        leave();
        running.value = false;
      }
    },
    stop() {
      turn += 1;
      if (!waiting) return;
      waiting = false;
      running.value = false;
    },
  };
}
