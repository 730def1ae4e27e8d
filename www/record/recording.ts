// What the recorder writes and the page draws: this page's own measurements on one device, with where and when.

import type { ColumnPoint } from "../measure/contention";
import type { Results } from "../measure/race";
import type { Measure, SkewPoint } from "../measure/speed";
import type { CellPoint } from "../models/lockstep";
import type { TimedKernel } from "../pkg/gomme.js";

export interface RecordedRace {
  /** How often the text was repeated, positions in all, and those of the most frequent row. */
  readonly times: number;
  readonly positions: number;
  readonly hits: number;
  readonly results: Results;
}

export interface Recording {
  readonly format: 1;
  readonly adapter: { readonly name: string; readonly software: boolean; readonly named: "browser" | "recorder" };
  readonly browser: string;
  /** ISO 8601. */
  readonly date: string;
  /** Of the page that measured. */
  readonly commit: string;
  readonly seconds: number;
  /** k neighbours on one cell. */
  readonly cell: readonly CellPoint[];
  /** k positions on one row of 384 cells. */
  readonly columns: readonly ColumnPoint[];
  readonly race: { readonly text: string; readonly loads: readonly RecordedRace[] };
  readonly speed: {
    readonly skew: number;
    readonly times: readonly ({ readonly kernel: TimedKernel; readonly n: number } & Measure)[];
  };
  readonly skew: readonly { readonly n: number; readonly points: readonly SkewPoint[] }[];
  /** What could not be measured, in the browser's words. */
  readonly failures: readonly string[];
}

/** Its source in a few words: "NVIDIA H200, Firefox 153, 29.11.2026". */
export function sourceOf(recording: Recording, lang: "tr" | "en"): string {
  const [year = "", month = "", day = ""] = recording.date.slice(0, 10).split("-");
  const date = lang === "tr" ? `${day}.${month}.${year}` : `${year}-${month}-${day}`;
  const browser = recording.browser.replace(/(\d+)[.\d]*$/, "$1");
  return `${recording.adapter.name}, ${browser}, ${date}`;
}
