// Wires state to views: address → state, state → sections, pointer and keys → the token that is lit everywhere.
import { effect, signal } from "@preact/signals-core";
import { anchorOf, fromAddress, keepAddress } from "./address";
import { byId, near } from "./dom";
import { start } from "./engine/start";
import { linkTokens } from "./linking";
import { followLook, speak } from "./look";
import { fetchWhenIdle } from "./paper";
import { pause } from "./schedule";
import { followSections, goTo, goWhereAsked } from "./sections";
import { createState, type State } from "./state";
import { notice } from "./ui";
import { heroView } from "./views/hero";
import { railView } from "./views/rail";
import { tokensView } from "./views/tokens";
import { topView } from "./views/top";
import { vectorsView } from "./views/vectors";

type View = (container: HTMLElement, state: State) => void;
type Views = readonly (readonly [string, View])[];

/** The first screen; everything else is in later.ts. */
const VIEWS: Views = [
  ["top", topView],
  ["rail", railView],
  ["s0", heroView],
  ["s1", tokensView],
  ["s2", vectorsView],
];

/** Has the browser bring its GPU process up and its driver in while the wasm is still on its way. */
function wakeGpu(): void {
  try {
    navigator.gpu?.requestAdapter({ powerPreference: "high-performance" }).catch(() => {});
  } catch {
    // The engine asks in earnest, and tells.
  }
}

async function main(): Promise<void> {
  wakeGpu();
  const state = createState();
  fromAddress(state, location);
  const asked = anchorOf(location) ?? `s${state.section.peek()}`;
  followLook(state);
  await speak(state);
  let want = () => {};
  const wanted = new Promise<void>((resolve) => {
    want = resolve;
  });
  const later = wanted.then(() => loadLater(state));
  const computing = start(state, later);
  await mount(VIEWS, state);
  const early = /^s[0-2]$/.test(asked);
  if (!early) {
    want();
    await mountLater(later, state);
  }
  linkTokens(state);
  const visits = keepAddress(state, () => goWhereAsked(state));
  followSections(state, visits);
  if (asked !== "s0") goTo(state, asked, false);
  if (early) {
    await laterWanted(state);
    want();
    await mountLater(later, state);
  }
  await computing;
  fetchWhenIdle();
}

/** Fetches what follows the first lookup, and shows what belongs to the page being ready. */
async function loadLater(state: State): Promise<typeof import("./later")> {
  const later = await import("./later");
  later.dress();
  await mount(later.SOON, state);
  return later;
}

async function mountLater(later: Promise<typeof import("./later")>, state: State): Promise<void> {
  try {
    await mount((await later).LATER, state);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    byId("s3").append(notice({ kind: "warning", text: () => `${state.t.value.failed} ${why}` }));
    if (state.phase.peek() === "loading") state.phase.value = "failed";
  }
}

/** Milliseconds of waiting for the vectors, after which a slow network gets the rest of the page first. */
const PATIENCE = 3_000;

/** Later sections must not delay the first lookup: they come after it, or when the reader is on the way to them. */
function laterWanted(state: State): Promise<void> {
  const seen = near(byId("s3"));
  const slow = signal(false);
  return new Promise((resolve) => {
    const marks = new PerformanceObserver((list) => {
      if (list.getEntriesByName("gomme:first-lookup").length > 0) done();
    });
    marks.observe({ type: "mark", buffered: true });
    const timer = setInterval(() => {
      const { loaded, total } = state.progress.peek();
      slow.value = state.device.peek() !== undefined && (total === 0 || loaded < total);
    }, PATIENCE);
    const stop = effect(() => {
      const failed = state.vectors.value === "failed" || state.phase.value === "failed";
      if (failed || seen.value || slow.value || state.section.value > 2) setTimeout(done);
    });
    const done = () => {
      clearInterval(timer);
      marks.disconnect();
      stop();
      resolve();
    };
  });
}

/** One section a task: input and painting come first. */
async function mount(views: Views, state: State): Promise<void> {
  for (const [id, view] of views) {
    view(byId(id), state);
    await pause();
  }
}

void main();
