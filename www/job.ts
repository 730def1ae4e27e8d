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

export function createJob(): Job {
  const running = signal(false);
  const progress = signal({ done: 0, total: 1, label: "" });
  const error = signal<string | undefined>(undefined);
  let turn = 0;
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
        running.value = false;
      }
    },
    stop() {
      turn += 1;
    },
  };
}
