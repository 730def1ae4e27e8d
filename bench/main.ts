// The benchmark page: reads the address (all its switches are listed in settings.ts), runs the suite, shows what it gives.

import { signal } from "@preact/signals-core";
import { watch } from "../www/dom";
import type { Language } from "../www/format";
import { Bench, message, type Package } from "./bench";
import { watchDevices } from "./devices";
import { Recorder, type Report, type TorchReport } from "./report";
import { settings } from "./settings";
import { readStored } from "./stored";
import { strings } from "./strings";
import { runSuite } from "./suite";
import { type Shown, view } from "./view";

declare global {
  interface Window {
    /** For scripts: the finished report. */
    gommeReport?: Report;
  }
}

/** The page is drawn again at most this often: a figure may come every few milliseconds. */
const REDRAW_MILLISECONDS = 250;

const query = new URLSearchParams(location.search);
const beside = (path: string): string => new URL(path, document.baseURI).href;
const root = document.documentElement;

function language(): Language {
  const asked = query.get("lang");
  if (asked === "tr" || asked === "en") return asked;
  return navigator.language.startsWith("tr") ? "tr" : "en";
}

const lang = language();
const t = strings[lang];

function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
}

function say(text: string): void {
  byId("status").textContent = text;
}

async function fetchJson<T>(path: string): Promise<T> {
  const response = await fetch(beside(path));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}

/** What the page shows; a new array draws it again. */
const shown = signal<readonly Shown[]>([]);

async function measureAll(): Promise<void> {
  byId("start").hidden = true;
  root.dataset.state = "running";
  let drawn = 0;
  const recorder = new Recorder(query.has("collect"), location.search, (report) => {
    say(`${t.running} · ${report.seconds} ${t.seconds} · ${report.figures.length}`);
    if (performance.now() - drawn < REDRAW_MILLISECONDS) return;
    drawn = performance.now();
    shown.value = [{ report }];
  });
  const { report } = recorder;
  try {
    const asked = settings(query);
    watchDevices();
    const torch = query.get("torch");
    if (torch) report.torch = await fetchJson<TorchReport>(torch);
    const pkg = (await import(beside("pkg/gomme.js"))) as Package;
    const { memory } = await pkg.default();
    await runSuite(new Bench(pkg, asked, recorder, beside, memory));
    root.dataset.state = "ready";
    say(t.done);
  } catch (error) {
    recorder.failure({ part: "check", by: "bench", what: "run", message: message(error) });
    root.dataset.state = "failed";
    say(`${t.failed}: ${message(error)}`);
  }
  await recorder.finish();
  shown.value = [{ report }];
  offer(report);
  window.gommeReport = report;
}

function offer(report: Report): void {
  const link = byId("save") as HTMLAnchorElement;
  link.href = URL.createObjectURL(new Blob([JSON.stringify(report, null, 1)], { type: "application/json" }));
  link.download = `gomme-${report.browser.split(" ")[0]?.toLowerCase()}-${report.date.slice(0, 10)}.json`;
  link.hidden = false;
}

async function showStored(paths: readonly string[]): Promise<void> {
  byId("start").hidden = true;
  say("");
  try {
    shown.value = await readStored(paths, (path) => fetchJson<Report>(path));
    root.dataset.state = "ready";
  } catch (error) {
    root.dataset.state = "failed";
    say(message(error));
  }
}

function main(): void {
  const stored = query.get("show");
  root.lang = lang;
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) {
    element.textContent = t[element.dataset.text as keyof typeof t];
  }
  if (stored !== null) byId("lead").textContent = t.leadStored;
  const other = byId("language") as HTMLAnchorElement;
  const there = new URLSearchParams(query);
  there.set("lang", lang === "tr" ? "en" : "tr");
  other.href = `?${there}`;
  other.lang = lang === "tr" ? "en" : "tr";
  document.title = `Gömme · ${t.title}`;
  watch(() => byId("results").replaceChildren(...view(shown.value, lang)));

  if (stored !== null) {
    void showStored(stored.split(",").filter(Boolean));
    return;
  }
  byId("start").addEventListener("click", () => void measureAll());
  if (query.has("run") || query.has("collect")) void measureAll();
}

main();
