// Wires state to views: address → state, state → sections, pointer and keys → the token that is lit everywhere.
import { effect } from "@preact/signals-core";
import { anchorOf, fromAddress, keepAddress } from "./address";
import { byId, near } from "./dom";
import { start } from "./engine/start";
import { linkTokens } from "./linking";
import { followLook, speak } from "./look";
import { pause } from "./schedule";
import { followSections, goTo, goWhereAsked } from "./sections";
import { createState, type State } from "./state";
import { notice } from "./ui";
import { footView } from "./views/foot";
import { gradientView } from "./views/gradient";
import { heroView } from "./views/hero";
import { hitsView } from "./views/hits";
import { railView } from "./views/rail";
import { tokensView } from "./views/tokens";
import { topView } from "./views/top";
import { vectorsView } from "./views/vectors";

type View = (container: HTMLElement, state: State) => void;

const VIEWS: readonly (readonly [string, View])[] = [
  ["top", topView],
  ["rail", railView],
  ["s0", heroView],
  ["s1", tokensView],
  ["s2", vectorsView],
  ["s3", gradientView],
  ["s3", hitsView],
  ["foot", footView],
];

async function main(): Promise<void> {
  const state = createState();
  fromAddress(state, location);
  const asked = anchorOf(location) ?? `s${state.section.peek()}`;
  followLook(state);
  await speak(state);
  const computing = start(state);
  await mount(VIEWS, state);
  const early = /^s[0-3]$/.test(asked);
  if (!early) await mountLater(state);
  linkTokens(state);
  followSections(state);
  keepAddress(state, () => goWhereAsked(state));
  if (asked !== "s0") goTo(state, asked, false);
  if (early) {
    await laterWanted(state);
    await mountLater(state);
  }
  await computing;
}

async function mountLater(state: State): Promise<void> {
  await mount(await import("./later").then(({ LATER }) => LATER, missing), state);
}

/** Later sections must not delay the first lookup: they come after it, or when the reader is on the way to them. */
function laterWanted(state: State): Promise<void> {
  const seen = near(byId("s4"));
  return new Promise((resolve) => {
    const marks = new PerformanceObserver((list) => {
      if (list.getEntriesByName("gomme:first-lookup").length > 0) done();
    });
    marks.observe({ type: "mark", buffered: true });
    const stop = effect(() => {
      const failed = state.vectors.value === "failed" || state.phase.value === "failed";
      if (failed || seen.value || state.section.value > 3) setTimeout(done);
    });
    const done = () => {
      marks.disconnect();
      stop();
      resolve();
    };
  });
}

/** Where the later sections would be: why they are not. */
function missing(error: unknown): readonly (readonly [string, View])[] {
  const told: View = (container, state) => {
    const why = error instanceof Error ? error.message : String(error);
    container.append(notice({ kind: "warning", text: () => `${state.t.value.failed} ${why}` }));
  };
  return [["s4", told]];
}

/** One section a task: input and painting come first. */
async function mount(views: readonly (readonly [string, View])[], state: State): Promise<void> {
  for (const [id, view] of views) {
    view(byId(id), state);
    await pause();
  }
}

void main();
