// A short message at the edge of the screen: what just happened, with a way back where the page changed the text.
import { effect, type Signal, signal } from "@preact/signals-core";
import { h, icon, type Kid } from "../dom";
import type { State } from "../state";
import { undoOf } from "../undo";

export interface Message {
  readonly text: () => string;
  /** Offers to take the last change back. */
  readonly undo?: boolean;
  /** Goes back to where a link was followed from. */
  readonly back?: () => void;
  /** A link to be copied by hand; the message stays until it is closed. */
  readonly link?: string;
}

const messages = new WeakMap<State, Signal<Message | undefined>>();

function messageOf(state: State): Signal<Message | undefined> {
  let message = messages.get(state);
  if (!message) {
    message = signal<Message | undefined>(undefined);
    messages.set(state, message);
  }
  return message;
}

export function say(state: State, message: Message): void {
  const now = messageOf(state);
  now.value = message;
  if (message.link !== undefined) return;
  let from = scrollY;
  const leave = () => {
    removeEventListener("scroll", scrolled);
    if (now.peek() === message) now.value = undefined;
  };
  // Who has scrolled on by half a screen reads there, where the message would stand over the text.
  const scrolled = () => {
    if (Math.abs(scrollY - from) > innerHeight / 2) leave();
  };
  // The page itself may scroll at first, to where a link leads.
  setTimeout(() => {
    from = scrollY;
    addEventListener("scroll", scrolled, { passive: true });
  }, 2_000);
  setTimeout(leave, message.undo || message.back ? 12_000 : 4_000);
}

export function toast(state: State): HTMLElement {
  const { t } = state;
  const now = messageOf(state);
  const undo = undoOf(state);
  // An offer that can't be kept any more goes.
  effect(() => {
    if (!undo.offered.value && now.peek()?.undo) now.value = undefined;
  });
  return h("div", { class: "toast", id: "toast", role: "status" }, (): Kid => {
    const message = now.value;
    if (!message) return undefined;
    const close = () => {
      now.value = undefined;
    };
    return [
      h("span", message.text),
      message.undo &&
        h(
          "button",
          { id: "undo", class: "btn small", type: "button", onclick: () => void undo.undo() },
          icon("reset"),
          h("span", { class: "keep" }, t.value.undo),
        ),
      message.back &&
        h(
          "button",
          {
            id: "go-back",
            class: "btn small",
            type: "button",
            onclick: () => {
              close();
              message.back?.();
            },
          },
          h("span", { class: "keep" }, t.value.goBack),
        ),
      message.link !== undefined && [
        linkField(message.link, t.value.copyLink),
        h(
          "button",
          { class: "btn small", type: "button", onclick: close },
          h("span", { class: "keep" }, t.value.close),
        ),
      ],
    ];
  });
}

/** The link as text that is already selected. */
function linkField(link: string, label: string): HTMLElement {
  const field = h("input", { id: "link-field", readonly: true, value: link, "aria-label": label });
  setTimeout(() => {
    field.focus();
    field.select();
  });
  return field;
}
