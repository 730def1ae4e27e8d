// Sections 4 to 6 and what follows them: none is needed for the first lookup, so they come after it, in a file of their own.
import type { State } from "./state";
import { glossaryView, lessonView } from "./views/closing";
import { correctionsView } from "./views/corrections";
import { raceView } from "./views/race";
import { speedView } from "./views/speed";
import { stepperView } from "./views/stepper";
import { trainDoor } from "./views/train";
import { workshopDoor } from "./views/workshop";

export const LATER: readonly (readonly [string, (container: HTMLElement, state: State) => void])[] = [
  ["s4", stepperView],
  ["s5", raceView],
  ["s6", speedView],
  ["s7", workshopDoor],
  ["s8", trainDoor],
  ["corrections", correctionsView],
  ["lesson", lessonView],
  ["glossary", glossaryView],
];
