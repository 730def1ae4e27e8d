// A heat map on a 2D canvas: whole pixels a cell, folded into bands where the columns don't fit side by side.
import { colourOf, diverging } from "./scale";

export interface Geometry {
  /** CSS pixels of a cell and of a row (a row includes one pixel of air on both sides). */
  readonly cell: number;
  readonly row: number;
  readonly rows: number;
  readonly columns: number;
  readonly bands: number;
  readonly perBand: number;
  readonly gap: number;
  readonly width: number;
  readonly height: number;
}

export interface Cells {
  readonly rows: number;
  readonly columns: number;
  /** Value of a cell. */
  readonly values: (row: number, column: number) => number;
  /** |value| at both ends of the scale. */
  readonly limit: number;
}

/** The fold with the widest cells that still fills the width well. */
export function fit(width: number, columns: number, rows: number, row: number, gap: number): Geometry {
  let best = { cell: 1, bands: 1, score: Number.NEGATIVE_INFINITY };
  for (const bands of [1, 2, 3, 4, 6, 8]) {
    if (columns % bands) continue;
    const cell = Math.floor((width * bands) / columns);
    if (cell < 1) continue;
    const score = (cell < 2 ? -1 : 0) + (cell * columns) / bands / width - 0.07 * bands;
    if (score > best.score) best = { cell, bands, score };
  }
  const perBand = columns / best.bands;
  return {
    cell: best.cell,
    row,
    rows,
    columns,
    bands: best.bands,
    perBand,
    gap,
    width: best.cell * perBand,
    height: best.bands * rows * row + (best.bands - 1) * gap,
  };
}

/** Top left of a cell, in CSS pixels. */
export function placeOf(g: Geometry, row: number, column: number): { x: number; y: number } {
  const band = Math.floor(column / g.perBand);
  return { x: (column % g.perBand) * g.cell, y: band * (g.rows * g.row + g.gap) + row * g.row };
}

/** The cell under a point, clamped to the map. */
export function cellAt(g: Geometry, x: number, y: number): { row: number; column: number } {
  const tall = g.rows * g.row + g.gap;
  const band = Math.max(0, Math.min(g.bands - 1, Math.floor(y / tall)));
  const clamp = (v: number, most: number) => Math.max(0, Math.min(most, v));
  return {
    row: clamp(Math.floor((y - band * tall) / g.row), g.rows - 1),
    column: band * g.perBand + clamp(Math.floor(x / g.cell), g.perBand - 1),
  };
}

export function drawHeat(canvas: HTMLCanvasElement, cells: Cells, g: Geometry): void {
  const density = Math.max(1, Math.round(devicePixelRatio));
  canvas.width = Math.max(1, g.width * density);
  canvas.height = Math.max(1, g.height * density);
  canvas.style.setProperty("width", `${g.width}px`);
  canvas.style.setProperty("height", `${g.height}px`);
  if (cells.rows === 0) return;
  const context = canvas.getContext("2d");
  if (!context) return;
  const scale = diverging();
  // One pixel a cell first, then blown up row by row: as fast as a copy, and sharp.
  const small = new OffscreenCanvas(cells.columns, cells.rows);
  const smallContext = small.getContext("2d");
  if (!smallContext) return;
  const image = smallContext.createImageData(cells.columns, cells.rows);
  const words = new Uint32Array(image.data.buffer);
  for (let r = 0; r < cells.rows; r++) {
    for (let c = 0; c < cells.columns; c++) {
      words[r * cells.columns + c] = colourOf(scale, cells.values(r, c), cells.limit);
    }
  }
  smallContext.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.scale(density, density);
  for (let band = 0; band < g.bands; band++) {
    const from = band * g.perBand;
    for (let r = 0; r < cells.rows; r++) {
      const { y } = placeOf(g, r, from);
      const air = g.row > 8 ? 1 : 0;
      context.drawImage(small, from, r, g.perBand, 1, 0, y + air, g.width, g.row - 2 * air);
    }
  }
}

/** One row of values as a strip that fills its canvas; no values give an empty strip. */
export function drawStrip(canvas: HTMLCanvasElement, values: ArrayLike<number>, limit: number): void {
  canvas.width = Math.max(1, values.length);
  canvas.height = 1;
  const context = canvas.getContext("2d");
  if (!context || values.length === 0) return;
  const image = context.createImageData(values.length, 1);
  const words = new Uint32Array(image.data.buffer);
  const scale = diverging();
  for (let d = 0; d < values.length; d++) words[d] = colourOf(scale, values[d] ?? 0, limit);
  context.putImageData(image, 0, 0);
}
