// The benchmark page: reads the address, runs the suite, shows what it gives.
//
//   ?run                 begin at once; `collect` implies it
//   ?collect             POST each figure to /log and the report to /result
//   ?parts=a,b           check,targets,growth,skew,ratio,call,tokenizer,rivals,startup (default: all)
//   ?n=8192 &from=512    longest and shortest sequence
//   ?samples=20 &ms=10 &warm=200    samples, least length of one, warm-up before each
//   ?cas=262144          longest sequence of the compare-exchange loop
//   ?rivals=tfjs,jax,ort,hf         or `none`
//   ?limit=180           seconds after which no measurement begins
//   ?quick               short sequences and few samples, for software adapters
//   ?torch=torch.json    the twin's figures beside ours, from a file beside the page
//   ?show=a.json,b.json  shows stored reports (the first with the figures of the others) and measures nothing
//   ?lang=en|tr

import { watchDevices } from "./meter";
import { type Part, Recorder, type Report, type TorchReport } from "./report";
import { type Language, strings } from "./strings";
import { type Package, parts, type Settings, Suite } from "./suite";
import { show } from "./view";
import { VOCABULARY } from "./workload";

declare global {
  interface Window {
    /** For scripts: the finished report. */
    gommeReport?: Report;
  }
}

const query = new URLSearchParams(location.search);
const beside = (path: string): string => new URL(path, document.baseURI).href;

function language(): Language {
  const asked = query.get("lang");
  if (asked === "tr" || asked === "en") return asked;
  return navigator.language.startsWith("tr") ? "tr" : "en";
}

function settings(): Settings {
  const quick = query.has("quick");
  const number = (name: string, otherwise: number): number => {
    const given = Number(query.get(name) ?? otherwise);
    if (!Number.isFinite(given) || given < 0) throw new Error(`?${name}: a number, not "${query.get(name)}"`);
    return given;
  };
  const list = (name: string): string[] | undefined => query.get(name)?.split(",").filter(Boolean);
  const asked = list("parts") ?? parts;
  for (const part of asked) {
    if (!(parts as readonly string[]).includes(part))
      throw new Error(`?parts: no part "${part}"; there are ${parts.join(", ")}`);
  }
  const rivals = list("rivals") ?? ["tfjs", "jax", "ort", "hf"];
  return {
    parts: new Set(asked as Part[]),
    longest: number("n", quick ? 4_096 : 1_048_576),
    shortest: number("from", 1),
    samples: Math.max(1, number("samples", quick ? 3 : 20)),
    minMilliseconds: number("ms", quick ? 2 : 10),
    warmMilliseconds: number("warm", quick ? 0 : 200),
    longestCas: number("cas", 262_144),
    limitSeconds: number("limit", 3_600),
    rivalSeconds: number("rivalseconds", quick ? 2 : 4),
    rivals: rivals.includes("none") ? [] : rivals,
  };
}

const root = document.documentElement;
const lang = language();
const t = strings[lang];
const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
};

function say(text: string): void {
  byId("status").textContent = text;
}

async function fetchJson<T>(path: string): Promise<T> {
  const response = await fetch(beside(path));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}

/** Stored reports as one: the first one's facts, everyone's figures. */
async function stored(paths: readonly string[]): Promise<Report> {
  const [first, ...others] = await Promise.all(paths.map((path) => fetchJson<Report>(path)));
  if (!first) throw new Error("?show: no report named");
  for (const { inputs, checks, figures, failures, torch } of others) {
    first.inputs.push(...inputs);
    first.checks.push(...checks);
    first.figures.push(...figures);
    first.failures.push(...failures);
    first.torch ??= torch;
  }
  return first;
}

async function measureAll(): Promise<void> {
  byId("start").hidden = true;
  root.dataset.state = "running";
  const results = byId("results");
  // A figure may come every few milliseconds; the page is drawn again at most four times a second.
  let drawn = 0;
  const recorder = new Recorder(query.has("collect"), location.search, VOCABULARY, (report) => {
    say(`${t.running} · ${report.seconds} ${t.minutes} · ${report.figures.length}`);
    if (performance.now() - drawn < 250) return;
    drawn = performance.now();
    show(results, report, lang);
  });
  try {
    watchDevices();
    const torch = query.get("torch");
    if (torch) recorder.report.torch = await fetchJson<TorchReport>(torch);
    const pkg = (await import(beside("pkg/gomme.js"))) as Package;
    await pkg.default();
    await new Suite(pkg, settings(), recorder, beside).run();
    root.dataset.state = "ready";
    say(t.done);
  } catch (error) {
    recorder.failure({ part: "check", by: "bench", what: "run", message: String(error) });
    root.dataset.state = "failed";
    say(`${t.failed}: ${error}`);
  }
  await recorder.finish();
  show(results, recorder.report, lang);
  offer(recorder.report);
  window.gommeReport = recorder.report;
}

function offer(report: Report): void {
  const link = byId("save") as HTMLAnchorElement;
  link.href = URL.createObjectURL(new Blob([JSON.stringify(report, null, 1)], { type: "application/json" }));
  link.download = `gomme-${report.browser.split(" ")[0]?.toLowerCase()}-${report.date.slice(0, 10)}.json`;
  link.hidden = false;
}

function main(): void {
  root.lang = lang;
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) {
    element.textContent = t[element.dataset.text as keyof typeof t];
  }
  const other = byId("language") as HTMLAnchorElement;
  const there = new URLSearchParams(query);
  there.set("lang", lang === "tr" ? "en" : "tr");
  other.href = `?${there}`;
  other.lang = lang === "tr" ? "en" : "tr";
  document.title = `Gömme · ${t.title}`;

  const paths = query.get("show")?.split(",");
  if (paths) {
    byId("start").hidden = true;
    say("");
    stored(paths).then(
      (report) => {
        show(byId("results"), report, lang);
        root.dataset.state = "ready";
      },
      (error: unknown) => say(String(error)),
    );
    return;
  }
  byId("start").addEventListener("click", () => void measureAll());
  if (query.has("run") || query.has("collect")) void measureAll();
}

main();
