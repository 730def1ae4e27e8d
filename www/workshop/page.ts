// What section 7 uses of the page, handed over by its door (views/workshop.ts); views/door.ts says why.
import type { createJob } from "../job";
import type { State } from "../state";
import type { fallbackReason } from "../views/badge";
import type { jobButton, jobProgress } from "../views/job";
import type { legend } from "../views/legend";

export interface Page {
  /** The address that holds the state. */
  readonly link: (state: State) => string;
  readonly createJob: typeof createJob;
  readonly jobButton: typeof jobButton;
  readonly jobProgress: typeof jobProgress;
  readonly legend: typeof legend;
  readonly fallbackReason: typeof fallbackReason;
}
