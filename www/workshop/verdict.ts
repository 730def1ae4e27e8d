// The verdict: one sentence with an address, the cases one by one, and the output of the one that failed.
import { computed } from "@preact/signals-core";
import { h, icon, type Kid, rich } from "../dom";
import type { Job } from "../job";
import { EXERCISES } from "./exercises";
import type { Exercise, Id } from "./exercises/exercise";
import type { Verdict } from "./judge";
import type { Result, Workshop } from "./model";
import { outputView } from "./output";
import { nameOf, placeSays, verdictSays } from "./told";

export function verdictView(container: HTMLElement, shop: Workshop, job: Job): void {
  const { words, exercise, results, id } = shop;
  const result = () => results.value[id.value];
  const old = () => {
    const one = result();
    return one !== undefined && one.code !== shop.code.value;
  };
  const noneYet = () => {
    const { none, noneFree, noneOwn } = words.value;
    if (shop.code.value !== shop.start(id.value)) return noneOwn;
    return id.value === "free" ? noneFree : none;
  };
  const box = h(
    "div",
    { class: () => `ws-verdict ${toneOf(result()?.verdict)}${old() ? " old" : ""}`, id: "workshop-verdict" },
    h(
      "h3",
      () => words.value.verdict,
      (): Kid => {
        const one = result();
        return one && h("small", { id: "workshop-run-of" }, ` · ${words.value.runOf(one.run, one.at)}`);
      },
    ),
    h("div", { role: "status", id: "workshop-told" }, (): Kid => {
      if (job.running.value) return undefined;
      const one = result();
      if (!one) return h("p", { class: "waiting" }, noneYet());
      return told(shop, exercise.value, one);
    }),
    h("p", { class: "note", id: "workshop-old" }, () => (old() ? words.value.oldVerdict : "")),
    (): Kid => {
      const one = result();
      return one && "results" in one.verdict && caseList(shop, exercise.value, one);
    },
    (): Kid => {
      const one = result();
      return one?.verdict.kind === "passed" && !one.verdict.doubt && about(shop);
    },
  );
  container.append(box);
  outputView(
    container,
    shop,
    computed(() => {
      const one = results.value[id.value];
      return one?.verdict.kind === "failed" ? { exercise: exercise.value, fault: one.verdict.fault } : undefined;
    }),
  );
}

function toneOf(verdict: Verdict | undefined): string {
  if (!verdict) return "none";
  if (verdict.kind === "passed") return verdict.doubt ? "ws-fail" : "ws-pass";
  return "ws-fail";
}

function told({ state, words }: Workshop, exercise: Exercise, { verdict, group }: Result): Kid {
  const now = words.value;
  const good = verdict.kind === "passed" && !verdict.doubt;
  const lines: Kid[] = [
    h(
      "p",
      { class: "ws-says" },
      icon(good ? "check" : "warn"),
      h("span", rich(verdictSays(state, now, exercise, verdict))),
    ),
  ];
  if (verdict.kind === "failed") {
    const { fault } = verdict;
    const inside = fault.wrong.filter((i) => i < fault.expected.length).length;
    const many = fault.expected.length > 1 ? now.wrongMany(inside, fault.expected.length) : "";
    const place = placeSays(state, now, exercise, fault, group);
    lines.push(
      h(
        "p",
        { class: "note" },
        [place, inside === 0 ? now.beyondMany(fault.wrong.length) : many].filter(Boolean).join(" "),
      ),
    );
  }
  if (verdict.kind === "trouble" && "said" in verdict.trouble && verdict.trouble.said) {
    // The browser's words: text, never markup.
    lines.push(h("pre", { class: "ws-said" }, verdict.trouble.said));
  }
  return lines;
}

function caseList({ words }: Workshop, exercise: Exercise, { verdict, group }: Result): Kid {
  const results = "results" in verdict ? verdict.results : [];
  return h(
    "ul",
    { class: "ws-cases", id: "workshop-cases", "aria-label": words.value.caseList },
    exercise.cases(group).map(({ id }) => {
      const one = results.find((result) => result.id === id);
      const mark =
        one === undefined ? words.value.notRun : one.passed ? words.value.passedMark : words.value.failedMark;
      return h(
        "li",
        { class: one === undefined ? "" : one.passed ? "ws-pass" : "ws-fail", "data-case": id },
        icon(one?.passed ? "check" : "warn"),
        h("span", nameOf(words.value, id)),
        h("small", mark),
      );
    }),
  );
}

/** Opens an exercise where its goal can be read first. */
function goOn(shop: Workshop, id: Id): void {
  shop.open(id);
  const goal = document.getElementById("workshop-goal");
  goal?.scrollIntoView({ block: "center" });
  goal?.focus({ preventScroll: true });
}

function about(shop: Workshop): Kid {
  const { words, id } = shop;
  const at = EXERCISES.findIndex((one) => one.id === id.value);
  const next = EXERCISES[at + 1];
  return h(
    "div",
    { class: "ws-about", id: "workshop-about" },
    h("b", words.value.about),
    h("p", rich(words.value.exercises[id.value].lesson)),
    next &&
      h(
        "button",
        { class: "btn", id: "workshop-next", type: "button", onclick: () => goOn(shop, next.id) },
        h("span", `${words.value.next}: ${at + 2} ${words.value.exercises[next.id].name}`),
        icon("next", "f"),
      ),
  );
}
