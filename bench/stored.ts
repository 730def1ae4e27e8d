// Stored reports: read from files beside the page, those of one browser on one adapter put together.

import { adapterName, type Report } from "./report";
import type { Shown } from "./view";

/** Reads the files; parts that were measured separately become one report, other computers and browsers stay apart. */
export async function readStored(
  paths: readonly string[],
  fetchJson: (path: string) => Promise<Report>,
): Promise<Shown[]> {
  if (paths.length === 0) throw new Error("?show: no report named");
  const files = await Promise.all(paths.map(async (path) => ({ path, report: await fetchJson(path) })));
  const groups = new Map<string, { report: Report; files: string[] }>();
  for (const { path, report } of files) {
    if (!Array.isArray(report.figures)) throw new Error(`${path}: not a report`);
    const key = `${report.browser} ${adapterName(report.adapter)}`;
    const group = groups.get(key);
    if (group) group.files.push(path);
    groups.set(key, group ? { ...group, report: joined(group.report, report) } : { report, files: [path] });
  }
  return [...groups.values()];
}

/** The earlier one's facts, the figures of both. */
function joined(a: Report, b: Report): Report {
  const torch = a.torch ?? b.torch;
  return {
    ...(a.date <= b.date ? a : b),
    inputs: [...a.inputs, ...b.inputs],
    checks: [...a.checks, ...b.checks],
    figures: [...a.figures, ...b.figures],
    failures: [...a.failures, ...b.failures],
    cut: a.cut || b.cut,
    seconds: a.seconds + b.seconds,
    torch,
  };
}
