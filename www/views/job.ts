// The controls of a long job: start, stop, how far it is, and what went wrong.
import { effect, untracked } from "@preact/signals-core";
import { h, icon, type Kid, watch } from "../dom";
import { createJob, type Job } from "../job";
import type { State } from "../state";

/** A job that a reset of the page stops: its results would belong to the state before. */
export function jobOf(state: State): Job {
  const job = createJob();
  let resets = state.resets.peek();
  effect(() => {
    if (state.resets.value === resets) return;
    resets = state.resets.value;
    untracked(job.stop);
  });
  return job;
}

export interface JobLabels {
  readonly id: string;
  readonly go: () => string;
  readonly stop: () => string;
  readonly ready: () => boolean;
  readonly act: () => void;
}

export function jobButton(job: Job, labels: JobLabels): HTMLElement {
  return h(
    "button",
    {
      class: () => (job.running.value ? "btn" : "btn go"),
      id: labels.id,
      type: "button",
      disabled: () => !job.running.value && !labels.ready(),
      onclick: () => (job.running.value ? job.stop() : labels.act()),
    },
    () => icon(job.running.value ? "stop" : "play", "f"),
    h("span", () => (job.running.value ? labels.stop() : labels.go())),
  );
}

export function jobProgress(job: Job, id: string, wait: () => string): Kid {
  const label = () => (job.waiting.value ? wait() : job.progress.value.label);
  const bar = h("progress", { max: 1, "aria-label": () => label() || "…" });
  watch(() => {
    bar.value = job.progress.value.done / job.progress.value.total;
  });
  const root = h("div", { class: "load", id }, h("span", label), bar);
  watch(() => {
    root.hidden = !job.running.value;
  });
  const failed = h(
    "p",
    { class: "warnline", role: "alert" },
    icon("warn"),
    h("span", () => job.error.value ?? ""),
  );
  watch(() => {
    failed.hidden = job.error.value === undefined;
  });
  return [root, failed];
}
