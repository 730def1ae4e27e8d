// What follows the first lookup, in a file of its own: the second halves of sections 1 and 2, all of the others, and what
// computes for them. The page loads it once the first lookup is on the screen, or when the reader is on the way there.
import { keepGradient } from "./engine/gradient";
import { keepNeighbours } from "./engine/neighbours";
import type { State } from "./state";
import css from "./styles/later.css" with { type: "text" };
import { cellView } from "./views/cell";
import { glossaryView, lessonView } from "./views/closing";
import { correctionsView } from "./views/corrections";
import { footView } from "./views/foot";
import { gradientView } from "./views/gradient";
import { hitsView } from "./views/hits";
import { likenessView } from "./views/likeness";
import { raceView } from "./views/race";
import { speedView } from "./views/speed";
import { splitsView } from "./views/splits";
import { stepperView } from "./views/stepper";
import { trainDoor } from "./views/train";
import { workshopDoor } from "./views/workshop";

export { keepGradient, keepNeighbours };

type Views = readonly (readonly [string, (container: HTMLElement, state: State) => void])[];

/** What must be there before the page says that it is ready. */
export const SOON: Views = [
  ["cellbox", cellView],
  ["s3", gradientView],
  ["s3", hitsView],
  ["s1", splitsView],
  ["s2", likenessView],
  ["foot", footView],
];

export const LATER: Views = [
  ["s4", stepperView],
  ["s5", raceView],
  ["s6", speedView],
  ["s7", workshopDoor],
  ["s8", trainDoor],
  ["corrections", correctionsView],
  ["lesson", lessonView],
  ["glossary", glossaryView],
];

/** Their styles, after the page's own. */
export function dress(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
