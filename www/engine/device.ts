// Which device computes, told to the page.
import { batch } from "@preact/signals-core";
import type { Lab } from "../pkg/gomme.js";
import { forgetMeasurements } from "../settings";
import type { State } from "../state";

/** What computes; measurements of another device are none of this one. */
export function tellDevice(state: State, lab: Lab): void {
  const reason = lab.fallbackReason;
  const before = state.device.peek();
  const now = {
    backend: lab.backend,
    adapter: lab.adapter,
    fallback: reason ? { code: reason.code, message: reason.message } : undefined,
    kernels: before?.kernels ?? lab.kernels,
  };
  const same = before?.backend === now.backend && before.adapter?.name === now.adapter?.name;
  batch(() => {
    state.device.value = now;
    if (before && !same) forgetMeasurements(state);
  });
}
