// Code in a link: a version digit, then exercise and code, deflated, in base64 for addresses.
import { IDS, type Id } from "./exercises/exercise";

/** Longest code that is kept or read, in UTF-16 units. */
export const CODE_LIMIT = 20_000;
/** Bytes that a link may unfold to. */
const MAX_BYTES = 80_000;

export interface Shared {
  readonly id: Id;
  readonly code: string;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
  most: number,
): Promise<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    length += read.value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("too long");
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export async function toLink({ id, code }: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(`${id}\n${code.slice(0, CODE_LIMIT)}`);
  const small = await through(bytes, new CompressionStream("deflate-raw"), Number.POSITIVE_INFINITY);
  let binary = "";
  for (const byte of small) binary += String.fromCharCode(byte);
  return `1${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** What a link holds; undefined for one that is cut off, of another version, or no link of ours. */
export async function fromLink(text: string): Promise<Shared | undefined> {
  if (!/^1[\w-]+$/.test(text) || text.length > MAX_BYTES) return undefined;
  try {
    const binary = atob(text.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    const all = await through(bytes, new DecompressionStream("deflate-raw"), MAX_BYTES);
    const words = new TextDecoder("utf-8", { fatal: true }).decode(all);
    const end = words.indexOf("\n");
    const id = IDS.find((one) => one === words.slice(0, end));
    const code = words.slice(end + 1);
    return id && code.length <= CODE_LIMIT ? { id, code } : undefined;
  } catch {
    return undefined;
  }
}
