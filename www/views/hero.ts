// The opening: a word, its number, its row, and news of the vectors and the device.
import { h, icon, type Kid, rich, watch } from "../dom";
import { drawStrip } from "../draw/heat";
import { megabytes } from "../format";
import type { State } from "../state";
import { notice } from "../ui";
import { fallbackReason } from "./badge";
import { TABLE_LIMIT } from "./heatmap";
import { chosenRow } from "./rail";
import { gloss, pieceOf, pieceText, spoken } from "./token";

export function heroView(container: HTMLElement, state: State): void {
  const { t } = state;
  container.append(
    h("h1", () => t.value.hero.title),
    h("p", { class: "lead" }, () => lead(state)),
    h("p", () => rich(t.value.hero.here)),
    h("p", { class: "needs" }, () => rich(t.value.hero.needs)),
    loop(state),
    path(state),
    ...news(state),
  );
}

/** What is said of the chosen token; before there are tokens, of the first one of the first text. */
function lead(state: State): string {
  const { hero } = state.t.value;
  const place = state.chosen.value;
  if (!place) return state.tokens.value ? hero.leadEmpty : hero.lead("“kedi”", "…");
  if (place.id >= state.vocabSize.value) return hero.leadOutside(String(place.id));
  const piece = state.tokens.value?.pieces[place.s] ?? "";
  return hero.lead(spoken(state, place.id, piece), String(place.id));
}

/** Word → number → row, of what is shown just now. */
function path(state: State): HTMLElement {
  const { t } = state;
  const piece = () => {
    const place = state.shown.value;
    if (!place) return "";
    const spot = place.s >= 0 ? place.s : (state.positions.value.get(place.id)?.[0] ?? -1);
    return state.tokens.value?.pieces[spot] ?? pieceOf(state, place.id);
  };
  const word = () => {
    const place = state.shown.value;
    return place ? pieceText(state, place.id, piece()).replace(/^▁(?=.)/, "") : "–";
  };
  const id = () => String(state.shown.value?.id ?? "–");
  const strip = h("canvas", { role: "img", "aria-label": () => t.value.hero.strip(word()) });
  watch(() => {
    state.look.value;
    const row = chosenRow(state);
    strip.classList.toggle("empty", !row);
    drawStrip(strip, row ?? [], TABLE_LIMIT);
  });
  const row = () => {
    if (state.vectors.value === "loading") return loading(state);
    if (state.vectors.value === "failed") return "–";
    const outside = (state.shown.value?.id ?? 0) >= state.vocabSize.value;
    return outside ? t.value.hero.zeroRow : t.value.hero.row(id());
  };
  return h(
    "div",
    { class: "path", id: "path" },
    h("span", { class: "word", translate: "no" }, word, () => gloss(state, piece())),
    arrow(),
    h("span", { class: "chip" }, h("span", { class: "mono" }, id)),
    arrow(),
    strip,
    progress(state),
    h("small", () => t.value.hero.word),
    h("small", () => t.value.hero.id),
    h("small", row),
  );
}

function loading(state: State): string {
  const { loaded, total } = state.progress.value;
  const megs = (bytes: number) => megabytes(state.lang.value, bytes);
  return state.t.value.loadingVectors(megs(loaded), total ? megs(total) : "…");
}

function progress(state: State): HTMLElement {
  const bar = h("progress", { id: "vectors-progress", max: 1, "aria-label": () => loading(state) });
  watch(() => {
    const { loaded, total } = state.progress.value;
    bar.value = total ? loaded / total : 0;
    bar.hidden = state.vectors.value !== "loading";
  });
  return bar;
}

function news(state: State): HTMLElement[] {
  const { t } = state;
  const warning = (id: string, text: () => Kid) => notice({ id, kind: "warning", text });
  return [
    warning("notice-cpu", () => {
      const { cpu, cpuNote } = t.value.badge;
      return state.device.value?.backend === "cpu" && [`${cpu}. `, fallbackReason(state), " ", rich(cpuNote)];
    }),
    // Where none came back, the notice above says so.
    warning(
      "notice-lost",
      () => state.losses.value > 0 && state.device.value?.backend !== "cpu" && t.value.lost(state.losses.value),
    ),
    warning("notice-vectors", () =>
      state.vectors.value === "failed" && state.phase.value !== "failed" ? t.value.vectorsFailed : undefined,
    ),
    warning("notice-failed", () => state.failure.value && rich(`${t.value.failed} ${state.failure.value}`)),
  ];
}

/** The whole job as a loop in Python, and what a GPU makes of it. */
function loop(state: State): HTMLElement {
  const hero = () => state.t.value.hero;
  return h(
    "div",
    { class: "loop", id: "loop" },
    h("p", () => hero().loop),
    h(
      "pre",
      { class: "code" },
      h("span", "for s in range(N):"),
      h(
        "span",
        "    out[s] = table[tokens[s]]  ",
        h("em", () => `# ${hero().loopForward}`),
      ),
      h(
        "span",
        "    grad[tokens[s]] += g[s]    ",
        h("em", () => `# ${hero().loopBackward}`),
      ),
    ),
    h("p", () => rich(hero().atOnce)),
  );
}

function arrow(): Kid {
  const made = icon("to");
  made.setAttribute("class", "arrow");
  return made;
}
