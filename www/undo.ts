// Undo and redo of the text, for what the reader types and for what the page does to it: a browser forgets its own history
// of a text area as soon as a script sets its value. Reset is undone whole, settings and all.
import { batch, type ReadonlySignal, signal } from "@preact/signals-core";
import { kept, putBack } from "./settings";
import type { State } from "./state";

interface Moment {
  readonly head: string;
  readonly tail: string;
  readonly selection: readonly [number, number];
  /** Settings, where the change that followed touched them. */
  readonly settings?: readonly (string | undefined)[];
}

export interface Undo {
  /** True while the last change was made by the page and can be taken back. */
  readonly offered: ReadonlySignal<boolean>;
  /** The text area, whose selection is kept and put back. */
  area: HTMLTextAreaElement | undefined;
  /** A change made by the page, as one step. */
  change(act: () => void, also?: "settings"): void;
  /** To be called before a change that the reader makes by keys; a run of the same kind is one step. */
  typing(kind: string, selection: readonly [number, number]): void;
  undo(): boolean;
  redo(): boolean;
}

const MAX_STEPS = 200;
/** Keys further apart than this are steps of their own. */
const PAUSE_MS = 1_000;

export function createUndo(state: State): Undo {
  const past: Moment[] = [];
  const future: Moment[] = [];
  const offered = signal(false);
  let run = { kind: "", end: 0 };

  const now = (selection?: readonly [number, number], withSettings = false): Moment => ({
    head: state.head.peek(),
    tail: state.tail.peek(),
    selection: selection ?? [self.area?.selectionStart ?? 0, self.area?.selectionEnd ?? 0],
    ...(withSettings ? { settings: kept(state) } : {}),
  });
  const remember = (moment: Moment) => {
    past.push(moment);
    if (past.length > MAX_STEPS) past.shift();
    future.length = 0;
  };
  const step = (from: Moment[], to: Moment[]): boolean => {
    const moment = from.pop();
    if (!moment) return false;
    to.push(now(undefined, moment.settings !== undefined));
    run = { kind: "", end: 0 };
    batch(() => {
      state.head.value = moment.head;
      state.tail.value = moment.tail;
      if (moment.settings) putBack(state, moment.settings);
      offered.value = false;
    });
    self.area?.setSelectionRange(...moment.selection);
    return true;
  };

  const self: Undo = {
    offered,
    area: undefined,
    change(act, also) {
      const before = now(undefined, also === "settings");
      batch(act);
      const same = before.head === state.head.peek() && before.tail === state.tail.peek();
      if (same && !before.settings) return;
      remember(before);
      run = { kind: "", end: 0 };
      offered.value = true;
    },
    typing(kind, selection) {
      const time = performance.now();
      const goesOn = kind === run.kind && time - run.end < PAUSE_MS && past.length > 0;
      run = { kind, end: time };
      if (goesOn) future.length = 0;
      else remember(now(selection));
      offered.value = false;
    },
    undo: () => step(past, future),
    redo: () => step(future, past),
  };
  return self;
}

const made = new WeakMap<State, Undo>();

/** The one history of a state. */
export function undoOf(state: State): Undo {
  let undo = made.get(state);
  if (!undo) {
    undo = createUndo(state);
    made.set(state, undo);
  }
  return undo;
}
