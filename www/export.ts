// Downloads: tables as CSV and JSON, any figure as PNG. Made here, saved by the browser, sent nowhere.
import { pause, SLICE_MS } from "./schedule";

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
  "font-family",
  "font-size",
  "font-style",
  "font-weight",
  "font-variant-numeric",
  "gap",
  "grid-auto-flow",
  "grid-area",
  "grid-template-columns",
  "grid-template-rows",
  "image-rendering",
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
  "text-transform",
  "top",
  "transform",
  "vertical-align",
  "visibility",
  "white-space",
  "width",
  "z-index",
];

/** U+FFFE and U+FFFF, like control characters and lone surrogates, have no place in XML. */
const plainly = (text: string) =>
  text.replace(/[&<>"\p{Cc}\p{Cs}\ufffe\uffff]/gu, (c) => (/[&<>"\n\t]/.test(c) ? `&#${c.charCodeAt(0)};` : " "));
/** Attributes that a copy keeps; looks are written out as a style. */
const KEPT = new Set([
  "d",
  "viewBox",
  "preserveAspectRatio",
  "x",
  "y",
  "cx",
  "cy",
  "r",
  "width",
  "height",
  "transform",
  "text-anchor",
  "vector-effect",
  "colspan",
]);

/** Controls, which do nothing in a picture. */
const CONTROLS =
  ".tools, .sr, .btn, .quiet, .linkish, .seg, .switch, .range, .pager, .play, .go-to, .story, .presets, .legend-keys, progress, select";

/** Room around a picture, in CSS pixels. */
const PADDING = 16;

/**
 * A picture of an element as it stands on the page: its markup with all looks written out, drawn as an SVG image, in
 * which no script runs and nothing is fetched. Controls stay out.
 */
export async function png(element: HTMLElement, background: string): Promise<Blob> {
  const box = element.getBoundingClientRect();
  const [width, height] = [Math.ceil(box.width), Math.ceil(box.height)];
  const [fullWidth, fullHeight] = [width + 2 * PADDING, height + 2 * PADDING];
  const markup = `<div xmlns="http://www.w3.org/1999/xhtml">${await copyOf(element)}</div>`;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${fullWidth}" height="${fullHeight}"><rect width="100%" height="100%" fill="${background}"/><foreignObject x="${PADDING}" y="${PADDING}" width="${width}" height="${height + PADDING}">${markup}</foreignObject></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * fullWidth;
  canvas.height = 2 * fullHeight;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.scale(2, 2);
  context.drawImage(image, 0, 0);
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}

/** The markup of an element and all that is in it, in slices of time. */
async function copyOf(root: Element): Promise<string> {
  let began = performance.now();
  const copy = async (from: Element): Promise<string> => {
    if (from.matches(CONTROLS)) return "";
    const looks = getComputedStyle(from);
    if (looks.display === "none") return "";
    if (performance.now() - began > SLICE_MS) {
      await pause();
      began = performance.now();
    }
    const style = `style="${looksOf(looks)}${oneLine(from, looks)}${from === root ? ";margin:0" : ""}"`;
    if (from instanceof HTMLCanvasElement) return `<img ${style} src="${from.toDataURL()}"/>`;
    if (from instanceof SVGUseElement) return drawingOf(from);
    let inside = pseudo(from, "::before");
    if (from instanceof HTMLTextAreaElement) inside += plainly(from.value.slice(0, 4000));
    for (const child of from.childNodes) {
      if (child instanceof Element) inside += await copy(child);
      else if (child instanceof Text) inside += plainly(child.data);
    }
    const tag = tagOf(from);
    return `<${tag}${attributesOf(from)} ${style}>${inside}${pseudo(from, "::after")}</${tag}>`;
  };
  return copy(root);
}

const looksOf = (looks: CSSStyleDeclaration) =>
  plainly(LOOKS.map((name) => `${name}:${looks.getPropertyValue(name)}`).join(";"));

/** A text of one line must not wrap for a rounding error of its box. */
function oneLine(from: Element, looks: CSSStyleDeclaration): string {
  const hasText = [...from.childNodes].some((one) => one instanceof Text && one.data.trim() !== "");
  const lines = Number.parseFloat(looks.height) / (Number.parseFloat(looks.lineHeight) || Number.POSITIVE_INFINITY);
  const fits = hasText && !(from instanceof SVGElement) && lines < 1.9 && looks.whiteSpace === "normal";
  return fits ? ";white-space:nowrap" : "";
}

/** The page's own drawing that a `use` refers to. */
function drawingOf(from: SVGUseElement): string {
  const drawing = document.querySelector(from.getAttribute("href") ?? "");
  const serializer = new XMLSerializer();
  return `<g>${drawing ? [...drawing.children].map((child) => serializer.serializeToString(child)).join("") : ""}</g>`;
}

function pseudo(from: Element, name: string): string {
  const looks = getComputedStyle(from, name);
  if (from instanceof SVGElement || looks.content === "none" || looks.content === "normal") return "";
  return `<span style="${looksOf(looks)}">${plainly(looks.content.replace(/^"|"$/g, ""))}</span>`;
}

/** Controls are drawn as plain boxes: their looks are all in the style. */
const tagOf = (from: Element) =>
  !(from instanceof SVGElement) && /^(button|input|textarea|label|details|summary|a)$/.test(from.localName)
    ? "div"
    : from.localName;

function attributesOf(from: Element): string {
  const space = from instanceof SVGSVGElement ? ' xmlns="http://www.w3.org/2000/svg"' : "";
  const kept = [...from.attributes].filter((one) => KEPT.has(one.name));
  return space + kept.map((one) => ` ${one.name}="${plainly(one.value)}"`).join("");
}
