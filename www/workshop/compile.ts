// What can be said of a text without running it: the compiler's messages, and whether a kernel can be made of it at all. A
// text that compiles by itself may still have no entry point of the right name, too large a workgroup, or a call that the
// browser's next stage refuses; whoever is told "no errors" must be able to run it.
import type { Exercise } from "./exercises/exercise";
import { check, limits, prepare, TroubleError } from "./gpu";
import type { Message, Trouble } from "./types";
import { meaningful } from "./wgsl";
import { workgroupSizes } from "./workgroup";

export interface Compiled {
  readonly messages: readonly Message[];
  /** Why it can't be run although it compiles. */
  readonly trouble?: Trouble | undefined;
}

const isError = ({ kind }: Message) => kind === "error";

export async function compiled({ passes }: Exercise, source: string): Promise<Compiled> {
  const told = await check(source);
  const messages = told.some(isError) ? told : [...told, ...undeclared(source)];
  if (messages.some(isError)) return { messages };
  const entries = passes.map(({ entry }) => entry);
  try {
    workgroupSizes(source, entries, await limits());
    await prepare(source, entries);
    return { messages };
  } catch (error) {
    // Of a device that is lost or can't be had, running tells.
    if (!(error instanceof TroubleError) || /^(?:lost|no-device|hanging)$/.test(error.trouble.kind)) throw error;
    return { messages, trouble: error.trouble };
  }
}

/** Calls of `print`, which Chromium's compiler knows and its next stage does not. */
export function undeclared(source: string): Message[] {
  const words = meaningful(source);
  const own = words.some(({ text }, i) => text === "print" && words[i - 1]?.text === "fn");
  if (own) return [];
  return words.flatMap(({ kind, text, from, to }, i) => {
    if (kind !== "word" || text !== "print" || words[i + 1]?.text !== "(") return [];
    const line = source.slice(0, from).split("\n").length;
    const says = "unresolved call target 'print'";
    return [{ kind: "error", line, from, to, text: says, all: says } as const];
  });
}
