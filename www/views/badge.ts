// Which device computes, what it can do, and, where it is the CPU, why and what to do.
import { h, icon, type Kid, rich } from "../dom";
import { megabytes } from "../format";
import type { State } from "../state";

export function badge(state: State): Kid {
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
        row(b.why, fallbackReason(state), code ? [" ", h("code", code)] : null),
        row(b.how, rich(isSecureContext ? b.howIn[browser()] : b.howIn.insecure)),
        h("dd", { class: "wide" }, b.cpuNote),
      ];
    }
    const a = device.adapter;
    return [
      row(rich(b.adapter), a.name || b.hidden),
      a.software ? h("dd", { class: "wide" }, b.inSoftware) : null,
      row(h("code", "shader-f16"), rich(a.shaderF16 ? b.f16Yes : b.f16No)),
      row(rich(b.clock), a.timestamps ? b.yes : b.no),
      row(rich(b.buffer), megabytes(lang.value, a.maxBufferBytes, 0)),
    ];
  }
}

/** Why the CPU twin runs, in the page's words and then in the browser's. */
export function fallbackReason(state: State): Kid {
  const { reason } = state.t.value.badge;
  if (!isSecureContext) return rich(reason.insecure);
  const { code, message = "" } = state.device.value?.fallback ?? {};
  if (code === "no-webgpu") return rich(reason[code]);
  // One code for both: which of the two failed, and what the browser said, stand in the message (src/gpu/request.rs).
  const device = / no device: (.*)\. Reload/s.exec(message);
  const adapter = / no adapter in \d+ tries(?: \((.*)\))?: /s.exec(message);
  const words = device || adapter ? (device ?? adapter)?.[1] : message;
  return [
    rich(reason[device ? "no-device" : adapter ? "no-adapter" : "other"]),
    words ? [": ", h("q", { lang: "en", translate: "no" }, words.replace(/\.$/, ""))] : null,
    ".",
  ];
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
