// Verdicts in words: one sentence with an address.
import { count, exact, floatOf, hex, type Language, short } from "../format";
import type { State } from "../state";
import type { Job } from "./case";
import type { Exercise } from "./exercises/exercise";
import type { Fault, Verdict } from "./judge";
import type { Words } from "./strings/tr";
import type { Trouble } from "./types";

/** A number by its bits; NaN with them, since there are many. */
export function numberOf(state: State, bits: number): string {
  const value = floatOf(bits);
  return Number.isNaN(value) ? `NaN (${hex(bits)})` : grouped(state.lang.value, exact(state.lang.value, value));
}

/** Digits in front of the point in groups of three, as counts have them. */
const grouped = (lang: Language, text: string) =>
  text.replace(/^(−?)(\d{4,})(?![\d]* · )/, (_, sign: string, whole: string) => sign + count(lang, Number(whole)));

/** Two numbers that must not look alike. */
function pair(state: State, a: number, b: number): [string, string] {
  const [x, y] = [numberOf(state, a), numberOf(state, b)];
  return x === y ? [`${x} (${hex(a)})`, `${y} (${hex(b)})`] : [x, y];
}

export const nameOf = (words: Words, id: string): string => words.cases[id] ?? id;

export function sizesOf(state: State, words: Words, { n, d }: Job): string {
  const { lang } = state;
  return words.sizes(count(lang.value, n), count(lang.value, d));
}

export function faultSays(state: State, words: Words, exercise: Exercise, fault: Fault): string {
  const cell = `${exercise.output}[${fault.index}]`;
  const [want, got] = pair(state, fault.want, fault.got);
  const n = (value: number) => count(state.lang.value, value);
  switch (fault.kind) {
    case "beyond":
      return `${words.beyond(cell, n(fault.expected.length), got)}${clamped(fault) ? ` ${words.clamped}` : ""}`;
    case "unwritten":
      return words.unwritten(cell, want);
    case "differs":
      return words.differs(cell, want, got);
    case "lost":
      return words.lost(cell, want, got, n(floatOf(fault.want) - floatOf(fault.got)));
    default:
      return `${words.value(cell, want, got)}${tooFar(state, words, fault)}`;
  }
}

/** The one sentinel that was overwritten is the last element of the buffer, where indices beyond its end can land. */
const clamped = ({ wrong, words }: Fault) => wrong.length === 1 && wrong[0] === words.length - 1;

/** Where some error is allowed: how large it was, and how large it may be. */
function tooFar(state: State, words: Words, { allowed, want, got }: Fault): string {
  const off = Math.abs(floatOf(want) - floatOf(got));
  if (!allowed || !Number.isFinite(off)) return "";
  const { lang } = state;
  return ` ${words.tooFar(short(lang.value, off), short(lang.value, allowed.slack), count(lang.value, allowed.hits))}`;
}

/** Where the wrong number stands: its thread and token, or its row and who wants it. */
export function placeSays(
  state: State,
  words: Words,
  exercise: Exercise,
  { job, index, expected }: Fault,
  group: number,
): string {
  if (index >= expected.length) return "";
  const n = (value: number) => count(state.lang.value, value);
  if (exercise.gradient) {
    const row = Math.floor(index / job.d);
    const hits = job.tokens.filter((token) => token === row).length;
    return words.placeCell(n(row), n(index % job.d), n(hits));
  }
  const token = job.tokens[Math.floor(index / job.d)] ?? 0;
  return words.placeOut(n(index), n(Math.floor(index / Math.max(1, group))), n(token));
}

/** What stopped the judging. */
export function troubleSays(words: Words, trouble: Trouble): string {
  const { trouble: told } = words;
  switch (trouble.kind) {
    case "hanging":
      return told.hanging(trouble.seconds);
    case "no-entry":
    case "group-unknown":
      return told[trouble.kind](trouble.entry);
    case "group-limit":
      return trouble.axis === "all"
        ? told.groupAll(trouble.asked, trouble.most)
        : told.groupAxis(trouble.axis, trouble.asked, trouble.most);
    default:
      return told[trouble.kind];
  }
}

/** The first words of a verdict; `rich` text. */
export function verdictSays(state: State, words: Words, exercise: Exercise, verdict: Verdict): string {
  switch (verdict.kind) {
    case "passed": {
      const many = verdict.results.length;
      if (verdict.doubt) return words.floatCheck;
      if (exercise.sameBits) return words.passedSame(many);
      return exercise.id === "race" ? words.passedHere(many) : words.passed(many);
    }
    case "failed": {
      const head = words.failed(nameOf(words, verdict.id), sizesOf(state, words, verdict.fault.job));
      return `${head} ${faultSays(state, words, exercise, verdict.fault)}`;
    }
    case "rule":
      return words.rules[verdict.rule];
    case "endless":
      return `${words.inCase(nameOf(words, verdict.id))} ${words.endless(verdict.loop.line, verdict.loop.keyword, verdict.loop.limit)}`;
    default: {
      const where = verdict.id ? `${words.inCase(nameOf(words, verdict.id))} ` : "";
      return where + troubleSays(words, verdict.trouble);
    }
  }
}
