// The door of section 8, which is loaded when it comes near.
import { inlined } from "../assets";
import { messageOf } from "../engine/calls";
import { createJob } from "../job";
import { lessonOf } from "../lesson";
import type { State } from "../state";
import { TALE } from "../strings";
import type { Page } from "../train/page";
import { door } from "./door";
import { figure, question } from "./figure";

const PAGE: Page = { createJob, figure, inlined, messageOf, question, tale: TALE };

export function trainDoor(container: HTMLElement, state: State): void {
  const { t } = lessonOf(state);
  door(container, state, {
    n: 8,
    title: () => t.value.later.eight,
    say: () => t.value.later.eightSay,
    fetch: async () => {
      const { trainView } = await import("../train/view");
      return () => trainView(container, state, PAGE);
    },
  });
}
