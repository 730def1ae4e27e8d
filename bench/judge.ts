// Reads a report: which targets it meets, the floor in bytes, growth, rivals beside ours. No page in here, so that
// `run.mjs` can print the same tables.

import { type Figure, type Part, parts, type Report, type TableOperation, type TorchReport } from "./report";
import { type Target, targets } from "./targets";
import { VOCABULARY } from "./workload";

export interface Judged {
  readonly target: Target;
  readonly figure: Figure;
  /** Microseconds that the row's bytes take at the speed of the bare write in this run. */
  readonly floor: number | undefined;
  readonly torch: number | undefined;
  /** For a row that is compared with the f32 lookup. */
  readonly share: number | undefined;
  /** Undefined where there is no target, or none for this adapter. */
  readonly met: boolean | undefined;
}

/** Parts that have a table of their own kind; the figures of all others are shown as they are. */
const OWN_TABLE = ["check", "targets", "growth", "rivals"] as const satisfies Part[];
export type PlainPart = Exclude<Part, (typeof OWN_TABLE)[number]>;
export const plainParts = parts.filter((part): part is PlainPart => !(OWN_TABLE as readonly Part[]).includes(part));

type Place = Pick<Figure, "v" | "n" | "d">;

const samePlace = (a: Place, b: Place): boolean =>
  (a.v ?? VOCABULARY) === (b.v ?? VOCABULARY) && a.n === b.n && a.d === b.d;

export const find = (report: Report, part: Part, what: string, place: Place): Figure | undefined =>
  report.figures.find(
    (figure) => figure.part === part && figure.by === "gomme" && figure.what === what && samePlace(figure, place),
  );

/** Bytes a microsecond of the bare write: the best of the run, so that the floor is one no kernel beats for long. */
export function writeSpeed(report: Report): number | undefined {
  const speeds = report.figures.flatMap(({ what, n, d, value }) =>
    what === "write_only" && n !== undefined && d !== undefined ? [(4 * n * d) / value] : [],
  );
  return speeds.length > 0 ? Math.max(...speeds) : undefined;
}

export const torchTime = (torch: TorchReport | undefined, what: string, place: Place): number | undefined =>
  torch?.figures.find((figure) => figure.what === what && samePlace(figure, place))?.microseconds;

/** The rows of the table of targets that were measured. */
export function judge(report: Report): Judged[] {
  const speed = writeSpeed(report);
  return targets.flatMap((target): Judged[] => {
    const figure = find(report, "targets", target.kernel, target);
    if (!figure) return [];
    const lookup = find(report, "targets", "fast", target);
    const share = target.ofLookup && lookup ? figure.value / lookup.value : undefined;
    const torch = target.torch ? torchTime(report.torch, target.torch, target) : undefined;
    const floor = figure.bytes !== undefined && speed ? figure.bytes / speed : undefined;
    return [{ target, figure, floor, torch, share, met: verdict(report, target, figure.value, share) }];
  });
}

function verdict(report: Report, target: Target, value: number, share: number | undefined): boolean | undefined {
  // The targets are for a GPU.
  if (report.adapter?.software) return undefined;
  if (target.target !== undefined) return value <= target.target;
  if (target.ofLookup !== undefined && share !== undefined) return share <= target.ofLookup;
  return undefined;
}

/** The verdict on a figure that has a target of its own. */
export const figureMet = (report: Report, { value, target }: Figure): boolean | undefined =>
  target === undefined || report.adapter?.software ? undefined : value <= target;

/** PyTorch's time for the work of a figure that names it. */
export const figureTorch = (report: Report, figure: Figure): number | undefined =>
  figure.torch === undefined ? undefined : torchTime(report.torch, figure.torch, figure);

/** The figures of the table of targets that no target judges: the document's kernels, the bare write. */
export function baselineFigures(report: Report): Figure[] {
  const judged = new Set(judge(report).map(({ figure }) => figure));
  return report.figures.filter((figure) => figure.part === "targets" && !judged.has(figure));
}

export interface Curve {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Time against length, one curve a kernel, and the lookup's floor at the write's speed. */
export function curves(report: Report): { curves: Curve[]; floor: Curve | undefined } {
  const grown = report.figures.flatMap((figure) =>
    figure.part === "growth" && figure.unit === "µs" && figure.n !== undefined ? [{ ...figure, n: figure.n }] : [],
  );
  grown.sort((a, b) => a.n - b.n);
  const names = [...new Set(grown.map(({ what }) => what))];
  const made = names.map((name) => ({
    name,
    points: grown.filter(({ what }) => what === name).map(({ n, value }) => ({ x: n, y: value })),
  }));
  const speed = writeSpeed(report);
  const bytes = grown.filter(({ what }) => what === "fast").map(({ n, bytes = 0 }) => ({ n, bytes }));
  if (!speed || bytes.length === 0) return { curves: made, floor: undefined };
  return { curves: made, floor: { name: "floor", points: bytes.map(({ n, bytes }) => ({ x: n, y: bytes / speed })) } };
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
  readonly operation: TableOperation;
  readonly by: string;
  readonly named: string;
  readonly n: number;
  readonly d: number;
  readonly wall: number;
  readonly markers: number | undefined;
  /** Wall time over ours at the same shape by the same method. */
  readonly times: number | undefined;
}

export function rivalRows(report: Report): RivalRow[] {
  const figures = report.figures.filter(({ part }) => part === "rivals");
  const rows = figures.flatMap(({ by, what, operation, clock, n = 0, d = 0, value }): RivalRow[] => {
    if (clock === "gpu markers" || !operation) return [];
    const markers = figures.find(
      (other) => other.clock === "gpu markers" && other.by === by && other.what === what && other.n === n,
    );
    const ours = figures.find((other) => other.by === "gomme" && other.operation === operation && other.n === n);
    const times = ours && by !== "gomme" ? value / ours.value : undefined;
    return [{ operation, by, named: what, n, d, wall: value, markers: markers?.value, times }];
  });
  return rows.sort((a, b) => b.operation.localeCompare(a.operation) || a.n - b.n || a.wall - b.wall);
}
