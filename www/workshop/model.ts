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
import type { Message, Trouble } from "./types";

export interface Result extends Judged {
  readonly id: Id;
  readonly code: string;
  /** Which run of this exercise it was, from 1, and when. */
  readonly run: number;
  readonly at: Date;
}

/** A line on what just happened, in the words of whatever language the page has. */
export interface Note {
  readonly says: (words: Words) => string;
  readonly act?: { readonly label: (words: Words) => string; readonly run: () => void };
  /** Stays while the reader writes. */
  readonly lasting?: boolean;
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
  /** Why the code can't be run although it compiles. */
  readonly trouble: Signal<Trouble | undefined>;
  /** The last verdict on each exercise. */
  readonly results: Signal<{ readonly [id in Id]?: Result }>;
  /** Why code can't run here at all. */
  readonly readOnly: ReadonlySignal<boolean>;
  readonly note: Signal<Note | undefined>;
  readonly origin: Signal<"own" | "link" | "bad-link">;
  /** Opens an exercise with its draft, or with its given kernel. */
  open(id: Id): void;
  /** Puts other code in place of the reader's, says so, and offers to take it back. */
  put(code: string, says: Note["says"]): void;
  /** The focus goes to the code. */
  write(): void;
  start(id: Id): string;
  solution(id: Id): string;
}

export function createWorkshop(state: State, page: Page, write: () => void): Workshop {
  const words = computed(() => (state.lang.value === "en" ? en : tr));
  const id = signal<Id>("bounds");
  const code = signal("");
  const messages = signal<readonly Message[] | undefined>([]);
  const note = signal<Note | undefined>(undefined);
  const origin = signal<"own" | "link" | "bad-link">("own");
  const comments = () => words.peek().comments;
  const show = (which: Id, given?: string) =>
    batch(() => {
      id.value = which;
      code.value = given ?? draftOf(which) ?? shop.start(which);
      note.value = undefined;
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
    trouble: signal(undefined),
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
    write,
    put: (text, says) => {
      const before = code.peek();
      changed(shop, text);
      const back = () => {
        changed(shop, before);
        write();
      };
      note.value = before === text ? { says } : { says, act: { label: ({ undo }) => undo, run: back } };
      write();
    },
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
      else {
        origin.value = "bad-link";
        state.code.value = "";
      }
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
  const id = shop.id.peek();
  const draft = shop.origin.peek() === "link" ? draftOf(id) : undefined;
  batch(() => {
    shop.code.value = code;
    if (!shop.note.peek()?.lasting) shop.note.value = undefined;
    shop.origin.value = "own";
    shop.state.code.value = "";
    // Code from a link becomes the draft once it is changed: the one before it is not lost.
    if (draft !== undefined && draft !== code) {
      const run = () => {
        shop.note.value = undefined;
        shop.put(draft, ({ draftBack }) => draftBack);
      };
      shop.note.value = { says: (w) => w.draftReplaced, act: { label: (w) => w.ownDraft, run }, lasting: true };
    }
  });
  keepOpened(id);
  if (code.length <= CODE_LIMIT) keepDraft(id, code === shop.start(id) ? undefined : code);
}

/** The kernel that an exercise begins with, in one of the languages. */
export const isGiven = (id: Id, code: string) =>
  [tr, en].some(({ comments }) => code === inWords(exerciseOf(id).start, comments));

/** Puts this code into the page's address; gives the link, or nothing where the code is too long for one. */
export async function putInLink(shop: Workshop, code: string): Promise<string | undefined> {
  own = await toLink({ id: shop.id.peek(), code });
  batch(() => {
    shop.state.code.value = own;
    shop.state.section.value = 7;
  });
  const link = shop.page.link(shop.state);
  if (/[#&]w=/.test(link)) return link;
  shop.state.code.value = "";
  return undefined;
}
