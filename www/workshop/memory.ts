// Drafts, solved exercises and the code that was running, kept by the browser where it can; without it, for this visit.
import type { Id } from "./exercises/exercise";
import { CODE_LIMIT } from "./link";

const KEY = "gomme:workshop:";
/** Stands in where the browser keeps nothing: storage is refused, full, or not there for a file from disk. */
const visit = new Map<string, string>();

function get(key: string): string | undefined {
  try {
    return localStorage.getItem(KEY + key) ?? visit.get(key);
  } catch {
    return visit.get(key);
  }
}

function set(key: string, value: string | undefined): void {
  if (value === undefined) visit.delete(key);
  else visit.set(key, value);
  try {
    if (value === undefined) localStorage.removeItem(KEY + key);
    else localStorage.setItem(KEY + key, value);
  } catch {
    // The visit's own memory has it.
  }
}

export const draftOf = (id: Id): string | undefined => get(`draft:${id}`)?.slice(0, CODE_LIMIT);
export const keepDraft = (id: Id, code: string | undefined): void => set(`draft:${id}`, code);

export const solved = (): Set<string> => new Set((get("solved") ?? "").split(" ").filter(Boolean));
export function keepSolved(id: Id): void {
  set("solved", [...solved().add(id)].join(" "));
}

export const lastOpened = (): string | undefined => get("open");
export const keepOpened = (id: Id): void => set("open", id);

/** A short name of a text. */
export function hashOf(text: string): string {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

/** Written before a submit and taken away after it: what is found here at the start took the page down. */
export const running = (): string | undefined => get("running");
export const setRunning = (code: string | undefined): void => set("running", code && `running:${hashOf(code)}`);
export const tookDown = (code: string): boolean => running() === `running:${hashOf(code)}`;
