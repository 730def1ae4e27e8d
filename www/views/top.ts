// The bar at the top: which device computes, language, appearance, reset, and the link for the class.
import { link } from "../address";
import { h, icon, type Kid } from "../dom";
import { reset } from "../settings";
import type { State, Theme } from "../state";
import { segment } from "../ui";
import { undoOf } from "../undo";
import { badge } from "./badge";
import { say, toast } from "./toast";

export function topView(container: HTMLElement, state: State): void {
  const { t } = state;
  container.append(
    h(
      "div",
      h(
        "a",
        { class: "brand", href: "#s0" },
        logo(),
        h("span", () => t.value.brand),
      ),
      badge(state),
      languages(state),
      looks(state),
      h(
        "button",
        {
          class: "btn",
          id: "reset",
          type: "button",
          title: () => t.value.resetHint,
          "aria-label": () => t.value.reset,
          onclick: () => {
            undoOf(state).change(() => reset(state), "settings");
            say(state, { text: () => t.value.wasReset, undo: true });
          },
        },
        icon("reset"),
        h("span", () => t.value.reset),
      ),
      h(
        "button",
        {
          class: "btn",
          id: "copy-link",
          type: "button",
          "aria-label": () => t.value.copyLink,
          onclick: () => void copyLink(state),
        },
        icon("link"),
        h("span", () => t.value.copyLink),
      ),
      toast(state),
    ),
  );
}

function languages(state: State): HTMLElement {
  const choice = (lang: "tr" | "en", short: string, name: string) => ({
    value: lang,
    label: () => short,
    name: () => name,
    on: () => state.wanted.value === lang,
    act: () => {
      state.wanted.value = lang;
    },
  });
  return segment("lang", () => state.t.value.language, [choice("tr", "TR", "Türkçe"), choice("en", "EN", "English")]);
}

function looks(state: State): HTMLElement {
  const { t } = state;
  const choice = (theme: Theme, drawing: string, name: () => string) => ({
    value: theme || "system",
    label: () => icon(drawing),
    name,
    on: () => state.theme.value === theme,
    act: () => {
      state.theme.value = theme;
    },
  });
  return segment("theme", () => t.value.appearance, [
    choice("light", "sun", () => t.value.light),
    choice("dark", "moon", () => t.value.dark),
    choice("", "auto", () => t.value.system),
  ]);
}

/** Into the clipboard, or, where a frame or a browser has none, into a field to be copied from by hand. */
async function copyLink(state: State): Promise<void> {
  const { t } = state;
  const { href, carried, length } = link(state, location);
  const cut = carried < length;
  try {
    await navigator.clipboard.writeText(href);
    say(state, { text: () => (cut ? t.value.linkTooLong(carried) : t.value.copied) });
  } catch {
    say(state, { text: () => (cut ? t.value.linkByHandCut(carried) : t.value.linkByHand), link: href });
  }
}

function logo(): Kid {
  const template = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  template.setAttribute("viewBox", "0 0 24 24");
  template.setAttribute("aria-hidden", "true");
  const paths = [
    ["M2 3h20v4H2zM2 17h20v4H2z", "--count-2"],
    ["M2 10h6v4H2z", "--value-7"],
    ["M9 10h6v4H9z", "--value-3"],
    ["M16 10h6v4h-6z", "--value-1"],
  ] as const;
  for (const [d, colour] of paths) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", d);
    path.style.setProperty("fill", `var(${colour})`);
    template.append(path);
  }
  return template;
}
