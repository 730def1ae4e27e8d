// Section 7: readers change a kernel, run it on their own GPU, and see the first number that is wrong.
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals-core";
import { h, icon, type Kid, rich } from "../dom";
import type { Job } from "../job";
import type { State } from "../state";
import { notice } from "../ui";
import { type Compiled, compiled } from "./compile";
import { createEditor, type Editor } from "./editor";
import { EXERCISES, exerciseOf } from "./exercises";
import type { Id } from "./exercises/exercise";
import { isBusy, loseDevice, TroubleError } from "./gpu";
import { hintsView } from "./hints";
import { type Judged, judge } from "./judge";
import { CODE_LIMIT } from "./link";
import { keepSolved, setRunning, tookDown } from "./memory";
import { changed, createWorkshop, isGiven, putInLink, type Workshop } from "./model";
import type { Page } from "./page";
import { type Drawn, pictureView } from "./picture";
import { messagesView } from "./problems";
import type { Words } from "./strings/tr";
import css from "./style.css" with { type: "text" };
import type { Trouble } from "./types";
import { verdictView } from "./verdict";
import { workgroupSizes } from "./workgroup";

/** Milliseconds after the last key before the code is compiled; it is not run. */
const PAUSE = 400;

export function workshopView(container: HTMLElement, state: State, page: Page): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const shop = createWorkshop(state, page, () => editor.focus());
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
  const editor: Editor = createEditor({
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
      primer(shop),
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
  let timer = 0;
  effect(() => {
    const { value: id } = shop.id;
    const { value: code } = shop.code;
    // Comments in another language are no change that could be undone.
    editor.put(code, id, (before) => isGiven(id, before) && isGiven(id, code));
    clearTimeout(timer);
    const given = code === shop.start(id);
    untracked(() => {
      shop.messages.value = given ? [] : undefined;
      shop.trouble.value = undefined;
    });
    editor.mark([]);
    if (given || shop.readOnly.peek()) return;
    timer = window.setTimeout(() => void compile(shop, editor, id, code), PAUSE);
  });
}

async function compile(shop: Workshop, editor: Editor, id: Id, code: string): Promise<void> {
  const found = await read(id, code);
  if (shop.code.peek() !== code || shop.id.peek() !== id) return;
  batch(() => {
    shop.messages.value = found.messages;
    shop.trouble.value = found.trouble;
  });
  editor.mark(found.messages);
}

/** What the compiler says; nothing where there is no device: running says why. */
async function read(id: Id, code: string): Promise<Compiled> {
  try {
    return await compiled(exerciseOf(id), code);
  } catch (error) {
    if (error instanceof TroubleError) return { messages: [] };
    throw error;
  }
}

async function run(shop: Workshop, job: Job): Promise<void> {
  if (shop.readOnly.peek() || job.running.peek()) return;
  const [code, id, words] = [shop.code.peek(), shop.id.peek(), shop.words.peek()];
  if (code.length > CODE_LIMIT) {
    shop.note.value = { says: ({ tooLong }) => tooLong(CODE_LIMIT) };
    return;
  }
  await job.start(async (control) => {
    const tell = (done: number, total: number, says: string) => {
      const name = shop.id.peek() === id ? "" : `${words.exercises[id].name}: `;
      control.tell(done, total, name + says);
    };
    if (isBusy()) tell(0, 1, words.waitingForLast);
    const found = await read(id, code);
    if (shop.code.peek() === code && shop.id.peek() === id) shop.messages.value = found.messages;
    // What does not compile leaves the last verdict where it is.
    if (found.messages.some(({ kind }) => kind === "error")) return elsewhere(shop, id, "broken");
    setRunning(code);
    try {
      const judged = found.trouble
        ? notRun(found.trouble)
        : await judge(exerciseOf(id), code, {
            tell: (done, total) => tell(done, total, words.judging(done, total)),
            stopped: control.stopped,
          });
      if (!judged) return;
      const { verdict } = judged;
      const good = verdict.kind === "passed" && !verdict.doubt;
      batch(() => {
        const times = (shop.results.peek()[id]?.run ?? 0) + 1;
        shop.results.value = { ...shop.results.peek(), [id]: { ...judged, id, code, run: times, at: new Date() } };
        elsewhere(shop, id, good ? "passed" : "failed");
        if (!good) return;
        keepSolved(id);
        shop.solved.value = new Set([...shop.solved.peek(), id]);
      });
    } finally {
      setRunning(undefined);
    }
  });
}

const notRun = (trouble: Trouble): Judged => ({
  verdict: { kind: "trouble", trouble, id: undefined },
  traces: undefined,
  group: 0,
});

/** The reader went on to another exercise while this one was judged: a line says how it ended, and leads there. */
function elsewhere(shop: Workshop, id: Id, ended: "passed" | "failed" | "broken"): void {
  if (shop.id.peek() === id) return;
  const name = ({ exercises }: Words) => exercises[id].name;
  shop.note.value = {
    says: (words) => words.elsewhere[ended](name(words)),
    act: { label: (words) => words.goTo(name(words)), run: () => shop.open(id) },
    lasting: true,
  };
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
    { class: "ws-goal", id: "workshop-goal", tabindex: -1 },
    h("b", () => `${words.value.goal}: `),
    h("span", () => rich(words.value.exercises[id.value].goal)),
  );
}

/** The language in five lines, for who has not met it. */
function primer({ words }: Workshop): Kid {
  return h(
    "details",
    { class: "ws-primer", id: "workshop-primer" },
    h("summary", () => words.value.primer),
    h("dl", () => words.value.primerLines.map(([code, says]) => [h("dt", h("code", code)), h("dd", rich(says))])),
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
          asked() ? rich(words.value.readOnlyAsked) : shop.page.fallbackReason(state),
        ],
    }),
    notice(
      { id: "workshop-from-link", kind: "note", text: () => origin.value === "link" && words.value.fromLink },
      " ",
      h(
        "button",
        {
          class: "quiet",
          id: "workshop-own",
          type: "button",
          onclick: () => {
            shop.open(shop.id.peek());
            shop.write();
          },
        },
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
          shop.put(shop.start(shop.id.peek()), ({ restored }) => restored);
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
    h("div", { class: "note ws-note", id: "workshop-note", role: "status" }, (): Kid => {
      const now = note.value;
      if (!now) return undefined;
      const { act } = now;
      return [
        h("span", now.says(words.value)),
        act && [
          " ",
          h(
            "button",
            { class: "btn small", id: "workshop-act", type: "button", onclick: () => act.run() },
            act.label(words.value),
          ),
        ],
      ];
    }),
    ...[shop.page.jobProgress(job, "workshop-progress", () => words.value.queued)]
      .flat()
      .filter((kid) => kid instanceof Node),
  );
  messagesView(bench, shop, editor);
}

async function share(shop: Workshop): Promise<void> {
  const code = shop.code.peek();
  if (code.length > CODE_LIMIT) {
    shop.note.value = { says: ({ tooLong }) => tooLong(CODE_LIMIT) };
    return;
  }
  const link = await putInLink(shop, code);
  if (link === undefined) {
    shop.note.value = { says: ({ noRoomInLink }) => noRoomInLink };
    return;
  }
  try {
    await navigator.clipboard.writeText(link);
    shop.note.value = { says: ({ shared }) => shared };
  } catch {
    shop.note.value = { says: ({ shareFailed }) => shareFailed };
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
