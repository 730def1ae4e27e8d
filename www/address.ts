// The state in the address: settings travel in the part after #, which browsers never send to a server. A link is exactly
// its state: what is left out is the default, and nothing of an older address survives.
import { batch, effect } from "@preact/signals-core";
import { settings } from "./settings";
import { DEFAULT_TEXT, isDefaultText, LINK_LIMIT, type State, setText } from "./state";
import { encodeValue, fitting } from "./text";

interface Location {
  readonly href: string;
  readonly search: string;
  readonly hash: string;
}

interface Written {
  /** The part after #, without it. */
  readonly fragment: string;
  /** UTF-16 units of the text that it carries. */
  readonly carried: number;
}

/** Characters of the address that one long setting leaves to the beginning of the text, and as many to the other settings. */
const TEXT_ROOM = 1_000;

/**
 * What differs from the first visit, in at most so many characters: of a text too long for that, the beginning; and without a
 * setting (the reader's code) that alone would leave no room for it.
 */
function write(state: State, room: number): Written {
  const asFirst = isDefaultText(state);
  const text = asFirst ? "" : (state.head.value + state.tail.value.slice(0, LINK_LIMIT)).slice(0, LINK_LIMIT);
  const least = Math.min(TEXT_ROOM, encodeValue(text.slice(0, TEXT_ROOM)).length);
  const others = settings(state).flatMap((one) => {
    const value = one.written();
    const pair = `${one.key}=${encodeValue(value ?? "")}`;
    return value === undefined || pair.length > room - least - TEXT_ROOM ? [] : [pair];
  });
  const length = state.head.value.length + state.tail.value.length;
  if (asFirst) return { fragment: others.join("&"), carried: length };
  const left = room - others.join("&").length - "m=&".length;
  const part = fitting(text, left);
  return { fragment: [`m=${encodeValue(part)}`, ...others].join("&"), carried: part.length };
}

/** The address without the settings that older links had after the question mark, and without what follows #. */
function base(state: State, location: Location): string {
  const [address = "", search = ""] = location.href.replace(/#.*$/s, "").split(/\?(.*)/s);
  const known = new Set(["m", ...settings(state).map((one) => one.key)]);
  const foreign = search.split("&").filter((one) => one !== "" && !known.has(one.split("=")[0] ?? ""));
  return foreign.length > 0 ? `${address}?${foreign.join("&")}` : address;
}

export interface Link {
  readonly href: string;
  /** UTF-16 units of the text that it carries, and of the whole text. */
  readonly carried: number;
  readonly length: number;
}

/** A link to exactly this state, for the class; at most LINK_LIMIT characters long. */
export function link(state: State, location: Location): Link {
  const start = base(state, location);
  const { fragment, carried } = write(state, LINK_LIMIT - start.length - 1);
  return {
    href: fragment ? `${start}#${fragment}` : start,
    carried,
    length: state.head.value.length + state.tail.value.length,
  };
}

/** An id of the page in place of settings, as in `#s4` or `#glossary`. */
export function anchorOf(location: Location): string | undefined {
  return /^#(s[0-8]|later|corrections|lesson|glossary|g-[a-z0-9]+)$/.exec(location.hash)?.[1];
}

/**
 * Puts the state of an address in place: from `#...`, or else from `?...`; what neither says is the default. Values that are
 * empty or impossible are passed over, and so is one that has been given before.
 */
export function fromAddress(state: State, location: Location): void {
  const given = [...new URLSearchParams(location.hash.slice(1)), ...new URLSearchParams(location.search)];
  const values = (key: string) => given.filter(([name]) => name === key).map(([, value]) => value);
  batch(() => {
    setText(state, values("m")[0] ?? DEFAULT_TEXT);
    for (const one of settings(state)) {
      if (!values(one.key).some((value) => one.take(value))) one.clear();
    }
    const section = /^s([0-8])$/.exec(anchorOf(location) ?? "");
    if (section) state.section.value = Number(section[1]);
  });
}

/**
 * What a history entry remembers beside its address: by number, a text too long for it, and the place that was left by a link.
 * The numbers are of one load of the page; after another they would lead to something else.
 */
interface Entry {
  readonly load?: number;
  readonly text?: number;
  readonly place?: number | undefined;
}

/** What `keepAddress` offers. */
export interface Visits {
  /** Starts a new history entry; who goes back from it is brought by `back` to where this one was left. */
  leave(back: () => void): void;
}

/** Keeps the address current, a moment after the last change, and follows it where the reader changes it or goes back. */
export function keepAddress(state: State, arrived: () => void): Visits {
  const texts: string[] = [];
  const places: (() => void)[] = [];
  let timer = 0;
  let shown = location.hash;
  const load = performance.timeOrigin;
  const entryNow = (): Entry => {
    const entry = (history.state ?? {}) as Entry;
    return entry.load === load ? entry : {};
  };
  const flush = () => {
    clearTimeout(timer);
    const { href, carried, length } = link(state, location);
    const { place } = entryNow();
    const entry: Entry = {
      load,
      ...(place !== undefined && { place }),
      ...(carried < length && { text: numberOf(state.head.value + state.tail.value, texts) }),
    };
    if (href === location.href && entry.text === entryNow().text) return;
    try {
      history.replaceState(entry, "", href);
    } catch {
      // A page opened from disk may only change the part after #; elsewhere the browser asks for patience.
      if (location.protocol === "file:") location.hash = href.split("#")[1] ?? "";
    }
    shown = location.hash;
  };
  effect(() => {
    link(state, location);
    clearTimeout(timer);
    timer = window.setTimeout(flush, 250);
  });
  // Who leaves, or goes on within the page, finds on the way back what was on the screen.
  addEventListener("pagehide", flush);
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener("navigate", (event) => {
    if ((event as Event & { navigationType?: string }).navigationType !== "replace") flush();
  });
  const placeNow = () => places[entryNow().place ?? -1];
  addEventListener("popstate", () => {
    if (location.hash === shown) placeNow()?.();
  });
  addEventListener("hashchange", () => {
    if (location.hash === shown) return;
    shown = location.hash;
    fromAddress(state, location);
    const whole = texts[entryNow().text ?? -1];
    if (whole !== undefined) setText(state, whole);
    (placeNow() ?? arrived)();
  });
  return {
    leave(back) {
      flush();
      const place = places.push(back) - 1;
      try {
        const { text } = entryNow();
        const kept = { load, ...(text !== undefined && { text }) };
        history.replaceState({ ...kept, place } satisfies Entry, "");
        history.pushState(kept satisfies Entry, "");
      } catch {
        // Without a new entry the message on the screen is the way back.
      }
    },
  };
}

/** The number of a text among those that were kept. */
function numberOf(text: string, texts: string[]): number {
  if (texts.at(-1) !== text) texts.push(text);
  return texts.length - 1;
}
