// Elements from code: `h` and `svg` make them, function children and attributes follow the signals that they read.
// Text becomes text nodes and nothing else, so nothing typed by a reader can turn into markup.
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals-core";
import { onPaper, PAPER_WIDTH, printed } from "./paper";
import { inTurn } from "./schedule";

export type Kid = Node | string | number | null | undefined | false | readonly Kid[] | (() => Kid);
type Value = string | number | boolean | null | undefined;
type Styles = { [property: string]: string | number | (() => string | number) };
type Listener = (event: never) => void;
/**
 * Everything about an element beside its children, flat: attributes, plain or as functions that follow the signals they
 * read (`false`, `null` and `undefined` remove one), listeners as `onclick`, and `css`, custom properties and styles that
 * are set through CSSOM because the policy forbids style attributes.
 */
export interface Props {
  css?: Styles;
  [name: string]: Value | (() => Value) | Listener | Styles;
}

let scope: (() => void)[] | undefined;

/**
 * Draws now, and again a little later each time a signal that it read changes: redraws queue up and run in short tasks.
 * Ends what was watched inside it each time it runs again.
 */
export function watch(run: () => void): void {
  let inner: (() => void)[] = [];
  const clear = () => {
    for (const end of inner) end();
    inner = [];
  };
  // A change makes the effect forget what it read and ask for its turn; its turn changes `turn`, and then it draws.
  const turn = signal(0);
  let due = true;
  const stop = effect(() => {
    turn.value;
    due = !due;
    if (due) {
      inTurn(() => {
        turn.value += 1;
      });
      return;
    }
    clear();
    const outer = scope;
    scope = inner;
    try {
      run();
    } finally {
      scope = outer;
    }
  });
  scope?.push(() => {
    stop();
    clear();
  });
}

function setAttribute(element: Element, name: string, value: Value): void {
  if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

function append(parent: Node, kid: Kid): void {
  if (kid === null || kid === undefined || kid === false) return;
  if (typeof kid === "string" || typeof kid === "number") parent.appendChild(document.createTextNode(String(kid)));
  else if (kid instanceof Node) parent.appendChild(kid);
  else if (typeof kid === "function") follow(parent, kid);
  else for (const one of kid) append(parent, one);
}

/**
 * Keeps the children made by `make` up to date between two markers; a lone text is changed in place. Whatever else has
 * come between them goes: a browser that translates the page puts elements of its own in place of texts.
 */
function follow(parent: Node, make: () => Kid): void {
  const start = parent.appendChild(document.createComment(""));
  const end = parent.appendChild(document.createComment(""));
  watch(() => {
    const kid = make();
    const only = start.nextSibling;
    if ((typeof kid === "string" || typeof kid === "number") && only instanceof Text && only.nextSibling === end) {
      if (only.data !== String(kid)) only.data = String(kid);
      return;
    }
    const batch = document.createDocumentFragment();
    append(batch, kid);
    while (start.nextSibling && start.nextSibling !== end) start.nextSibling.remove();
    end.before(batch);
  });
}

function dress<E extends HTMLElement | SVGElement>(element: E, args: readonly (Props | Kid)[]): E {
  const [first, ...rest] = args;
  const props = isProps(first) ? first : undefined;
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name === "css") style(element, value as Styles);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value as (event: Event) => void);
    else if (typeof value === "function") watch(() => setAttribute(element, name, (value as () => Value)()));
    else setAttribute(element, name, value as Value);
  }
  if (element instanceof HTMLElement && UNTRANSLATED.test(element.localName)) element.translate = false;
  append(element, (props ? rest : args) as readonly Kid[]);
  return element;
}

/** What a browser that translates the page must leave as it is. */
const UNTRANSLATED = /^(code|pre|output)$/;

const isProps = (arg: Props | Kid): arg is Props =>
  typeof arg === "object" && arg !== null && !(arg instanceof Node) && !Array.isArray(arg);

function style(element: HTMLElement | SVGElement, styles: Styles): void {
  for (const [name, value] of Object.entries(styles)) {
    if (typeof value === "function") watch(() => element.style.setProperty(name, String(value())));
    else element.style.setProperty(name, String(value));
  }
}

/** `h("th", { scope: "row" }, k)`; the properties may be left out: `h("td", value)`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  ...args: [Props, ...Kid[]] | Kid[]
): HTMLElementTagNameMap[K] {
  return dress(document.createElement(tag), args);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  ...args: [Props, ...Kid[]] | Kid[]
): SVGElementTagNameMap[K] {
  return dress(document.createElementNS("http://www.w3.org/2000/svg", tag), args);
}

/** An element that index.html has. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** A drawing of the sprite in index.html. */
export function icon(name: string, extra = ""): SVGElement {
  return svg("svg", { class: `ic ${extra}`, "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));
}

/**
 * The page's own strings: `code` in backticks, *strong* in asterisks, [links](#id) to elements of the page. Reader's text
 * never passes here.
 */
export function rich(text: string): Kid[] {
  return text.split(/(`[^`]+`|\*[^*]+\*|\[[^\]]+\]\(#[\w-]+\))/).map((part) => {
    const link = /^\[([^\]]+)\]\(#([\w-]+)\)$/.exec(part);
    if (link) return h("a", { class: "term", href: `#${link[2]}` }, rich(link[1] ?? ""));
    if (part.length > 2 && part.startsWith("`")) return h("code", part.slice(1, -1));
    if (part.length > 2 && part.startsWith("*")) return h("strong", ...rich(part.slice(1, -1)));
    return part;
  });
}

/** True from the moment the element comes near the screen; printing counts as seeing. */
export function near(element: Element): ReadonlySignal<boolean> {
  const seen = signal(false);
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.value = true;
      observer.disconnect();
    },
    { rootMargin: "400px" },
  );
  observer.observe(element);
  return computed(() => seen.value || printed.value);
}

/** Content width of an element in CSS pixels, whole; 0 until the first layout. On paper all have a line's width. */
export function widthOf(element: Element): ReadonlySignal<number> {
  const width = signal(0);
  new ResizeObserver(([entry]) => {
    if (entry && !onPaper.peek()) width.value = Math.floor(entry.contentRect.width);
  }).observe(element);
  return computed(() => (onPaper.value ? PAPER_WIDTH : width.value));
}
