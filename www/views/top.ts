// The bar at the top: which device computes, language, appearance, reset, and the link for the class.
import { signal } from "@preact/signals-core";
import { link } from "../address";
import { h, icon, type Kid, rich, watch } from "../dom";
import { megabytes } from "../format";
import { LINK_LIMIT, reset, type State, type Theme } from "../state";

export function topView(container: HTMLElement, state: State): void {
  const { t } = state;
  const note = signal<string | undefined>(undefined);
  const say = (text: string) => {
    note.value = text;
    setTimeout(() => {
      note.value = undefined;
    }, 4000);
  };
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
      segment(() => t.value.language, "lang", [
        ["tr", () => "TR", () => state.wanted.value === "tr", () => (state.wanted.value = "tr"), "Türkçe"],
        ["en", () => "EN", () => state.wanted.value === "en", () => (state.wanted.value = "en"), "English"],
      ]),
      segment(
        () => t.value.appearance,
        "theme",
        (
          [
            ["light", "sun", () => t.value.light],
            ["dark", "moon", () => t.value.dark],
            ["", "auto", () => t.value.system],
          ] as const
        ).map(([theme, drawing, name]) => [
          theme || "system",
          () => icon(drawing),
          () => state.theme.value === theme,
          () => (state.theme.value = theme as Theme),
          name,
        ]),
      ),
      h(
        "button",
        {
          class: "btn",
          id: "reset",
          type: "button",
          title: () => t.value.resetHint,
          "aria-label": () => t.value.reset,
          onclick: () => reset(state),
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
          onclick: async () => {
            try {
              await navigator.clipboard.writeText(link(state));
              const long = state.head.value.length + state.tail.value.length > LINK_LIMIT;
              say(long ? t.value.linkTooLong(LINK_LIMIT) : t.value.copied);
            } catch {
              history.replaceState(null, "", link(state));
              say(t.value.copyFailed);
            }
          },
        },
        icon("link"),
        h("span", () => t.value.copyLink),
      ),
      h("span", { class: "toast", id: "toast", role: "status" }, () => note.value ?? ""),
    ),
  );
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

type Option = readonly [
  value: string,
  label: () => Kid,
  on: () => boolean,
  act: () => void,
  name: string | (() => string),
];

/** Radio buttons as one bar. */
export function segment(label: () => string, name: string, options: readonly Option[]): Kid {
  return h(
    "div",
    { class: `seg ${name}`, role: "radiogroup", "aria-label": label },
    options.map(([value, text, on, act, title]) => {
      const input = h("input", {
        id: `${name}-${value}`,
        type: "radio",
        name,
        value,
        "aria-label": typeof title === "string" ? title : () => title(),
        onchange: act,
      });
      watch(() => {
        input.checked = on();
      });
      return [
        input,
        h("label", { for: `${name}-${value}`, title: typeof title === "string" ? title : () => title() }, text),
      ];
    }),
  );
}

function badge(state: State): Kid {
  const { t, lang } = state;
  const warns = () => {
    const device = state.device.value;
    return (
      state.phase.value === "failed" ||
      (device !== undefined && (device.backend === "cpu" || device.adapter?.software === true))
    );
  };
  const text = () => {
    const device = state.device.value;
    if (state.phase.value === "failed") return t.value.badge.failed;
    if (!device) return t.value.badge.starting;
    if (device.backend === "cpu") return t.value.badge.cpu;
    return device.adapter?.software
      ? t.value.badge.software(shortName(device.adapter.name))
      : device.adapter?.name || t.value.badge.gpu;
  };
  const root = h(
    "details",
    { class: () => `badge${warns() ? " warn" : ""}`, id: "badge" },
    h("summary", () => icon(warns() ? "warn" : "chip"), h("span", { id: "adapter" }, text)),
    h("dl", () => facts(state)),
  );
  // It opens over the page, so it closes like a menu.
  document.addEventListener("click", (event) => {
    if (event.target instanceof Node && !root.contains(event.target)) root.open = false;
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    root.open = false;
    root.querySelector("summary")?.focus();
  });
  return root;

  function facts(state: State): Kid {
    const device = state.device.value;
    if (!device) return undefined;
    const row = (name: Kid, ...value: Kid[]) => [h("dt", name), h("dd", ...value)];
    const b = t.value.badge;
    if (device.backend === "cpu" || !device.adapter) {
      const code = device.fallback?.code;
      return [
        row(b.why, rich(fallbackReason(state)), code ? [" ", h("code", code)] : null),
        row(b.how, rich(isSecureContext ? b.howIn[browser()] : b.howIn.insecure)),
        h("dd", { class: "wide" }, b.cpuNote),
      ];
    }
    const a = device.adapter;
    return [
      row(b.adapter, a.name || b.hidden),
      a.software ? h("dd", { class: "wide" }, b.inSoftware) : null,
      row(h("code", "shader-f16"), rich(a.shaderF16 ? b.f16Yes : b.f16No)),
      row(b.clock, a.timestamps ? b.yes : b.no),
      row(b.buffer, megabytes(lang.value, a.maxBufferBytes, 0)),
    ];
  }
}

/** Why the CPU twin runs, in the page's words. */
export function fallbackReason(state: State): string {
  const { reason } = state.t.value.badge;
  if (!isSecureContext) return reason.insecure;
  const code = state.device.value?.fallback?.code;
  return code === "no-webgpu" || code === "no-adapter" ? reason[code] : reason.other;
}

/** The part of an adapter's name that people know it by. */
export function shortName(name: string): string {
  return /SwiftShader|llvmpipe|lavapipe|WARP|Basic Render/i.exec(name)?.[0] ?? name;
}

function browser(): "firefox" | "chromium" | "safari" | "other" {
  const agent = navigator.userAgent;
  if (/Firefox\//.test(agent)) return "firefox";
  if (/Chrome\//.test(agent)) return "chromium";
  return /Safari\//.test(agent) ? "safari" : "other";
}
