// What stays in sight: the sections, and the token that is selected, with its numbers.
import { h, type Kid, watch } from "../dom";
import { drawStrip } from "../draw/heat";
import { count } from "../format";
import { D, SECTIONS, type State } from "../state";
import { chip, pieceOf } from "./token";

export function railView(container: HTMLElement, state: State): void {
  const { t, lang } = state;
  container.append(
    h(
      "nav",
      { class: "flow", "aria-label": () => t.value.sections },
      Array.from({ length: SECTIONS }, (_, i) => i + 1).map((n) =>
        h(
          "a",
          {
            href: `#s${n}`,
            "aria-current": () => (state.section.value === n ? "true" : undefined),
          },
          h("b", n),
          " ",
          h("span", () => t.value.short[n] ?? ""),
        ),
      ),
    ),
  );
  // Where the sections are one line, the current one is scrolled to its middle.
  const flow = container.querySelector<HTMLElement>(".flow");
  watch(() => {
    const current = flow?.children[state.section.value - 1];
    if (!flow || !(current instanceof HTMLElement) || flow.scrollWidth <= flow.clientWidth) return;
    flow.scrollTo({ left: current.offsetLeft - (flow.clientWidth - current.offsetWidth) / 2 });
  });
  const strip = h("canvas", { "aria-hidden": "true" });
  watch(() => {
    state.look.value;
    const row = chosenRow(state);
    strip.hidden = !row;
    if (row) drawStrip(strip, row, 0.15);
  });
  container.append(
    h(
      "aside",
      { class: "held", id: "held", "aria-label": () => t.value.held.label },
      (): Kid => {
        const place = state.shown.value;
        const tokens = state.tokens.value;
        if (!place || !tokens) return h("p", t.value.held.none);
        const spots = state.positions.value.get(place.id) ?? [];
        const gradient = state.gradient.value?.tokens === tokens ? state.gradient.value.result : undefined;
        const u = gradient?.rows.indexOf(place.id) ?? -1;
        const piece = tokens.pieces[place.s >= 0 ? place.s : (spots[0] ?? -1)] ?? pieceOf(state, place.id);
        const number = (values: Uint32Array | undefined) =>
          u >= 0 && values ? count(lang.value, values[u] ?? 0) : "–";
        const row = (name: string, value: string) => h("div", h("dt", name), h("dd", value));
        return [
          chip(state, place.id, piece, { tiny: true }),
          h(
            "dl",
            row(t.value.held.at, spots.length ? t.value.held.and(spots.slice(0, 3).join(", "), spots.length - 3) : "–"),
            row(t.value.held.hits, u >= 0 ? number(gradient?.hits) : spots.length ? "0" : "–"),
            row(t.value.held.adds, number(gradient?.adds)),
            row(t.value.held.retries, number(gradient?.retries)),
          ),
        ];
      },
      strip,
    ),
  );
}

/** The 384 numbers of the row that is shown, once the table is there. */
export function chosenRow(state: State): Float32Array | undefined {
  const place = state.shown.value;
  const lookup = state.lookup.value;
  if (!place || !lookup) return undefined;
  const s = place.s >= 0 ? place.s : lookup.tokens.ids.indexOf(place.id);
  if (s < 0 || s >= lookup.tokens.ids.length || lookup.tokens.ids[s] !== place.id) return undefined;
  return lookup.out.subarray(s * D, (s + 1) * D);
}
