// What section 8 uses of the page, handed over by its door (views/train.ts); views/door.ts says why.
import type { inlined } from "../assets";
import type { messageOf } from "../engine/calls";
import type { createJob } from "../job";
import type { figure, question } from "../views/figure";

export interface Page {
  readonly createJob: typeof createJob;
  readonly figure: typeof figure;
  readonly inlined: typeof inlined;
  readonly messageOf: typeof messageOf;
  readonly question: typeof question;
  /** The tale that the page can put into its text box. */
  readonly tale: string;
}
