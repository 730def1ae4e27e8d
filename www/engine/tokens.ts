// Text → tokens. A long text is cut in slices, so that typing goes on while it is read.
// This, like the other jobs of the engine, is of the kind "newest wins": a new text makes the work on the old one stale.
import { batch, effect, untracked } from "@preact/signals-core";
import type { Tokenizer } from "../pkg/gomme.js";
import type { Tokens } from "../results";
import { newest, painted, pause } from "../schedule";
import { KERNEL_LIMIT, type State } from "../state";
import { cutBefore, plainSpaces } from "../text";

/** Distance of the added out-of-vocabulary id from the end of the vocabulary. */
const BEYOND = 7;

/** Units of a text's first slice: more than the chips on the screen are made of. */
const FIRST_SLICE = 1_500;
/** A text longer than this shows its first chips before the rest of it is read. */
const LONG = 8 * FIRST_SLICE;
/** Milliseconds after which the page says that it is still reading. */
const TELL_MS = 300;

/** Megabytes are worth moving only once the typing pauses. */
export async function settle(tokens: Tokens): Promise<void> {
  if (tokens.ids.length > 1024) await new Promise((resolve) => setTimeout(resolve, 150));
}

const SPACE = /[ \t\n\r]/;
const PLAIN = /[\p{L}\p{N}.,;:!?'")(-]/u;

/** Where a slice of about `size` units may end: in front of a space between plain characters, so that pieces cannot reach over it. */
function seam(text: string, from: number, size: number): { at: number; hard: boolean } {
  const wished = from + size;
  if (wished >= text.length) return { at: text.length, hard: false };
  const last = Math.min(text.length - 1, wished + 4 * size);
  for (let i = wished; i < last; i++) {
    if (SPACE.test(text.charAt(i)) && PLAIN.test(text.charAt(i - 1)) && PLAIN.test(text.charAt(i + 1))) {
      return { at: i, hard: false };
    }
  }
  const at = cutBefore(text, wished);
  return { at: at > from ? at : wished, hard: true };
}

export function keepTokens(state: State, tokenizer: Tokenizer): void {
  const size = tokenizer.vocabSize;
  const request = newest(async (stale) => {
    const text = plainSpaces(state.head.peek() + state.tail.peek());
    const beyond = state.outOfVocab.peek();
    const room = beyond ? KERNEL_LIMIT - 1 : KERNEL_LIMIT;
    const ids: number[] = [];
    const pieces: string[] = [];
    const spans: number[] = [];
    const counts = new Uint32Array(size);
    let total = 0;
    let different = 0;
    let hardCuts = 0;
    const start = performance.now();
    const tellReading = (length: number) => {
      if (performance.now() - start > TELL_MS) state.reading.value = length / text.length;
    };
    const publish = (length: number) => {
      const extra = beyond ? 1 : 0;
      const kept = Uint32Array.from({ length: ids.length + extra }, (_, i) => ids[i] ?? size + BEYOND);
      const tokens: Tokens = {
        ids: kept,
        pieces: beyond ? [...pieces, ""] : pieces.slice(),
        spans: Uint32Array.from(beyond ? [...spans, text.length, text.length] : spans),
        total: total + extra,
        counts: counts.slice(),
        different,
        length,
        hardCuts,
      };
      batch(() => {
        state.tokens.value = tokens;
        state.beginning.value = undefined;
        // What was pointed at may be gone.
        const { s, id } = state.hover.peek() ?? { s: -1, id: -1 };
        if (s >= 0 && tokens.ids[s] !== id) state.hover.value = undefined;
        if (length === text.length) state.reading.value = undefined;
        else tellReading(length);
      });
    };

    let slice = text.length > LONG ? FIRST_SLICE : 6_000;
    let shown = false;
    let began = start;
    for (let from = 0; from < text.length; ) {
      const end = seam(text, from, slice);
      const first = from === 0;
      const before = performance.now();
      const part = tokenizer.encode(text.slice(from, end.at));
      for (let i = 0; i < part.ids.length; i++) {
        const id = part.ids[i] ?? 0;
        if (!counts[id]) different += 1;
        counts[id] = (counts[id] ?? 0) + 1;
        if (ids.length < room) {
          ids.push(id);
          pieces.push(part.pieces[i] ?? "");
          spans.push(from + (part.spans[2 * i] ?? 0), from + (part.spans[2 * i + 1] ?? 0));
        }
      }
      total += part.ids.length;
      if (end.hard) hardCuts += 1;
      from = end.at;
      // Slices follow the speed of this computer: about 6 ms each.
      const took = performance.now() - before;
      slice = Math.round(Math.max(500, Math.min(60_000, (slice * 6) / Math.max(0.5, took))));
      if (first && text.length > LONG) {
        state.beginning.value = { ids: Uint32Array.from(ids), pieces: pieces.slice() };
        await painted();
        if (stale()) return;
        began = performance.now();
      }
      if (performance.now() - began > 12 && from < text.length) {
        if (!shown && ids.length >= room) {
          shown = true;
          publish(from);
        } else tellReading(from);
        await pause();
        if (stale()) return;
        began = performance.now();
      }
    }
    publish(text.length);
  });
  effect(() => {
    state.head.value;
    state.tail.value;
    state.outOfVocab.value;
    untracked(request);
  });
}
