// Where code is written: a plain text area at once, CodeMirror in its place once it has arrived. Both do the same things.
import { h } from "../dom";
import { type Field, type FieldOptions, plainField } from "./field";
import type { Message } from "./types";

export interface Editor extends Field {
  /** The focus goes to the code, except where that would cover the screen with a keyboard. */
  focus(): void;
  /** True once CodeMirror is there, false if it can't be had. */
  readonly rich: Promise<boolean>;
}

export function createEditor(options: FieldOptions): Editor {
  const element = h("div", { class: "ws-editor", id: "workshop-editor" });
  let field: Field = plainField(options);
  let marked: readonly Message[] = [];
  let shown = "";
  element.append(field.element);
  const swap = async () => {
    const { codeField } = await import("./codemirror");
    const focused = element.contains(document.activeElement);
    const old = field;
    const made = codeField(options);
    made.put(old.code(), shown, () => true);
    made.mark(marked);
    element.replaceChildren(made.element);
    field = made;
    if (focused) made.goTo(0, 0);
    return true;
  };
  return {
    element,
    rich: swap().catch(() => false),
    code: () => field.code(),
    put: (code, of, silent) => {
      shown = of;
      field.put(code, of, silent);
    },
    mark: (messages) => {
      marked = messages;
      field.mark(messages);
    },
    goTo: (from, to) => field.goTo(from, to),
    focus: () => {
      if (!matchMedia("(pointer: coarse)").matches) field.goTo(0, 0);
    },
  };
}
