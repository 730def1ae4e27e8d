// Long work in short tasks: yielding to input, newest-wins jobs, and drawing in turn.

/** Lets input and painting pass; resolves in a new task. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(undefined);
  });
}

/** Milliseconds that a frame is waited for: a page that nobody looks at has none. */
const FRAME_MS = 100;

/** Waits until what the page shows now is painted. */
export function painted(): Promise<void> {
  const frame = new Promise<void>((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, FRAME_MS);
  });
  return frame.then(pause);
}

export const SLICE_MS = 12;

/** Calls `step(from, to)` over 0..count in chunks, yielding whenever a slice of time is used up; false if stopped. */
export async function inSlices(
  count: number,
  chunk: number,
  step: (from: number, to: number) => void,
  stale: () => boolean,
): Promise<boolean> {
  let began = performance.now();
  for (let from = 0; from < count; from += chunk) {
    step(from, Math.min(count, from + chunk));
    if (performance.now() - began > SLICE_MS) {
      await pause();
      if (stale()) return false;
      began = performance.now();
    }
  }
  return true;
}

/**
 * Runs one job at a time; a request made meanwhile makes the running one stale and is run after it, once.
 * The job asks `stale()` after each wait.
 */
export function newest(job: (stale: () => boolean) => Promise<void>): () => void {
  let wanted = 0;
  let running = false;
  return async () => {
    wanted += 1;
    if (running) return;
    running = true;
    let done = 0;
    while (done !== wanted) {
      const mine = wanted;
      await job(() => mine !== wanted);
      done = mine;
    }
    running = false;
  };
}

const queue: (() => void)[] = [];
let serving = false;

/** Queues `work` behind earlier requests, and runs the queue in short tasks. */
export function inTurn(work: () => void): void {
  queue.push(work);
  if (serving) return;
  serving = true;
  void serve();
}

async function serve(): Promise<void> {
  await pause();
  let began = performance.now();
  for (let work = queue.shift(); work; work = queue.shift()) {
    try {
      work();
    } catch (error) {
      // One view that fails must not keep the others from being drawn.
      reportError(error);
    }
    if (performance.now() - began > SLICE_MS) {
      await pause();
      began = performance.now();
    }
  }
  serving = false;
}

/** Draws at once what waits for its turn, and what that asks for: before printing nobody waits. */
export function drawNow(): void {
  for (let work = queue.shift(); work; work = queue.shift()) {
    try {
      work();
    } catch (error) {
      reportError(error);
    }
  }
}

/** At most one call of `draw` at a time in the queue, however often it is asked for. */
export function once(draw: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    inTurn(() => {
      asked = false;
      draw();
    });
  };
}
