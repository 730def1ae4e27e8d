// Shows a report: facts, tables, the chart. Text goes in as text nodes only.

import { chart, digits, formatTime } from "./chart";
import { curves, failures, judge, rivalRows } from "./judge";
import { adapterName, type Figure, type Part, type Report } from "./report";
import { type Language, strings } from "./strings";

type Cell = string | { text: string; tone?: "good" | "bad" | "quiet"; number?: boolean };

function make<K extends keyof HTMLElementTagNameMap>(name: K, text = "", className = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

const number = (text: string | undefined, tone?: "good" | "bad" | "quiet"): Cell => ({
  text: text ?? "–",
  number: true,
  ...(tone ? { tone } : {}),
});

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): HTMLElement {
  const wrap = make("div", "", "wide");
  wrap.tabIndex = 0;
  const made = make("table");
  const top = make("tr");
  head.forEach((title, column) => {
    const cell = make("th", title);
    cell.scope = "col";
    const first = rows[0]?.[column];
    if (typeof first === "object" && first.number) cell.className = "number";
    top.append(cell);
  });
  const thead = make("thead");
  thead.append(top);
  const body = make("tbody");
  for (const row of rows) {
    const line = make("tr");
    for (const cell of row) {
      const { text, tone, number } = typeof cell === "string" ? { text: cell, tone: undefined, number: false } : cell;
      line.append(make("td", text, [number ? "number" : "", tone ?? ""].join(" ").trim()));
    }
    body.append(line);
  }
  made.append(thead, body);
  wrap.append(made);
  return wrap;
}

const shape = ({ n, d }: { n?: number; d?: number }): string =>
  [n?.toLocaleString("en"), d].filter(Boolean).join(" × ");

const value = ({ value, unit }: Figure): string =>
  unit === "µs" ? formatTime(value) : unit === "1" ? digits(value) : `${digits(value)} ${unit}`;

const ranged = ({ range, unit }: Figure): string =>
  range ? `${value({ value: range[0], unit } as Figure)} – ${value({ value: range[1], unit } as Figure)}` : "–";

export function show(container: HTMLElement, report: Report, language: Language): void {
  const t = strings[language];
  const sections: HTMLElement[] = [];
  const section = (title: string, note: string, ...content: (HTMLElement | SVGElement)[]): void => {
    const made = make("section");
    made.append(make("h2", title));
    if (note) made.append(make("p", note, "note"));
    made.append(...content);
    sections.push(made);
  };
  const of = (part: Part): Figure[] => report.figures.filter((figure) => figure.part === part);

  const facts = make("dl", "", "facts");
  const adapter = report.adapter;
  for (const [name, text] of [
    [t.adapter, adapterName(adapter, { nameless: t.nameless, software: t.softwareShort })],
    [t.browser, report.browser],
    [t.date, new Date(report.date).toLocaleString(language)],
    [t.duration, `${report.seconds} ${t.minutes}`],
    ...(report.torch ? [["PyTorch", `${report.torch.torch}, ${report.torch.device}`] as const] : []),
  ] as const) {
    const pair = make("div");
    pair.append(make("dt", name), make("dd", text));
    facts.append(pair);
  }
  const opening = make("section");
  opening.append(facts);
  if (adapter?.software) opening.append(make("p", t.software, "warn"));
  if (report.cut) opening.append(make("p", t.cut, "warn"));
  sections.push(opening);

  const judged = judge(report).filter(({ figure }) => figure);
  if (judged.length > 0) {
    const rows = judged.map(({ target, kernel, figure, floor, torch, bar, share, met }): Cell[] => [
      t[target.label],
      { text: kernel, tone: "quiet" },
      number(target.n.toLocaleString("en")),
      number(String(target.d)),
      number(figure && formatTime(figure.value)),
      number(figure?.cpuMicroseconds === undefined ? undefined : formatTime(figure.cpuMicroseconds), "quiet"),
      number(floor === undefined ? undefined : formatTime(floor), "quiet"),
      number(bar === undefined ? (share === undefined ? undefined : `≤ ${target.ofLookup} ×`) : formatTime(bar)),
      number(target.stretch === undefined ? undefined : formatTime(target.stretch), "quiet"),
      number(torch === undefined ? undefined : formatTime(torch)),
      {
        text: met === undefined ? "" : `${met ? t.met : t.missed}${share ? ` (${share.toFixed(2)} ×)` : ""}`,
        tone: met ? "good" : "bad",
      },
    ]);
    const head = [t.what, "kernel", "N", "D", t.time, "CPU", t.floor, t.target, t.stretch, "PyTorch", t.verdict];
    const known = new Set(judged.map(({ figure }) => figure));
    const rest = of("targets").filter((figure) => !known.has(figure));
    const baselines = rest.map((figure): Cell[] => [
      figure.what,
      number(figure.n?.toLocaleString("en")),
      number(String(figure.d)),
      number(value(figure)),
      number(ranged(figure), "quiet"),
      number(figure.bytes === undefined ? undefined : `${digits(figure.bytes / figure.value / 1_000)} GB/s`, "quiet"),
      number(figure.retries?.toLocaleString("en"), "quiet"),
    ]);
    const more = make("details");
    more.append(
      make("summary", `${t.baselines} (${rest.length})`),
      table(["kernel", "N", "D", t.time, t.range, "GB/s", "retries"], baselines),
    );
    section(t.targets, t.targetsNote, table(head, rows), more);
  }

  const grown = curves(report);
  if (grown.curves.some(({ points }) => points.length > 0)) {
    const lengths = [...new Set(grown.curves.flatMap(({ points }) => points.map(([n]) => n)))].sort((a, b) => a - b);
    const rows = lengths.map((n): Cell[] => [
      number(n.toLocaleString("en")),
      ...grown.curves.map(({ points }) => {
        const point = points.find(([at]) => at === n);
        return number(point && digits((point[1] * 1_000) / n));
      }),
    ]);
    const figure = make("figure");
    figure.append(chart(grown.curves, grown.floor && { ...grown.floor, name: t.floor }, t.growth));
    section(
      t.growth,
      t.growthNote,
      figure,
      make("h3", t.perToken),
      table(["N", ...grown.curves.map(({ name }) => name)], rows),
    );
  }

  const rivals = rivalRows(report);
  if (rivals.length > 0) {
    const rows = rivals.map(({ what, by, named, n, d, wall, markers, times }): Cell[] => [
      what === "lookup" ? t.lookup : t.gradient,
      by,
      { text: named, tone: "quiet" },
      number(shape({ n, d })),
      number(wall === undefined ? undefined : formatTime(wall)),
      number(markers === undefined ? undefined : formatTime(markers), "quiet"),
      number(times === undefined ? undefined : `${digits(times)} ×`),
    ]);
    section(t.rivals, t.rivalsNote, table([t.what, t.by, "", "N × D", t.wall, t.markers, t.times], rows));
  }

  for (const [part, title, note] of [
    ["skew", t.skew, t.skewNote],
    ["ratio", t.ratio, ""],
    ["call", t.call, t.callNote],
    ["tokenizer", t.tokenizer, ""],
    ["startup", t.startup, ""],
  ] as const) {
    const figures = of(part);
    if (figures.length === 0) continue;
    const rows = figures.map((figure): Cell[] => [
      [figure.what, figure.remark].filter(Boolean).join(", "),
      {
        text: [figure.by, figure.tokens && figure.tokens !== "zipf" ? t[figure.tokens] : ""].filter(Boolean).join(", "),
        tone: "quiet",
      },
      number(shape(figure)),
      number(value(figure)),
      number(ranged(figure), "quiet"),
    ]);
    section(title, note, table([t.what, t.by, "N × D", t.time, t.range], rows));
  }

  if (report.checks.length > 0) {
    const rows = report.checks.map(({ by, what, n, ok, text }): Cell[] => [
      by,
      what,
      number(n.toLocaleString("en")),
      { text: ok ? t.right : t.wrong, tone: ok ? "good" : "bad" },
      { text, tone: "quiet" },
    ]);
    section(t.checks, t.checksNote, table([t.by, t.what, "N", t.verdict, ""], rows));
  }
  if (report.failures.length > 0) {
    const rows = failures(report).map(({ by, what, message }): Cell[] => [by, what, { text: message, tone: "quiet" }]);
    section(t.failures, "", table([t.by, t.what, ""], rows));
  }
  container.replaceChildren(...sections);
}
