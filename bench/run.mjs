// Runs dist/bench.html headless and prints its tables.
//
//   node bench/run.mjs [chromium] [firefox] [--quick | --full] [--parts a,b] [--rivals a,b|none] [--n 8192] [--samples 20]
//                      [--limit 600] [--query "v=1000&ms=5"] [--site dist] [--out FOLDER]
//
// `--query` adds any switch of the page (settings.ts). Both browsers and `--quick` unless told otherwise: here the adapters are software. `--out` keeps the reports as JSON.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { browsers, launch } from "../tools/browsers.mjs";
import { serve } from "../tools/serve.mjs";
import { bundled, here } from "./bundled.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    full: { type: "boolean", default: false },
    parts: { type: "string" },
    rivals: { type: "string" },
    n: { type: "string" },
    query: { type: "string", default: "" },
    samples: { type: "string" },
    limit: { type: "string", default: "600" },
    site: { type: "string", default: join(here, "..", "dist") },
    out: { type: "string" },
  },
});
const wanted = positionals.length > 0 ? positionals : browsers;
const unknown = wanted.find((name) => !browsers.includes(name));
if (unknown !== undefined) {
  console.error(`bench/run.mjs: no browser "${unknown}"; there are ${browsers.join(", ")}`);
  process.exit(2);
}

const { failures, figureMet, figureTorch, judge, plainParts, rivalRows } = await bundled("judge.ts");
const { adapterName } = await bundled("report.ts");
const { duration, short } = await bundled("../www/format.ts");
const micros = (value) => (value === undefined ? "-" : duration("en", value));
const measured = (value, unit) => {
  if (unit === "µs") return micros(value);
  if (unit === "ms") return micros(value * 1_000);
  if (unit === "bytes") return `${short("en", value / 1e6)} MB`;
  return `${short("en", value)}${unit === "1" ? "" : ` ${unit}`}`;
};
const verdict = (met) => (met === undefined ? "" : met ? "met" : "missed");

function print(title, head, rows) {
  if (rows.length === 0) return;
  const lines = [head, ...rows].map((row) => row.map((cell) => String(cell ?? "-")));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  console.log(`\n${title}`);
  for (const [i, line] of lines.entries()) {
    console.log(
      `  ${line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd()}`,
    );
    if (i === 0) console.log(`  ${widths.map((width) => "-".repeat(width)).join("  ")}`);
  }
}

function printReport(report) {
  console.log(`\n=== ${report.browser}, ${adapterName(report.adapter)}, ${report.date}, ${report.seconds} s`);
  if (report.cut) console.log("cut off by the time limit");
  printTargets(report);
  printRivals(report);
  for (const part of ["growth", ...plainParts]) printFigures(report, part);
  print(
    "Compared with the oracle",
    ["by", "what", "N", "", ""],
    report.checks.map(({ by, what, n, ok, text }) => [by, what, n, ok ? "right" : "DIFFERS", text]),
  );
  print(
    "Not measured, and why",
    ["by", "what", "why"],
    failures(report).map(({ by, what, message }) => [
      by,
      what.slice(0, 100),
      message.replaceAll("\n", " ").slice(0, 240),
    ]),
  );
}

const unchecked = (figure) => (figure.checked === false ? " NOT CHECKED" : "");

function printTargets(report) {
  print(
    "Targets (for an NVIDIA H200)",
    ["what", "kernel", "V", "N", "D", "time", "CPU in it", "floor", "target", "PyTorch", "dispatches", ""],
    judge(report).map(({ target, figure, floor, torch, share, met }) => [
      target.label,
      target.kernel,
      target.v,
      target.n,
      target.d,
      micros(figure.value),
      micros(figure.cpuMicroseconds),
      micros(floor),
      target.ofLookup === undefined ? micros(target.target) : `${target.ofLookup} x fast`,
      micros(torch),
      figure.dispatched?.length,
      `${verdict(met)}${share ? ` (${share.toFixed(2)})` : ""}${unchecked(figure)}`,
    ]),
  );
}

function printRivals(report) {
  print(
    "Beside other libraries (wall clock, many calls, one wait)",
    ["what", "by", "function", "N", "wall", "gpu", "times ours"],
    rivalRows(report).map((row) => [
      row.operation,
      row.by,
      row.named,
      row.n,
      micros(row.wall),
      micros(row.markers),
      row.times === undefined ? "-" : short("en", row.times),
    ]),
  );
}

function printFigures(report, part) {
  const name = ({ what, tokens, clock, remark }) =>
    [what, tokens === "zipf" ? "" : tokens, clock === "gpu markers" ? clock : "", remark].filter(Boolean).join(", ");
  print(
    part,
    ["what", "by", "N", "value", "target", "PyTorch", ""],
    report.figures
      .filter((figure) => figure.part === part)
      .map((figure) => [
        name(figure),
        figure.by,
        figure.n,
        measured(figure.value, figure.unit),
        figure.target === undefined ? "" : measured(figure.target, figure.unit),
        micros(figureTorch(report, figure)),
        `${verdict(figureMet(report, figure))}${unchecked(figure)}`,
      ]),
  );
}

const query = new URLSearchParams(values.query);
for (const [name, value] of [
  ["run", ""],
  ["lang", "en"],
  ["limit", values.limit],
])
  query.set(name, value);
if (!values.full) query.set("quick", "");
for (const name of ["parts", "rivals", "n", "samples"]) if (values[name] !== undefined) query.set(name, values[name]);

const server = await serve(values.site);
let wrong = 0;
try {
  for (const name of wanted) {
    const browser = await launch(name, { protocolTimeout: 3_600_000 });
    try {
      const page = await browser.newPage();
      page.on("pageerror", (error) => console.error(`${name}: ${error}`));
      await page.goto(`${server.url}bench.html?${query}`);
      const end = Date.now() + (Number(values.limit) + 180) * 1_000;
      let report;
      while (report === undefined && Date.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        report = await page.evaluate(() => window.gommeReport);
      }
      if (report === undefined) {
        console.error(`${name}: no report within ${values.limit} s and three minutes`);
        wrong++;
        continue;
      }
      printReport(report);
      if (report.checks.some(({ by, ok }) => by === "gomme" && !ok)) wrong++;
      if (values.out) {
        mkdirSync(values.out, { recursive: true });
        const file = join(values.out, `${name}-${report.date.slice(0, 10)}.json`);
        writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
        console.log(`\n${file}`);
      }
    } finally {
      await browser.close();
    }
  }
} finally {
  await server.close();
}
process.exit(wrong === 0 ? 0 : 1);
