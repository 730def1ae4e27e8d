// Measurements by the wall clock: only while the page can be seen, since browsers slow hidden pages down.

/** How long a hidden page is waited for, and how often a measurement that it was hidden in is made again. */
const LIMIT_MILLISECONDS = 10_000;
const TRIES = 4;

/** Waits until the page can be seen, at most `limit` milliseconds; whether it can be. A worker knows of nothing hidden. */
function visible(limit: number): Promise<boolean> {
  const page = globalThis.document;
  if (!page?.hidden) return Promise.resolve(true);
  return new Promise((resolve) => {
    const done = () => {
      if (!late && page.hidden) return;
      page.removeEventListener("visibilitychange", done);
      clearTimeout(timer);
      resolve(!page.hidden);
    };
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      done();
    }, limit);
    page.addEventListener("visibilitychange", done);
  });
}

interface Options<T> {
  /** Milliseconds that a hidden page is waited for, each time. */
  readonly limit?: number;
  /** Whether what came out depends on the wall clock. Where that is only known after, the first try is not waited for. */
  readonly counts?: (measured: T) => boolean;
}

/**
 * What `measure` gives when the page could be seen all the while: it begins when the page is visible, and again if the page was
 * hidden meanwhile. Undefined where the page stays hidden, or comes and goes.
 */
export async function whileVisible<T>(
  measure: () => Promise<T>,
  { limit = LIMIT_MILLISECONDS, counts }: Options<T> = {},
): Promise<T | undefined> {
  const page = globalThis.document;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (!(counts && attempt === 0) && !(await visible(limit))) return undefined;
    let hidden = page?.hidden ?? false;
    const look = () => {
      hidden ||= page.hidden;
    };
    page?.addEventListener("visibilitychange", look);
    try {
      const measured = await measure();
      if (!(hidden || page?.hidden) || counts?.(measured) === false) return measured;
    } finally {
      page?.removeEventListener("visibilitychange", look);
    }
  }
  return undefined;
}
