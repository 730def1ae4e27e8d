// A field for code: what both kinds can do, and the plain one, which is there at once.
import type { ReadonlySignal } from "@preact/signals-core";
import { h } from "../dom";
import type { Message } from "./types";

export interface FieldOptions {
  /** What it is, and its keys, for screen readers. */
  readonly label: () => string;
  readonly readOnly: ReadonlySignal<boolean>;
  readonly changed: (code: string) => void;
  readonly run: () => void;
  /** Runs it now, and again whenever a signal that it read changes. */
  readonly follow: (run: () => void) => void;
}

export interface Field {
  readonly element: HTMLElement;
  code(): string;
  /**
   * Another text. Each of the texts `of` so many exercises has its own undo, which a change in `silent` leaves out.
   */
  put(code: string, of: string, silent: (before: string) => boolean): void;
  mark(messages: readonly Message[]): void;
  /** Puts the caret there and the focus on the field. */
  goTo(from: number, to: number): void;
}

/** A text area: no colours, but every key that a reader expects of one. */
export function plainField({ label, readOnly, changed, run, follow }: FieldOptions): Field {
  const area = h("textarea", {
    class: "ws-area",
    id: "workshop-plain",
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    wrap: "off",
    rows: 24,
    "aria-label": label,
    oninput: () => changed(area.value),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      run();
    },
  });
  follow(() => {
    area.readOnly = readOnly.value;
  });
  return {
    element: area,
    code: () => area.value,
    put: (code) => {
      if (area.value !== code) area.value = code;
    },
    mark: (messages) => {
      area.setAttribute("aria-invalid", String(messages.some(({ kind }) => kind === "error")));
    },
    goTo: (from, to) => {
      area.focus();
      area.setSelectionRange(from, to);
    },
  };
}
