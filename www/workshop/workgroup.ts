// The workgroup size is the reader's: read from the text, so that the grid can be made to fit.
import { closing } from "./bound";
import { TroubleError } from "./gpu";
import { meaningful, type Token } from "./wgsl";

export interface Size {
  /** Threads of a workgroup. */
  readonly threads: number;
}

interface Limits {
  readonly maxComputeInvocationsPerWorkgroup: number;
  readonly maxComputeWorkgroupSizeX: number;
  readonly maxComputeWorkgroupSizeY: number;
  readonly maxComputeWorkgroupSizeZ: number;
}

/** The size of each entry point; throws what is wrong with it. */
export function workgroupSizes(source: string, entries: readonly string[], limits: Limits): Size[] {
  const words = meaningful(source);
  return entries.map((entry) => {
    const at = words.findIndex(({ text }, i) => text === "fn" && words[i + 1]?.text === entry);
    const attribute = lastBefore(words, at, "@workgroup_size");
    if (at < 0 || attribute < 0) throw new TroubleError({ kind: "no-entry", entry });
    const parts = split(words.slice(attribute + 2, closing(words, attribute + 1)));
    const [x = Number.NaN, y = 1, z = 1] = parts.map((part) => numberOf(part, words));
    if (![x, y, z].every((side) => Number.isInteger(side) && side > 0)) {
      throw new TroubleError({ kind: "group-unknown", entry });
    }
    const axes = [
      ["x", x, limits.maxComputeWorkgroupSizeX],
      ["y", y, limits.maxComputeWorkgroupSizeY],
      ["z", z, limits.maxComputeWorkgroupSizeZ],
      ["all", x * y * z, limits.maxComputeInvocationsPerWorkgroup],
    ] as const;
    for (const [axis, asked, most] of axes) {
      if (asked > most) throw new TroubleError({ kind: "group-limit", asked, most, axis });
    }
    return { threads: x * y * z };
  });
}

/** The attribute of the declaration that `at` stands in. */
function lastBefore(words: readonly Token[], at: number, name: string): number {
  for (let i = at - 1; i >= 0; i--) {
    const text = words[i]?.text.replace(/\s/g, "");
    if (text === name) return i;
    if (text === ";" || text === "}") return -1;
  }
  return -1;
}

function split(words: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const word of words) {
    if (word.text === ",") parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts.filter((part) => part.length > 0);
}

/** A number, or the name of a constant that is one. */
function numberOf(part: readonly Token[], words: readonly Token[], depth = 0): number {
  const [word] = part;
  if (part.length !== 1 || !word || depth > 4) return Number.NaN;
  if (word.kind === "number") return Number(word.text.replace(/[iu]$/, ""));
  const at = words.findIndex(
    ({ text }, i) => text === word.text && /^(const|override)$/.test(words[i - 1]?.text ?? ""),
  );
  const equals = words.findIndex(({ text }, i) => i > at && text === "=");
  const end = words.findIndex(({ text }, i) => i > equals && text === ";");
  return at < 0 || equals < 0 || end < 0 ? Number.NaN : numberOf(words.slice(equals + 1, end), words, depth + 1);
}
