// The recording page: measures what sections 4 to 6 measure, and gives it as one JSON file.
//
//   ?collect             begin at once, POST progress to /log and the recording to /result
//   ?adapter=NVIDIA…     the card's name, which browsers hide or shorten
//   ?commit=abc1234      of the page, where the build did not know it
//   ?limit=90            seconds after which no measurement begins
import { browserName } from "../browser-name";
import init from "../pkg/gomme.js";
import type { Recording } from "./recording";
import { record } from "./run";

declare const COMMIT: string;
declare global {
  interface Window {
    /** For scripts: the finished recording. */
    gommeRecording?: Recording;
  }
}

const query = new URLSearchParams(location.search);
const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
};

async function post(path: "log" | "result", body: object): Promise<void> {
  if (!query.has("collect")) return;
  try {
    await fetch(`/${path}`, { method: "POST", body: JSON.stringify(body) });
  } catch {
    // Nobody listens: the page still offers the file.
  }
}

async function run(): Promise<void> {
  const root = document.documentElement;
  root.dataset.state = "running";
  (byId("start") as HTMLButtonElement).disabled = true;
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 100) / 10;
  const limit = Number(query.get("limit") ?? 90);
  const failures: string[] = [];
  const say = (what: string) => {
    byId("status").textContent = what;
    void post("log", { s: seconds(), what });
  };
  const failed = (what: string) => {
    failures.push(what);
    say(what);
  };
  try {
    await init();
    const { adapter, ...parts } = await record({ stopped: () => seconds() > limit, say, failed });
    const named = query.get("adapter") ?? "";
    const recording: Recording = {
      format: 1,
      adapter: {
        // Browsers tell the maker, or nothing; whoever records knows the card.
        name: named || adapter?.name || (adapter ? "" : "CPU"),
        software: adapter?.software ?? true,
        named: named ? "recorder" : "browser",
      },
      browser: browserName(navigator.userAgent),
      date: new Date().toISOString(),
      commit: query.get("commit") ?? COMMIT,
      seconds: seconds(),
      ...parts,
      failures,
    };
    window.gommeRecording = recording;
    offer(recording);
    root.dataset.state = "ready";
    say(`done in ${recording.seconds} s`);
    await post("result", recording);
  } catch (error) {
    root.dataset.state = "failed";
    failed(String(error));
    await post("result", { format: 1, failures });
  }
}

function offer(recording: Recording): void {
  const link = byId("save") as HTMLAnchorElement;
  link.href = URL.createObjectURL(new Blob([`${JSON.stringify(recording)}\n`], { type: "application/json" }));
  const browser = recording.browser.split(" ")[0]?.toLowerCase();
  link.download = `recorded-${browser}-${recording.date.slice(0, 10)}.json`;
  link.hidden = false;
}

byId("start").addEventListener("click", () => void run());
if (query.has("collect")) void run();
