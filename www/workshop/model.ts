// What the workshop knows: the open exercise, its code, what the compiler says of it, and what came of running it.
import { batch, computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals-core";
import type { State } from "../state";
import { exerciseOf } from "./exercises";
import { type Exercise, IDS, type Id, inWords } from "./exercises/exercise";
import type { Judged } from "./judge";
import { CODE_LIMIT, fromLink, toLink } from "./link";
import { draftOf, keepDraft, keepOpened, lastOpened, solved } from "./memory";
import type { Page } from "./page";
import { en } from "./strings/en";
import { tr, type Words } from "./strings/tr";
import type { Message } from "./types";

export interface Result extends Judged {
  readonly id: Id;
  readonly code: string;
}

export interface Workshop {
  readonly state: State;
  readonly page: Page;
  readonly words: ReadonlySignal<Words>;
  readonly id: Signal<Id>;
  readonly exercise: ReadonlySignal<Exercise>;
  readonly code: Signal<string>;
  readonly solved: Signal<ReadonlySet<string>>;
  /** What the compiler says of the code; undefined while it is asked. */
  readonly messages: Signal<readonly Message[] | undefined>;
  /** The last verdict on each exercise. */
  readonly results: Signal<{ readonly [id in Id]?: Result }>;
  /** Why code can't run here at all. */
  readonly readOnly: ReadonlySignal<boolean>;
  /** A line on what just happened. */
  readonly note: Signal<string>;
  readonly origin: Signal<"own" | "link" | "bad-link">;
  /** Opens an exercise with its draft, or with its given kernel. */
  open(id: Id): void;
  /** Replaces the code as if it had been typed. */
  put(code: string): void;
  start(id: Id): string;
  solution(id: Id): string;
}

export function createWorkshop(state: State, page: Page): Workshop {
  const words = computed(() => (state.lang.value === "en" ? en : tr));
  const id = signal<Id>("bounds");
  const code = signal("");
  const messages = signal<readonly Message[] | undefined>([]);
  const note = signal("");
  const origin = signal<"own" | "link" | "bad-link">("own");
  const comments = () => words.peek().comments;
  const show = (which: Id, given?: string) =>
    batch(() => {
      id.value = which;
      code.value = given ?? draftOf(which) ?? shop.start(which);
      note.value = "";
      origin.value = given === undefined ? "own" : "link";
    });
  const shop: Workshop = {
    state,
    page,
    words,
    id,
    exercise: computed(() => exerciseOf(id.value)),
    code,
    solved: signal(solved()),
    messages,
    results: signal({}),
    readOnly: computed(() => state.device.value?.backend === "cpu" || !("gpu" in navigator)),
    note,
    origin,
    start: (which) => inWords(exerciseOf(which).start, comments()),
    solution: (which) => inWords(exerciseOf(which).solution, comments()),
    open: (which) =>
      batch(() => {
        show(which);
        state.code.value = "";
        keepOpened(which);
      }),
    put: (text) => changed(shop, text),
  };
  const last = IDS.find((one) => one === lastOpened());
  show(last ?? "bounds");
  // A link that is opened, at the start or later, is unpacked and shown, not run.
  effect(() => {
    const { value } = state.code;
    if (value === "" || value === own) return;
    void fromLink(value).then((shared) => {
      if (state.code.peek() !== value) return;
      if (shared) show(shared.id, shared.code);
      else origin.value = "bad-link";
    });
  });
  // The given kernel's comments are in the language of the page, as long as nobody has changed it.
  effect(() => {
    const now = words.value;
    untracked(() => {
      for (const other of [tr, en]) {
        if (other === now || code.peek() !== inWords(shop.exercise.peek().start, other.comments)) continue;
        code.value = shop.start(id.peek());
      }
    });
  });
  return shop;
}

/** The link that was made here: what it holds is on the screen already. */
let own = "";

/** The reader changed the code. */
export function changed(shop: Workshop, code: string): void {
  batch(() => {
    shop.code.value = code;
    shop.note.value = "";
    shop.origin.value = "own";
    shop.state.code.value = "";
  });
  const id = shop.id.peek();
  keepOpened(id);
  if (code.length <= CODE_LIMIT) keepDraft(id, code === shop.start(id) ? undefined : code);
}

/** Puts this code into the page's address. */
export async function putInLink(shop: Workshop, code: string): Promise<void> {
  own = await toLink({ id: shop.id.peek(), code });
  batch(() => {
    shop.state.code.value = own;
    shop.state.section.value = 7;
  });
}
