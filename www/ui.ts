// Controls and tables that every section uses, each made in one way: a slider, a switch, a notice, a table whose columns
// are stated once, for the page and for the files.
import type { ReadonlySignal, Signal } from "@preact/signals-core";
import { h, icon, type Kid, type Props, watch } from "./dom";
import type { CellValue, TableData } from "./export";
import type { Language } from "./format";

export interface SliderOptions {
  readonly id: string;
  readonly label: () => Kid;
  readonly min: number | (() => number);
  readonly max: number | (() => number);
  readonly step?: number;
  readonly value: () => number;
  readonly set: (value: number) => void;
  /** The value in words, shown beside the slider and read out. */
  readonly text: () => string;
}

export function slider(options: SliderOptions): HTMLElement {
  const { id, step = 1 } = options;
  const of = (bound: number | (() => number)) => String(typeof bound === "number" ? bound : bound());
  const input = h("input", { id, type: "range", step, oninput: () => options.set(input.valueAsNumber) });
  watch(() => {
    // The bounds first: a value outside them would be moved.
    input.min = of(options.min);
    input.max = of(options.max);
    input.value = String(options.value());
    input.setAttribute("aria-valuetext", options.text());
  });
  return h("label", { class: "range" }, h("span", options.label), h("output", options.text), input);
}

export function toggle(options: { id: string; label: () => Kid; on: Signal<boolean> }): HTMLElement {
  const { id, label, on } = options;
  const input = h("input", {
    id,
    type: "checkbox",
    role: "switch",
    onchange: () => {
      on.value = input.checked;
    },
  });
  watch(() => {
    input.checked = on.value;
  });
  return h("label", { class: "switch" }, input, h("span", label));
}

export interface Choice {
  /** With the segment's name the id of its radio button. */
  readonly value: string;
  readonly label: () => Kid;
  /** What a screen reader says and a pointer is told, where the label is a drawing or an abbreviation. */
  readonly name: () => string;
  readonly on: () => boolean;
  readonly act: () => void;
}

/** Radio buttons as one bar. */
export function segment(name: string, label: () => string, choices: readonly Choice[]): HTMLElement {
  return h(
    "div",
    { class: `seg ${name}`, role: "radiogroup", "aria-label": label },
    choices.map((one) => {
      const id = `${name}-${one.value}`;
      const input = h("input", {
        id,
        type: "radio",
        name,
        value: one.value,
        "aria-label": one.name,
        onchange: one.act,
      });
      watch(() => {
        input.checked = one.on();
      });
      return [input, h("label", { for: id, title: one.name }, one.label)];
    }),
  );
}

export interface NoticeOptions {
  readonly id?: string;
  /** A warning has a sign and is amber; a note is neither. */
  readonly kind: "warning" | "note";
  /** `undefined` hides the notice. */
  readonly text: () => Kid;
  /** "alert" interrupts a screen reader, "status" waits for it. */
  readonly role?: "status" | "alert";
}

/** A line that is there only while it has something to say. */
export function notice({ id, kind, text, role = "status" }: NoticeOptions, ...more: Kid[]): HTMLElement {
  const warning = kind === "warning";
  const words = h("span", text);
  const root = h("p", { id, class: warning ? "warnline" : "note info", role }, warning && icon("warn"), words, more);
  watch(() => {
    const said = text();
    root.hidden = said === undefined || said === null || said === false || said === "";
  });
  return root;
}

/** What a column says of a row: to the files by `value`, to the page by `show` where that is not the same. */
export interface Column<Row> {
  /** Name in files; stays the same in all languages. */
  readonly key: string;
  readonly label: () => string;
  readonly numeric?: boolean;
  readonly value: (row: Row, index: number) => CellValue;
  readonly show?: (row: Row, index: number) => Kid;
  /** Where the column is, if not on both. */
  readonly only?: "page" | "files";
  /** Class of its cells, and of the head unless `head` makes one. */
  readonly class?: string;
  readonly head?: () => HTMLElement;
}

export interface TableOptions<Row> {
  readonly id?: string;
  readonly class?: string;
  readonly caption: () => string;
  readonly columns: readonly Column<Row>[];
  readonly rows: () => readonly Row[];
  /** Properties of a row's element. */
  readonly row?: (row: Row, index: number) => Props;
  /** Changes a row's element once it is made: ties it to a token. */
  readonly tie?: (element: HTMLElement, row: Row) => void;
  /** More rows under the last. */
  readonly more?: () => Kid;
  readonly foot?: Kid;
  readonly hidden?: () => boolean;
}

/** A table of the page. Roles are spelled out because phones show some tables as cards, which would take them away. */
export function table<Row>(lang: ReadonlySignal<Language>, options: TableOptions<Row>): HTMLElement {
  const { id, columns, hidden } = options;
  const shown = columns.filter((column) => column.only !== "files");
  const names = (column: Column<Row>) => [column.numeric && "num", column.class].filter(Boolean).join(" ") || undefined;
  const head = (column: Column<Row>) => {
    if (column.head) return column.head();
    // A column of bars has no name of its own.
    if (column.label() === "") return h("td", { class: names(column) });
    return h("th", { scope: "col", role: "columnheader", class: names(column) }, column.label);
  };
  const line = (row: Row, index: number) => {
    const cells = shown.map((column, i) => {
      const content = column.show ? column.show(row, index) : cellText(lang.value, column.value(row, index));
      return i === 0
        ? h("th", { scope: "row", role: "rowheader", class: names(column), "data-l": column.label() }, content)
        : h("td", { role: "cell", class: names(column), "data-l": column.label() }, h("span", content));
    });
    const element = h("tr", { role: "row", ...options.row?.(row, index) }, cells);
    options.tie?.(element, row);
    return element;
  };
  return h(
    "table",
    { id, class: options.class, role: "table", hidden },
    h("caption", { class: "sr" }, options.caption),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, shown.map(head))),
    h("tbody", { role: "rowgroup" }, () => options.rows().map(line), options.more),
    options.foot && h("tfoot", { role: "rowgroup" }, options.foot),
  );
}

/** The same table for the files. */
export function tableData<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): TableData {
  const kept = columns.filter((column) => column.only !== "page");
  return {
    columns: kept.map(({ key, label, numeric }) => ({ key, label: label(), ...(numeric ? { numeric } : {}) })),
    rows: rows.map((row, index) => kept.map((column) => column.value(row, index))),
  };
}

/** A number as the page writes it: six significant digits, a true minus, the language's point. */
export function cellText(lang: Language, value: CellValue): string {
  if (typeof value === "string") return value;
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  const signed = text.replace("-", "−");
  return lang === "tr" ? signed.replace(".", ",") : signed;
}
