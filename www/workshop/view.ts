// Section 7: readers change a kernel, run it on their own GPU, and see the first number that is wrong.
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals-core";
import { h, icon, type Kid, rich } from "../dom";
import type { Job } from "../job";
import type { State } from "../state";
import { notice } from "../ui";
import { createEditor, type Editor } from "./editor";
import { EXERCISES, exerciseOf } from "./exercises";
import type { Id } from "./exercises/exercise";
import { check, isBusy, loseDevice, TroubleError } from "./gpu";
import { hintsView } from "./hints";
import { judge } from "./judge";
import { CODE_LIMIT } from "./link";
import { keepSolved, setRunning, tookDown } from "./memory";
import { changed, createWorkshop, putInLink, type Workshop } from "./model";
import type { Page } from "./page";
import { type Drawn, pictureView } from "./picture";
import { messagesView } from "./problems";
import css from "./style.css" with { type: "text" };
import type { Message } from "./types";
import { verdictView } from "./verdict";
import { workgroupSizes } from "./workgroup";

/** Milliseconds after the last key before the code is compiled; it is not run. */
const PAUSE = 400;

export function workshopView(container: HTMLElement, state: State, page: Page): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const shop = createWorkshop(state, page);
  const { words } = shop;
  container.querySelector(".say")?.append(
    h(
      "div",
      { class: "formula" },
      h("span", () => words.value.formula[0] ?? ""),
      h("small", () => words.value.formula[1] ?? ""),
    ),
  );
  const job = page.createJob();
  const editor = createEditor({
    label: () => `${words.value.code}. ${words.value.keys}`,
    readOnly: shop.readOnly,
    changed: (code) => changed(shop, code),
    run: () => void run(shop, job),
    follow: effect,
  });
  follow(shop, editor);

  const task = h("div", { class: "ws-task" });
  const bench = h("div", { class: "ws-bench" });
  container.append(
    h(
      "div",
      { class: "ws", id: "workshop" },
      chooser(shop),
      goal(shop),
      notices(shop),
      h("div", { class: "ws-grid" }, bench, task),
    ),
  );
  // An editor shows what is in its window; paper has all of the code.
  bench.append(
    editor.element,
    h("pre", { class: "code ws-paper" }, () => shop.code.value),
  );
  controls(bench, shop, job, editor);
  verdictView(bench, shop, job);
  pictureView(task, state, words, drawn(shop));
  hintsView(task, shop);
  document.addEventListener("gomme:lose-workshop", () => void loseDevice());
}

/** Keeps the editor at the code, and asks the compiler a moment after the last change. */
function follow(shop: Workshop, editor: Editor): void {
  let shown: Id | undefined;
  let timer = 0;
  effect(() => {
    const { value: id } = shop.id;
    const { value: code } = shop.code;
    editor.put(code, shown !== id);
    shown = id;
    clearTimeout(timer);
    const given = code === shop.start(id);
    untracked(() => {
      shop.messages.value = given ? [] : undefined;
    });
    editor.mark([]);
    if (given || shop.readOnly.peek()) return;
    timer = window.setTimeout(() => void compile(shop, editor, code), PAUSE);
  });
}

async function compile(shop: Workshop, editor: Editor, code: string): Promise<void> {
  let messages: readonly Message[] = [];
  try {
    messages = await check(code);
  } catch (error) {
    // Running says why there is no device; reading the code needs none.
    if (!(error instanceof TroubleError)) throw error;
  }
  if (shop.code.peek() !== code) return;
  shop.messages.value = messages;
  editor.mark(messages);
}

async function run(shop: Workshop, job: Job): Promise<void> {
  if (shop.readOnly.peek() || job.running.peek()) return;
  const [code, id, words] = [shop.code.peek(), shop.id.peek(), shop.words.peek()];
  if (code.length > CODE_LIMIT) {
    shop.note.value = words.tooLong(CODE_LIMIT);
    return;
  }
  await job.start(async (control) => {
    if (isBusy()) control.tell(0, 1, words.waitingForLast);
    // What does not compile leaves the last verdict where it is.
    const messages = await check(code).catch((error: unknown) => {
      if (error instanceof TroubleError) return [];
      throw error;
    });
    if (shop.code.peek() === code) shop.messages.value = messages;
    if (messages.some(({ kind }) => kind === "error")) return;
    setRunning(code);
    try {
      const judged = await judge(exerciseOf(id), code, {
        tell: (done, total) => control.tell(done, total, words.judging(done, total)),
        stopped: control.stopped,
      });
      if (!judged) return;
      batch(() => {
        shop.results.value = { ...shop.results.peek(), [id]: { ...judged, id, code } };
        if (judged.verdict.kind !== "passed" || judged.verdict.doubt) return;
        keepSolved(id);
        shop.solved.value = new Set([...shop.solved.peek(), id]);
      });
    } finally {
      setRunning(undefined);
    }
  });
}

function chooser(shop: Workshop): Kid {
  const { words } = shop;
  return h(
    "div",
    { class: "ws-list", role: "group", "aria-label": () => words.value.choose },
    EXERCISES.map(({ id }, k) =>
      h(
        "button",
        {
          class: "btn",
          id: `exercise-${id}`,
          type: "button",
          "aria-pressed": () => String(shop.id.value === id),
          onclick: () => shop.open(id),
        },
        h("b", k + 1),
        h("span", () => words.value.exercises[id].name),
        (): Kid => shop.solved.value.has(id) && [icon("check"), h("span", { class: "sr" }, words.value.solved)],
      ),
    ),
    h("span", { class: "note", id: "solved-of" }, () =>
      shop.solved.value.size > 0 ? words.value.solvedOf(shop.solved.value.size, EXERCISES.length) : "",
    ),
  );
}

function goal({ words, id }: Workshop): Kid {
  return h(
    "p",
    { class: "ws-goal", id: "workshop-goal" },
    h("b", () => `${words.value.goal}: `),
    h("span", () => rich(words.value.exercises[id.value].goal)),
  );
}

function notices(shop: Workshop): Kid {
  const { words, state, origin, readOnly, code } = shop;
  const asked = () => state.device.value?.fallback === undefined && "gpu" in navigator;
  return [
    notice({
      id: "workshop-readonly",
      kind: "warning",
      text: () =>
        readOnly.value && [
          words.value.readOnly,
          " ",
          rich(asked() ? words.value.readOnlyAsked : shop.page.fallbackReason(state)),
        ],
    }),
    notice(
      { id: "workshop-from-link", kind: "note", text: () => origin.value === "link" && words.value.fromLink },
      " ",
      h(
        "button",
        { class: "quiet", id: "workshop-own", type: "button", onclick: () => shop.open(shop.id.peek()) },
        () => words.value.ownDraft,
      ),
    ),
    notice({
      id: "workshop-bad-link",
      kind: "warning",
      text: () => origin.value === "bad-link" && words.value.badLink,
    }),
    notice({ id: "workshop-took-down", kind: "warning", text: () => tookDown(code.value) && words.value.tookDown }),
    notice({
      id: "workshop-too-long",
      kind: "warning",
      text: () => code.value.length > CODE_LIMIT && words.value.tooLong(CODE_LIMIT),
    }),
  ];
}

function controls(bench: HTMLElement, shop: Workshop, job: Job, editor: Editor): void {
  const { words, note, state } = shop;
  const plain = signal(false);
  void editor.rich.then((there) => {
    plain.value = !there;
  });
  const button = (id: string, name: string, label: () => string, act: () => void) =>
    h("button", { class: "btn", id, type: "button", onclick: act }, icon(name), h("span", label));
  bench.append(
    h(
      "div",
      { class: "ws-bar" },
      shop.page.jobButton(job, {
        id: "workshop-run",
        go: () => words.value.run,
        stop: () => words.value.stop,
        ready: () => !shop.readOnly.value && state.phase.value === "ready" && shop.code.value.length <= CODE_LIMIT,
        act: () => void run(shop, job),
      }),
      button(
        "workshop-restore",
        "reset",
        () => words.value.restore,
        () => {
          changed(shop, shop.start(shop.id.peek()));
          note.value = words.peek().restored;
        },
      ),
      button(
        "workshop-share",
        "link",
        () => words.value.share,
        () => void share(shop),
      ),
    ),
    h(
      "p",
      { class: "note ws-keys" },
      () => (plain.value ? `${words.value.plainEditor} ` : ""),
      () => words.value.keys,
    ),
    h("p", { class: "note", id: "workshop-note", role: "status" }, () => note.value),
    ...[shop.page.jobProgress(job, "workshop-progress")].flat().filter((kid) => kid instanceof Node),
  );
  messagesView(bench, shop, editor);
}

async function share(shop: Workshop): Promise<void> {
  const [words, code] = [shop.words.peek(), shop.code.peek()];
  if (code.length > CODE_LIMIT) {
    shop.note.value = words.tooLong(CODE_LIMIT);
    return;
  }
  await putInLink(shop, code);
  try {
    await navigator.clipboard.writeText(shop.page.link(shop.state));
    shop.note.value = words.shared;
  } catch {
    shop.note.value = words.shareFailed;
  }
}

/** What the picture shows: the size in the code, and what the last run of this code saw. */
function drawn(shop: Workshop): ReadonlySignal<Drawn> {
  const unlimited = {
    maxComputeInvocationsPerWorkgroup: 1024,
    maxComputeWorkgroupSizeX: 1024,
    maxComputeWorkgroupSizeY: 1024,
    maxComputeWorkgroupSizeZ: 64,
  };
  return computed(() => {
    const exercise = shop.exercise.value;
    const result = shop.results.value[exercise.id];
    const judged = result?.verdict.kind !== "endless" && result?.verdict.kind !== "trouble" ? result : undefined;
    let group = judged?.group ?? 0;
    if (!judged) {
      try {
        group = workgroupSizes(shop.code.value, [exercise.passes[0]?.entry ?? ""], unlimited)[0]?.threads ?? 8;
      } catch (error) {
        if (!(error instanceof TroubleError)) throw error;
        group = 8;
      }
    }
    return { exercise, group, traces: judged && (judged.traces ?? "unseen") };
  });
}
