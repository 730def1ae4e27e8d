// What the later sections share beside the page's state: their words, the race's runs, and the recorded graphics card.

import recordingFiles from "recorded:files";
import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
import { NO_RUNS, type Results } from "./measure/race";
import type { Backend, Guess } from "./models/outcomes";
import { neededOnPaper } from "./paper";
import type { Recording } from "./record/recording";
import type { State } from "./state";
import { lessonStringsOf } from "./strings";
import { type LessonStrings, lessonTr } from "./strings/lesson.tr";

export interface Lesson {
  readonly t: ReadonlySignal<LessonStrings>;
  readonly backend: ReadonlySignal<Backend | undefined>;
  /** Software adapters and the CPU can't show what a graphics card does. */
  readonly hardware: ReadonlySignal<boolean>;
  readonly race: Signal<Results>;
  readonly recorded: Recorded;
  /** What the reader guessed, by question. */
  readonly guesses: { readonly [question in Question]: Signal<Guess | undefined> };
}

/** Questions that a recording would give away before the reader has guessed. */
export type Question = "cell" | "kept" | "hurt";

/** Measurements of this page on a graphics card, kept in files that are fetched when they are to be shown. */
export interface Recorded {
  readonly some: boolean;
  /** The reader's switch; on from the start where the device is no graphics card. */
  readonly on: Signal<boolean>;
  readonly which: Signal<number>;
  readonly all: Signal<readonly Recording[]>;
  readonly failed: Signal<boolean>;
  /** Fetches the files, once; called where they come into sight while the switch is on. */
  load(): Promise<void>;
  /** The recording to draw beside the reader's own figures. */
  readonly shown: ReadonlySignal<Recording | undefined>;
}

/** A string of the page for files, which have no links. */
export const plain = (text: string) => text.replace(/\[([^\]]+)\]\(#[\w-]+\)/g, "$1");

const lessons = new WeakMap<State, Lesson>();

export function lessonOf(state: State): Lesson {
  const known = lessons.get(state);
  if (known) return known;
  const hardware = computed(() => state.device.value?.adapter?.software === false);
  const lesson: Lesson = {
    t: computed(() => lessonStringsOf(state.lang.value, lessonTr)),
    backend: computed(() => state.device.value?.backend),
    hardware,
    race: signal(NO_RUNS),
    recorded: createRecorded(state, hardware),
    guesses: { cell: signal(undefined), kept: signal(undefined), hurt: signal(undefined) },
  };
  lessons.set(state, lesson);
  // Another device makes all that was measured on the old one stale.
  let device = "";
  effect(() => {
    const now = state.device.value;
    const name = now ? `${now.backend} ${now.adapter?.name ?? ""}` : device;
    if (device && name !== device) {
      state.cell.value = undefined;
      state.contention.value = undefined;
      state.sweep.value = undefined;
      state.skewSweep.value = undefined;
      lesson.race.value = NO_RUNS;
    }
    device = name;
  });
  return lesson;
}

function createRecorded(state: State, hardware: ReadonlySignal<boolean>): Recorded {
  const on = signal(false);
  const which = signal(0);
  const all = signal<readonly Recording[]>([]);
  const failed = signal(false);
  const some = recordingFiles.length > 0;
  let decided = false;
  effect(() => {
    if (decided || state.device.value === undefined) return;
    decided = true;
    on.value = some && !hardware.value;
  });
  let coming: Promise<void> | undefined;
  const fetch = async () => {
    failed.value = false;
    try {
      all.value = (await Promise.all(recordingFiles.map((file) => file()))).map((one) => one.default);
    } catch {
      coming = undefined;
      failed.value = true;
    }
  };
  const load = () => {
    coming ??= fetch();
    return coming;
  };
  neededOnPaper(async () => on.peek() && load());
  return {
    some,
    on,
    which,
    all,
    failed,
    load,
    shown: computed(() => (on.value ? (all.value[which.value] ?? all.value[0]) : undefined)),
  };
}
