// The door of section 7, and what the workshop behind it uses of the page.
import { link } from "../address";
import { createJob } from "../job";
import { lessonOf } from "../lesson";
import type { State } from "../state";
import { fallbackReason } from "./badge";
import { door } from "./door";
import { jobButton, jobProgress } from "./job";
import { legend } from "./legend";

const linkTo = (state: State) => link(state, location).href;

const PAGE = { link: linkTo, createJob, jobButton, jobProgress, legend, fallbackReason };
export type Page = typeof PAGE;

export function workshopDoor(container: HTMLElement, state: State): void {
  const { t } = lessonOf(state);
  door(container, state, {
    n: 7,
    title: () => t.value.later.seven,
    say: () => t.value.later.sevenSay,
    open: async () => (await import("../workshop/view")).workshopView(container, state, PAGE),
  });
}
