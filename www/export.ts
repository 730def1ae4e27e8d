// What a reader can take away: tables as CSV and JSON, any picture as PNG. Made here, saved by the browser, sent nowhere.
import { pause } from "./schedule";

export type CellValue = string | number;

export interface TableData {
  readonly columns: readonly { readonly key: string; readonly label: string; readonly numeric?: boolean }[];
  readonly rows: readonly (readonly CellValue[])[];
}

export function save(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function csvCell(value: CellValue): string {
  const text = typeof value === "number" ? String(value) : value;
  // A leading = + - @ in a text would be run as a formula by spreadsheets.
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180 with CRLF, with a byte-order mark so that spreadsheets read the Turkish letters. */
export function csv(table: TableData): string {
  const lines = [table.columns.map((column) => csvCell(column.key)), ...table.rows.map((row) => row.map(csvCell))];
  return `\ufeff${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}

/** Rows as objects; numbers that JSON has no word for become strings. */
export function records(table: TableData): Record<string, CellValue>[] {
  return table.rows.map((row) =>
    Object.fromEntries(
      table.columns.map((column, i) => {
        const value = row[i] ?? "";
        return [column.key, typeof value === "number" && !Number.isFinite(value) ? String(value) : value];
      }),
    ),
  );
}

/** Computed properties that a picture of an element needs. */
const LOOKS = [
  "align-content",
  "align-items",
  "align-self",
  "background-color",
  "background-image",
  "background-position",
  "background-repeat",
  "background-size",
  "border-bottom",
  "border-collapse",
  "border-left",
  "border-right",
  "border-top",
  "border-radius",
  "bottom",
  "box-shadow",
  "box-sizing",
  "color",
  "column-gap",
  "display",
  "fill",
  "flex",
  "flex-wrap",
  "flex-direction",
  "float",
  "font",
  "font-variant-numeric",
  "gap",
  "grid-auto-flow",
  "grid-area",
  "grid-template-columns",
  "height",
  "justify-content",
  "justify-items",
  "justify-self",
  "left",
  "letter-spacing",
  "line-height",
  "list-style",
  "margin",
  "max-width",
  "min-height",
  "min-width",
  "opacity",
  "order",
  "outline",
  "overflow",
  "overflow-wrap",
  "padding",
  "position",
  "right",
  "row-gap",
  "stroke",
  "stroke-dasharray",
  "stroke-width",
  "text-align",
  "text-anchor",
  "text-decoration",
  "text-overflow",
  "text-transform",
  "top",
  "transform",
  "vertical-align",
  "visibility",
  "white-space",
  "width",
  "z-index",
];

/**
 * A picture of an element as it stands on the page: a copy with its looks written out, drawn through an SVG.
 * Elements of class `tools` stay out.
 */
export async function png(element: HTMLElement, background: string): Promise<Blob> {
  const box = element.getBoundingClientRect();
  const [pad, width, height] = [16, Math.ceil(box.width), Math.ceil(box.height)];
  let began = performance.now();
  const copy = async (from: Element): Promise<Element | undefined> => {
    if (from.classList.contains("tools") || from.classList.contains("sr") || from instanceof HTMLScriptElement)
      return undefined;
    const looks = getComputedStyle(from);
    if (looks.display === "none") return undefined;
    let to = from.cloneNode(false) as Element;
    if (from instanceof HTMLCanvasElement) {
      const image = document.createElement("img");
      image.src = from.toDataURL();
      to = image;
    }
    if (from instanceof HTMLInputElement && from.checked) to.setAttribute("checked", "");
    if (from instanceof SVGUseElement) {
      const drawing = document.querySelector(from.getAttribute("href") ?? "");
      to = document.createElementNS("http://www.w3.org/2000/svg", "g");
      if (drawing) to.append(...[...drawing.children].map((child) => child.cloneNode(true)));
    }
    to.removeAttribute("class");
    to.removeAttribute("id");
    const style = LOOKS.map((name) => `${name}:${looks.getPropertyValue(name)}`).join(";");
    to.setAttribute("style", style);
    for (const pseudo of ["::before", "::after"]) {
      const extra = getComputedStyle(from, pseudo);
      if (extra.content === "none" || extra.content === "normal") continue;
      const box = document.createElement("span");
      box.textContent = extra.content.replace(/^"|"$/g, "");
      box.setAttribute("style", LOOKS.map((name) => `${name}:${extra.getPropertyValue(name)}`).join(";"));
      if (pseudo === "::before") to.prepend(box);
      else to.append(box);
    }
    if (performance.now() - began > 12) {
      await pause();
      began = performance.now();
    }
    for (const child of from.childNodes) {
      if (child instanceof Element) {
        const made = await copy(child);
        if (made) to.append(made);
      } else if (child instanceof Text) to.append(child.cloneNode());
    }
    return to;
  };
  const made = await copy(element);
  if (!made) throw new Error("nothing to draw");
  (made as HTMLElement).style.setProperty("margin", "0");
  const markup = new XMLSerializer().serializeToString(made);
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width + 2 * pad}" height="${height + 2 * pad}"><rect width="100%" height="100%" fill="${background}"/><foreignObject x="${pad}" y="${pad}" width="${width}" height="${height + pad}">${markup}</foreignObject></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * (width + 2 * pad);
  canvas.height = 2 * (height + 2 * pad);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.scale(2, 2);
  context.drawImage(image, 0, 0);
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}
