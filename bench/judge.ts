// Reads a report: which targets it meets, the floor in bytes, growth, rivals beside ours. No page in here, so that
// `run.mjs` can print the same tables.

import type { Figure, Report, TorchReport } from "./report";
import { chromiumMicrosecondsPerPass, type Target, targets } from "./targets";

export interface Judged {
  readonly target: Target;
  readonly kernel: string;
  readonly figure: Figure | undefined;
  /** Microseconds that the row's bytes take at the speed of the bare write in this run. */
  readonly floor: number | undefined;
  readonly torch: number | undefined;
  /** The bar in this browser: with the passes' allowance in Chromium. */
  readonly bar: number | undefined;
  /** For a row that is compared with the f32 lookup. */
  readonly share: number | undefined;
  readonly met: boolean | undefined;
}

type Place = Pick<Figure, "n" | "d">;

export const find = (report: Report, part: Figure["part"], what: string, { n, d }: Place): Figure | undefined =>
  report.figures.find(
    (figure) =>
      figure.part === part && figure.by === "gomme" && figure.what === what && figure.n === n && figure.d === d,
  );

/** Bytes a microsecond of the bare write: the best of the run, so that the floor is one no kernel beats for long. */
export function writeSpeed(report: Report): number | undefined {
  const speeds = report.figures
    .filter(({ what, n, d }) => what === "write_only" && n !== undefined && d !== undefined)
    .map(({ value, n, d }) => (4 * (n as number) * (d as number)) / value);
  return speeds.length > 0 ? Math.max(...speeds) : undefined;
}

export const torchTime = (torch: TorchReport | undefined, what: string, { n, d }: Place): number | undefined =>
  torch?.figures.find((figure) => figure.what === what && figure.n === n && figure.d === d)?.microseconds;

export function judge(report: Report): Judged[] {
  const speed = writeSpeed(report);
  const chromium = /^(Chromium|Edge)/.test(report.browser);
  return targets.flatMap((target) =>
    target.kernels.map((kernel): Judged => {
      const figure = find(report, "targets", kernel, target);
      const fast = find(report, "targets", "fast", target);
      const share = target.ofLookup && figure && fast ? figure.value / fast.value : undefined;
      const torch = target.torch ? torchTime(report.torch, target.torch, target) : undefined;
      const dispatches = find(report, "targets", "dispatches of sorted", target)?.value;
      const passes = kernel.startsWith("sorted") ? (dispatches ?? 1) : 1;
      const allowance = chromium ? passes * chromiumMicrosecondsPerPass : 0;
      const bar = target.target === undefined ? undefined : target.target + allowance;
      let met: boolean | undefined;
      if (figure && bar !== undefined) {
        met = figure.value <= bar;
        if (target.ofTorch && torch !== undefined) met &&= figure.value <= torch * target.ofTorch;
      } else if (share !== undefined) met = share <= (target.ofLookup as number);
      // The targets are for a GPU.
      if (report.adapter?.software) met = undefined;
      const floor = figure?.bytes !== undefined && speed ? figure.bytes / speed : undefined;
      return { target, kernel, figure, floor, torch, bar, share, met };
    }),
  );
}

export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [n: number, microseconds: number])[];
}

/** Time against length, one curve a kernel, and the floors of lookup and gradient at the write's speed. */
export function curves(report: Report): { curves: Curve[]; floor: Curve | undefined } {
  const grown = report.figures.filter(({ part, unit }) => part === "growth" && unit === "µs");
  const names = [...new Set(grown.map(({ what }) => what))];
  const made = names.map((name) => ({
    name,
    points: grown
      .filter(({ what }) => what === name)
      .map(({ n, value }) => [n as number, value] as const)
      .sort(([a], [b]) => a - b),
  }));
  const speed = writeSpeed(report);
  const bytes = new Map(grown.filter(({ what }) => what === "fast").map(({ n, bytes }) => [n as number, bytes]));
  const floor =
    speed && bytes.size > 0
      ? { name: "floor", points: [...bytes].map(([n, bytes]) => [n, (bytes ?? 0) / speed] as const) }
      : undefined;
  return { curves: made, floor };
}

/** The failures, with those of one cause together. */
export function failures(report: Report): { by: string; what: string; message: string }[] {
  const causes = new Map<string, { by: string; what: Set<string>; message: string }>();
  for (const { by, what, message } of report.failures) {
    // The same limit with other numbers is the same cause.
    const cause = `${by} ${message.replace(/\d+/g, "#")}`;
    const known = causes.get(cause) ?? { by, what: new Set<string>(), message };
    known.what.add(what);
    causes.set(cause, known);
  }
  return [...causes.values()].map(({ by, what, message }) => ({ by, what: [...what].join("; "), message }));
}

export interface RivalRow {
  readonly what: "lookup" | "gradient";
  readonly by: string;
  readonly named: string;
  readonly n: number;
  readonly d: number;
  readonly wall: number | undefined;
  readonly markers: number | undefined;
  /** Wall time over ours at the same shape by the same method. */
  readonly times: number | undefined;
}

export function rivalRows(report: Report): RivalRow[] {
  const rows: RivalRow[] = [];
  const figures = report.figures.filter(({ part }) => part === "rivals");
  const isLookup = ({ what }: Figure): boolean => /fast|gather|take$/i.test(what) && !what.startsWith("grad");
  for (const figure of figures) {
    if (figure.clock === "gpu markers") continue;
    const { by, what: named, n = 0, d = 0, value: wall } = figure;
    const what = isLookup(figure) ? "lookup" : "gradient";
    const markers = figures.find(
      (other) => other.clock === "gpu markers" && other.by === by && other.what === named && other.n === n,
    )?.value;
    const ours = figures.find(
      (other) => other.by === "gomme" && isLookup(other) === (what === "lookup") && other.n === n,
    );
    rows.push({ what, by, named, n, d, wall, markers, times: ours && by !== "gomme" ? wall / ours.value : undefined });
  }
  return rows.sort((a, b) => b.what.localeCompare(a.what) || a.n - b.n || (a.wall ?? 0) - (b.wall ?? 0));
}
