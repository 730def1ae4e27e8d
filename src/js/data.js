// Where the bundled files come from: beside the package, or wherever `init({ data })` says.

import { gommeError } from "./results.js";

// One literal `new URL("…", import.meta.url)` a file, because that is what bundlers look for: they copy the file and put its new
// address there. Relative to the built gomme.js, into which this module goes.
const bundled = {
  "turkish-16k.pack": () => new URL("data/turkish-16k.pack", import.meta.url),
  "turkish-16k-384.i8": () => new URL("data/turkish-16k-384.i8", import.meta.url),
  "turkish-16k-384.scale.f32": () => new URL("data/turkish-16k-384.scale.f32", import.meta.url),
};

let source = (name) => bundled[name]();

/** From now on `give(name)` is asked for files: it gives a string, URL, Response, ArrayBuffer, view, or a promise of one. */
export function useData(give) {
  source = give;
}

/**
 * Resolves to the bytes of a file; `onProgress(before + loaded, total)` is called while they arrive. Rejects with an error whose
 * message is for people. An AbortSignal ends the fetching.
 */
export async function load(name, onProgress, before, total, signal) {
  const report = (loaded) => {
    try {
      onProgress?.(before + loaded, total);
    } catch {
      // What a progress callback throws is not the package's to handle.
    }
  };
  try {
    const bytes = await toBytes(await source(name), report, signal);
    if (looksLikeHtml(bytes)) throw new Error(htmlInstead("what came instead is HTML"));
    return bytes;
  } catch (error) {
    if (error?.name === "GommeError") throw error;
    throw new Error(`data/${name} could not be loaded: ${messageOf(error)}`);
  }
}

async function toBytes(given, report, signal) {
  const bytes = viewOf(given);
  if (bytes !== undefined) {
    report(bytes.length);
    return bytes;
  }
  if (typeof given !== "string" && !(given instanceof URL) && !(given instanceof Response)) {
    const kind = given === null ? "null" : typeof given;
    throw gommeError(
      "invalid-argument",
      `init's data(name) must give a string, URL, Response, ArrayBuffer or view, or a promise of one, not ${kind}.`,
    );
  }
  if (given instanceof Response) return readAll(given, report);
  const inNode = 'data: (name) => readFile(new URL(import.meta.resolve("gomme/data/" + name)))';
  return readAll(await fetchFile(given, inNode, signal), report);
}

/** The bytes of an ArrayBuffer or of a view of one, of this window or another; undefined for anything else. */
export function viewOf(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const tag = Object.prototype.toString.call(value);
  return tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]" ? new Uint8Array(value) : undefined;
}

/** `fetch`, with an explanation for addresses that it cannot read: `inNode` is the option of `init` that gives the bytes there. */
export async function fetchFile(address, inNode, signal) {
  try {
    return await fetch(address, { signal });
  } catch (error) {
    if (!String(address).startsWith("file:")) throw error;
    const instead = globalThis.process?.versions?.node
      ? `In Node: init({ ${inNode} }), with readFile of node:fs/promises.`
      : "Serve the files over HTTP, or pass their bytes to init.";
    throw new Error(`fetch cannot read file: addresses. ${instead}`);
  }
}

/** Refuses a response without the file. */
export function checkStatus(response) {
  if (response.ok) return;
  throw new Error(`the server answered ${response.status} for ${response.url || "it"}. ${ADVICE}`);
}

const ADVICE =
  "The package's files must be at that address: copy them there (esbuild and Rollup don't), or tell init where they are.";

async function readAll(response, report) {
  checkStatus(response);
  const chunks = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let step = await reader?.read(); step && !step.done; step = await reader.read()) {
    chunks.push(step.value);
    length += step.value.length;
    report(length);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  if (looksLikeHtml(bytes)) throw new Error(htmlInstead(`${response.url} is HTML`));
  return bytes;
}

export function looksLikeHtml(bytes) {
  return /^\s*<(!doctype|!--|html|head|body)/i.test(String.fromCharCode(...bytes.subarray(0, 200)));
}

export function htmlInstead(what) {
  return `${what}. A server that answers unknown addresses with a page does that. ${ADVICE}`;
}

export const messageOf = (error) => (error instanceof Error && error.message ? error.message : String(error));
