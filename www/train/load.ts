// The table of pairs: fetched when the section is opened, or carried by the one-file page.
import type { inlined } from "../assets";
import { type PairTable, readPairs } from "./pairs";

const FILE = "data/turkish-pairs.bin";

/** Rejects where the file does not come whole. */
export async function loadPairs(carried: typeof inlined): Promise<PairTable> {
  const own = carried("turkish-pairs.bin");
  if (own) return readPairs(own);
  const response = await fetch(FILE);
  if (!response.ok) throw new Error(`${FILE}: ${response.status} ${response.statusText}`);
  return readPairs(new Uint8Array(await response.arrayBuffer()));
}
