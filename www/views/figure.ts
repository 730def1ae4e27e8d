// The frame of every view: a title, a legend, its table, and downloads as PNG, CSV and JSON.
import { effect, type Signal, signal, untracked } from "@preact/signals-core";
import { h, type Kid, watch } from "../dom";
import type { CellValue, TableData } from "../export";
import { count } from "../format";
import { forPaper } from "../look";
import type { State } from "../state";
import { cellText, table } from "../ui";
import { say } from "./toast";

/** Rows of an opened table that go into the page; the files have them all. */
const TABLE_ROWS = 100;

export interface FigureOptions {
  /** Used for the element's id, the test id and file names. */
  readonly id: string;
  readonly title: () => Kid;
  /** Plain words of the title, for labels. */
  readonly name: () => string;
  readonly legend?: Kid;
  readonly data: () => TableData;
  /** A fuller table for the files, where the one on the page is an extract. */
  readonly full?: () => TableData;
  /** The view is itself a table, so none is offered under it. */
  readonly isTable?: boolean;
  /** What the JSON says beside the rows, over and above what every figure says; `undefined` leaves a thing out. */
  readonly facts?: () => { readonly [name: string]: string | number | undefined };
  /** Whether there is nothing to download because nothing has been measured yet. */
  readonly empty?: () => boolean;
}

type Files = typeof import("../export");

/** Loaded at the first export. */
const loadFiles = (): Promise<Files> => import("../export");

const figures = new WeakMap<State, Map<string, () => TableData>>();

/** The tables of all figures by their ids, for the file that holds everything. */
export function figuresOf(state: State): Map<string, () => TableData> {
  let all = figures.get(state);
  if (!all) {
    all = new Map();
    figures.set(state, all);
  }
  return all;
}

export function figure(container: HTMLElement, state: State, options: FigureOptions, ...body: Kid[]): HTMLElement {
  const { id, isTable = false } = options;
  const open = signal(false);
  const tools = h(
    "span",
    { class: "tools" },
    !isTable && tableButton(state, options, open),
    downloads(state, options, () => root),
  );
  const root: HTMLElement = h(
    "div",
    { class: () => (options.empty?.() ? "fig unmeasured" : "fig"), id, "data-testid": id },
    h("header", h("h3", options.title), options.legend, tools),
    body,
    !isTable && numbers(state, options, open),
  );
  onReset(state, () => {
    open.value = false;
  });
  figuresOf(state).set(id, options.full ?? options.data);
  container.append(root);
  return root;
}

function tableButton(state: State, options: FigureOptions, open: Signal<boolean>): HTMLElement {
  const { t } = state;
  const name = () => (open.value ? t.value.figure.hideTable : t.value.figure.table);
  return h(
    "button",
    {
      class: "quiet",
      type: "button",
      "data-export": "table",
      "aria-expanded": () => String(open.value),
      "aria-controls": `${options.id}-table`,
      "aria-label": () => `${options.name()}: ${name()}`,
      onclick: () => {
        open.value = !open.value;
      },
    },
    name,
  );
}

/** The figure's numbers as a table, while it is open. */
function numbers(state: State, options: FigureOptions, open: Signal<boolean>): HTMLElement {
  const box = h("div", { class: "data", id: `${options.id}-table` });
  watch(() => {
    box.hidden = !open.value;
    box.replaceChildren();
    if (open.value) box.append(...tableOf(state, options.data(), options.name()));
  });
  return box;
}

/** Buttons for a picture, CSV and JSON, and what a screen reader hears of them. */
function downloads(state: State, options: FigureOptions, root: () => HTMLElement): Kid {
  const { t } = state;
  const note = signal<() => string>(() => "");
  const file = (kind: string) => `gomme-${options.id}.${kind}`;
  const facts = () => ({
    figure: options.id,
    text: (state.head.peek() + state.tail.peek()).slice(0, 20_000),
    adapter: state.device.peek()?.adapter?.name ?? state.device.peek()?.backend ?? "",
    software: state.device.peek()?.adapter?.software ?? true,
    made: new Date().toISOString(),
    ...options.facts?.(),
  });
  /** Calls `act` with the table and the export functions; an empty table makes no file. */
  const withRows = async (act: (table: TableData, files: Files) => void) => {
    const table = untracked(options.full ?? options.data);
    if (table.rows.length === 0) return say(state, { text: () => t.value.figure.nothing });
    try {
      act(table, await loadFiles());
    } catch (error) {
      say(state, { text: () => `${t.value.failed} ${error instanceof Error ? error.message : error}` });
    }
  };
  const picture = async () => {
    note.value = () => t.value.figure.working;
    try {
      const ground = getComputedStyle(document.body).backgroundColor;
      const { png, save } = await loadFiles();
      save(file("png"), await png(root(), ground), "image/png");
      note.value = () => "";
    } catch {
      note.value = () => t.value.figure.failed;
    }
  };
  const json = (table: TableData, { records }: Files) => JSON.stringify({ ...facts(), rows: records(table) }, null, 1);
  const button = (kind: string, act: () => void) =>
    h(
      "button",
      {
        class: "quiet",
        type: "button",
        "data-export": kind,
        disabled: () => kind !== "png" && options.empty?.() === true,
        "aria-label": () => t.value.figure.save(options.name(), kind.toUpperCase()),
        onclick: act,
      },
      kind.toUpperCase(),
    );
  return [
    button("png", () => void picture()),
    button("csv", () => void withRows((table, { csv, save }) => save(file("csv"), csv(table), "text/csv"))),
    button(
      "json",
      () => void withRows((table, files) => files.save(file("json"), json(table, files), "application/json")),
    ),
    h("span", { class: "sr", role: "status" }, () => note.value()),
  ];
}

/** Columns whose numbers name something, and so are written without groups. */
const NAMES = /^(id|row|position|s|start|end|thread|index|neighbour)$/;

/** An accessible table in a box that scrolls by itself, by keyboard too. */
function tableOf(state: State, data: TableData, name: string): Node[] {
  const columns = data.columns.map(({ key, label, numeric = false }, i) => ({
    key,
    label: () => label,
    numeric,
    value: (row: readonly CellValue[]) => row[i] ?? "",
    show: (row: readonly CellValue[]) => {
      const value = row[i] ?? "";
      const counts = numeric && Number.isInteger(value) && !NAMES.test(key);
      return counts ? count(state.lang.value, Number(value)) : cellText(state.lang.value, value);
    },
  }));
  const rows = data.rows.slice(0, TABLE_ROWS);
  const box = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": name },
    table(state.lang, { caption: () => name, columns, rows: () => rows }),
  );
  if (data.rows.length <= TABLE_ROWS) return [box];
  return [box, h("p", { class: "note" }, state.t.value.figure.more(TABLE_ROWS, data.rows.length))];
}

/** Calls `forget` at each Reset, to close what was opened and drop what was measured. */
export function onReset(state: State, forget: () => void): void {
  let seen = state.resets.peek();
  effect(() => {
    if (state.resets.value === seen) return;
    seen = state.resets.value;
    untracked(forget);
  });
}

/** A question to think about, with its answer folded in. */
export function question(container: HTMLElement, ask: () => Kid, answer: () => Kid, label: () => string): void {
  const details = h(
    "details",
    { class: "ask" },
    h("summary", h("span", { class: "tag" }, label), h("span", ask)),
    h("p", answer),
  );
  forPaper(details);
  container.append(details);
}
