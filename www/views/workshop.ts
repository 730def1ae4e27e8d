// The door of section 7, which is loaded when it comes near.
import { link } from "../address";
import { createJob } from "../job";
import { lessonOf } from "../lesson";
import type { State } from "../state";
import type { Page } from "../workshop/page";
import { fallbackReason } from "./badge";
import { door } from "./door";
import { jobButton, jobProgress } from "./job";
import { legend } from "./legend";

const linkTo = (state: State) => link(state, location).href;

const PAGE: Page = { link: linkTo, createJob, jobButton, jobProgress, legend, fallbackReason };

export function workshopDoor(container: HTMLElement, state: State): void {
  const { t } = lessonOf(state);
  door(container, state, {
    n: 7,
    title: () => t.value.later.seven,
    say: () => t.value.later.sevenSay,
    fetch: async () => {
      const { workshopView } = await import("../workshop/view");
      return () => workshopView(container, state, PAGE);
    },
  });
}
