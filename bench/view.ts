// Shows reports: facts, tables, the chart, by the page's own elements, tables and plot.

import { type Signal, signal } from "@preact/signals-core";
import { h, type Kid, svg } from "../www/dom";
import { drawPlot, type Series } from "../www/draw/plot";
import { count, duration, fixed, type Language, short } from "../www/format";
import { type Column, table } from "../www/ui";
import {
  baselineFigures,
  curves,
  failures,
  figureMet,
  figureTorch,
  type Judged,
  judge,
  type PlainPart,
  plainParts,
  rivalRows,
} from "./judge";
import { adapterName, type Figure, type Report } from "./report";
import { strings } from "./strings";
import { VOCABULARY } from "./workload";

/** What is shown: a run of this page, or one that was stored. */
export interface Shown {
  readonly report: Report;
  /** Addresses that it was read from; undefined for a run of this page. */
  readonly files?: readonly string[];
}

/** The words and the numbers of one language. */
class Words {
  readonly t;
  readonly signal: Signal<Language>;

  constructor(readonly language: Language) {
    this.t = strings[language];
    this.signal = signal(language);
  }

  time = (microseconds: number | undefined): string =>
    microseconds === undefined ? "–" : duration(this.language, microseconds);

  /** A power of ten of microseconds, as short as it can be. */
  tick = (microseconds: number): string => {
    if (microseconds < 1e3) return `${short(this.language, microseconds)} µs`;
    return microseconds < 1e6 ? `${microseconds / 1e3} ms` : `${microseconds / 1e6} s`;
  };

  count = (value: number | undefined): string => (value === undefined ? "–" : count(this.language, value));

  value = ({ value, unit }: Pick<Figure, "value" | "unit">): string => {
    if (unit === "µs") return this.time(value);
    if (unit === "ms") return this.time(value * 1_000);
    if (unit === "bytes") return `${short(this.language, value / 1e6)} MB`;
    return unit === "1" ? short(this.language, value) : `${short(this.language, value)} ${unit}`;
  };

  range = ({ range, unit }: Figure): string =>
    range ? `${this.value({ value: range[0], unit })} – ${this.value({ value: range[1], unit })}` : "–";

  shape = ({ v = VOCABULARY, n, d }: Pick<Figure, "v" | "n" | "d">): string => {
    const size = [n === undefined ? "" : this.count(n), d].filter(Boolean).join(" × ");
    return v === VOCABULARY ? size : `${size}, V = ${this.count(v)}`;
  };

  verdict = (met: boolean | undefined): Kid =>
    met !== undefined && h("span", { class: met ? "good" : "bad" }, met ? this.t.met : this.t.missed);

  /** A table that scrolls sideways by itself where it is wider than the page. */
  table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): HTMLElement {
    return h(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": caption },
      table(this.signal, { caption: () => caption, columns, rows: () => rows }),
    );
  }
}

/** A column of words or, with `numeric`, of numbers as text. */
const column = <Row>(label: string, show: (row: Row) => Kid, numeric = false): Column<Row> => ({
  key: label,
  label: () => label,
  ...(numeric ? { numeric } : {}),
  value: () => "",
  show,
});

const section = (title: string, note: string, ...content: Kid[]): HTMLElement =>
  h("section", h("h2", title), note !== "" && h("p", { class: "note" }, note), content);

/** Everything about these reports, each under its own heading where there are several. */
export function view(shown: readonly Shown[], language: Language): HTMLElement[] {
  const words = new Words(language);
  return shown.flatMap((one) => {
    const { report } = one;
    return [
      facts(words, one, shown.length > 1),
      targetTable(words, report),
      growth(words, report),
      rivals(words, report),
      ...plainParts.map((part) => plain(words, report, part)),
      checks(words, report),
      failureTable(words, report),
    ].filter((made) => made !== undefined);
  });
}

function facts({ t, language, count }: Words, { report, files }: Shown, several: boolean): HTMLElement {
  const { adapter, browser, torch } = report;
  const name = adapterName(adapter, { nameless: t.nameless, software: t.softwareShort });
  const pairs: (readonly [string, string])[] = [
    [t.adapter, name],
    [t.browser, browser],
    [t.date, new Date(report.date).toLocaleString(language)],
    [t.duration, `${count(report.seconds)} ${t.seconds}`],
  ];
  if (torch) pairs.push(["PyTorch", `${torch.torch}, ${torch.device}`]);
  if (files) pairs.push([t.files, files.join(", ")]);
  return h(
    "section",
    several && h("h2", `${browser}, ${name}`),
    files && h("p", { class: "warn" }, t.stored),
    h(
      "dl",
      { class: "facts" },
      pairs.map(([name, text]) => h("div", h("dt", name), h("dd", text))),
    ),
    adapter?.software && h("p", { class: "warn" }, t.software),
    report.cut && h("p", { class: "warn" }, t.cut),
  );
}

function targetTable(words: Words, report: Report): HTMLElement | undefined {
  const { t, time, count } = words;
  const rows = judge(report);
  if (rows.length === 0) return undefined;
  const columns: Column<Judged>[] = [
    column(t.what, ({ target }) => t[target.label]),
    column("N", ({ target }) => count(target.n), true),
    column("D", ({ target }) => String(target.d), true),
    column("V", ({ target }) => count(target.v), true),
    column(t.time, ({ figure }) => time(figure.value), true),
    column(t.cpuShare, ({ figure }) => time(figure.cpuMicroseconds), true),
    column(t.floor, ({ floor }) => time(floor), true),
    column(
      t.target,
      ({ target }) =>
        target.ofLookup === undefined
          ? time(target.target)
          : `≤ ${fixed(words.language, target.ofLookup, 2)} × ${t.ofLookup}`,
      true,
    ),
    column(t.stretch, ({ target }) => time(target.stretch), true),
    column("PyTorch", ({ torch }) => time(torch), true),
    column(t.dispatches, ({ figure }) => count(figure.dispatched?.length), true),
    column(t.verdict, ({ met, share, figure }) => [
      words.verdict(met),
      share !== undefined && ` (${fixed(words.language, share, 2)} ×)`,
      figure.checked === false && h("small", ` ${t.unchecked}`),
    ]),
  ];
  const rest = baselineFigures(report);
  const more: Column<Figure>[] = [
    column("kernel", ({ what }) => h("code", what)),
    column("N × D", words.shape, true),
    column(t.time, words.value, true),
    column(t.range, words.range, true),
    column(
      "GB/s",
      ({ bytes, value }) => (bytes === undefined ? "–" : short(words.language, bytes / value / 1_000)),
      true,
    ),
    column(t.retries, ({ retries }) => count(retries), true),
  ];
  return section(
    t.targets,
    t.targetsNote,
    words.table(t.targets, columns, rows),
    rest.length > 0 &&
      h("details", h("summary", `${t.baselines} (${count(rest.length)})`), words.table(t.baselines, more, rest)),
  );
}

const PLOT = { width: 720, height: 420 };

function growth(words: Words, report: Report): HTMLElement | undefined {
  const { t, language } = words;
  const grown = curves(report);
  if (!grown.curves.some(({ points }) => points.length > 0)) return undefined;
  const lengths = [...new Set(grown.curves.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const series: Series[] = grown.curves.map(({ name, points }, i) => ({ name, points, style: `k${i % 4}` }));
  if (grown.floor) series.push({ ...grown.floor, name: t.floor, style: "k0", floor: true });
  const root = svg("svg", { class: "plot", role: "img", "aria-label": t.growth });
  drawPlot(root, series, {
    ...PLOT,
    ticks: lengths,
    at: undefined,
    xText: (n) => (n >= 1_024 ? `${n / 1_024}Ki` : String(n)),
    yText: words.tick,
    xName: "N",
  });
  const columns: Column<number>[] = [
    column("N", words.count, true),
    ...grown.curves.map(({ name, points }) =>
      column<number>(
        name,
        (n) => {
          const point = points.find(({ x }) => x === n);
          return point ? short(language, (point.y * 1_000) / n) : "–";
        },
        true,
      ),
    ),
  ];
  return section(
    t.growth,
    t.growthNote,
    h("figure", root),
    h("h3", t.perToken),
    words.table(t.perToken, columns, lengths),
  );
}

function rivals(words: Words, report: Report): HTMLElement | undefined {
  const { t, time, language } = words;
  const rows = rivalRows(report);
  if (rows.length === 0) return undefined;
  type Row = (typeof rows)[number];
  return section(
    t.rivals,
    t.rivalsNote,
    words.table<Row>(
      t.rivals,
      [
        column(t.what, ({ operation }) => t[operation]),
        column(t.by, ({ by }) => by),
        column(t.called, ({ named }) => h("code", named)),
        column("N × D", words.shape, true),
        column(t.wall, ({ wall }) => time(wall), true),
        column(t.markers, ({ markers }) => time(markers), true),
        column(t.times, ({ times }) => (times === undefined ? "–" : `${short(language, times)} ×`), true),
      ],
      rows,
    ),
  );
}

function plain(words: Words, report: Report, part: PlainPart): HTMLElement | undefined {
  const { t } = words;
  const figures = report.figures.filter((figure) => figure.part === part);
  if (figures.length === 0) return undefined;
  const remarks = ({ tokens, clock, remark }: Figure): string =>
    [tokens && tokens !== "zipf" ? t[tokens] : "", clock === "gpu markers" ? t.markers : "", remark]
      .filter(Boolean)
      .join(", ");
  const columns: (Column<Figure> | false)[] = [
    column(t.what, (figure) => [figure.what, remarks(figure) && h("small", ` ${remarks(figure)}`)]),
    column(t.by, ({ by }) => by),
    column("N × D", words.shape, true),
    column(t.value, words.value, true),
    column(t.range, words.range, true),
    figures.some(({ target }) => target !== undefined) &&
      column(
        t.target,
        (figure) => (figure.target === undefined ? "–" : words.value({ ...figure, value: figure.target })),
        true,
      ),
    figures.some((figure) => figureTorch(report, figure) !== undefined) &&
      column("PyTorch", (figure) => words.time(figureTorch(report, figure)), true),
    figures.some(({ target }) => target !== undefined) &&
      column(t.verdict, (figure) => words.verdict(figureMet(report, figure))),
  ];
  return section(
    t[part],
    t[`${part}Note`],
    words.table(
      t[part],
      columns.filter((made) => made !== false),
      figures,
    ),
  );
}

function checks(words: Words, report: Report): HTMLElement | undefined {
  const { t } = words;
  if (report.checks.length === 0) return undefined;
  type Row = Report["checks"][number];
  const columns: Column<Row>[] = [
    column(t.by, ({ by }) => by),
    column(t.what, ({ what }) => h("code", what)),
    column("N × D", words.shape, true),
    column(t.spreadOfTokens, ({ tokens }) => (tokens ? t[tokens] : "–")),
    column(t.verdict, ({ ok }) => h("span", { class: ok ? "good" : "bad" }, ok ? t.right : t.wrong)),
    column(t.comparison, ({ text }) => text),
  ];
  // Reports from before say nothing of it.
  const compared = report.figures.filter(({ checked }) => checked !== undefined);
  const all = compared.every(({ checked }) => checked);
  const more = compared.length === 0 ? "" : all ? t.checksAtLength : t.checksNotAll;
  return section(t.checks, `${t.checksNote} ${more}`.trim(), words.table(t.checks, columns, report.checks));
}

function failureTable(words: Words, report: Report): HTMLElement | undefined {
  const { t } = words;
  const rows = failures(report);
  if (rows.length === 0) return undefined;
  const columns: Column<(typeof rows)[number]>[] = [
    column(t.by, ({ by }) => by),
    column(t.what, ({ what }) => what),
    column(t.reason, ({ message }) => message),
  ];
  return section(t.failures, "", words.table(t.failures, columns, rows));
}
