// What the compiler says: each message at its line, in the browser's words, with a sentence for the common ones.
import { h, type Kid, rich } from "../dom";
import type { Editor } from "./editor";
import { commonOf } from "./messages";
import type { Workshop } from "./model";
import { troubleSays } from "./told";
import type { Message } from "./types";

/** Messages that are listed. */
const MOST = 8;

export function messagesView(container: HTMLElement, shop: Workshop, editor: Editor): void {
  const { words, messages, trouble, results, id } = shop;
  const serious = () => (messages.value ?? []).filter(({ kind }) => kind !== "info");
  const errors = () => serious().filter(({ kind }) => kind === "error").length;
  const item = (message: Message): Kid => {
    const { line, from, to, text, all, kind } = message;
    const common = commonOf(shop.code.peek(), message);
    return h(
      "li",
      { class: kind },
      h(
        "button",
        { class: "linkish", type: "button", onclick: () => editor.goTo(from, to) },
        h("b", words.value.line(line)),
        ": ",
        text,
      ),
      common && h("p", rich(words.value.common[common])),
      all !== text && h("details", h("summary", words.value.whole), h("pre", all)),
    );
  };
  container.append(
    h(
      "div",
      { class: "ws-problems" },
      h(
        "p",
        {
          class: () => (errors() > 0 || trouble.value ? "ws-state ws-fail" : "ws-state"),
          id: "workshop-compiled",
          role: "status",
        },
        () => {
          if (messages.value === undefined) return shop.readOnly.value ? "" : words.value.compiling;
          if (errors() > 0) {
            const kept = results.value[id.value] ? ` ${words.value.keptVerdict}` : "";
            return words.value.errors(errors()) + kept;
          }
          const wrong = trouble.value;
          if (wrong) return rich(`${words.value.cannotRun} ${troubleSays(words.value, wrong)}`);
          return shop.code.value === shop.start(id.value) || shop.readOnly.value ? "" : words.value.compiled;
        },
      ),
      (): Kid => {
        const wrong = trouble.value;
        return wrong && "said" in wrong && wrong.said && h("pre", { class: "ws-said" }, wrong.said);
      },
      (): Kid =>
        serious().length > 0 &&
        h("ul", { id: "workshop-messages", "aria-label": words.value.problems }, serious().slice(0, MOST).map(item)),
    ),
  );
}
