// The door of section 8, and what the training behind it uses of the page.
import { inlined } from "../assets";
import { messageOf } from "../engine/calls";
import { createJob } from "../job";
import { lessonOf } from "../lesson";
import type { State } from "../state";
import { TALE } from "../strings";
import { door } from "./door";
import { figure, question } from "./figure";

const PAGE = { createJob, figure, inlined, messageOf, question, tale: TALE };
export type Page = typeof PAGE;

export function trainDoor(container: HTMLElement, state: State): void {
  const { t } = lessonOf(state);
  door(container, state, {
    n: 8,
    title: () => t.value.later.eight,
    say: () => t.value.later.eightSay,
    open: async () => (await import("../train/view")).trainView(container, state, PAGE),
  });
}
