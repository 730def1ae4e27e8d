// Colour scales as look-up tables: the nine stops of a diverging scale, read from the style sheet once a theme.
import { onPaper } from "../paper";

/** 512 colours as RGBA words in the byte order of ImageData, and one for NaN. */
export interface Scale {
  readonly lut: Uint32Array;
  readonly odd: number;
}

const STEPS = 512;

type Rgb = readonly [number, number, number];

/** Resolves CSS custom properties of the page to the colours that they stand for now, with one look at the styles. */
function cssColours(names: readonly string[]): Rgb[] {
  const probe = document.createElement("div");
  // Where the system chooses the colours, those of the data are still the page's.
  probe.style.setProperty("forced-color-adjust", "none");
  // Paper is light, and still the screen's when it is drawn for.
  if (onPaper.peek()) probe.style.setProperty("color-scheme", "light");
  for (const name of names) probe.appendChild(document.createElement("i")).style.setProperty("color", `var(${name})`);
  document.body.appendChild(probe);
  const found = [...probe.children].map((one): Rgb => {
    const numbers = getComputedStyle(one).color.match(/[\d.]+/g) ?? [];
    return [Number(numbers[0] ?? 0), Number(numbers[1] ?? 0), Number(numbers[2] ?? 0)];
  });
  probe.remove();
  return found;
}

const pack = (r: number, g: number, b: number) =>
  ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;

let cached: Scale | undefined;

/** The diverging scale `--value-0` (−1) to `--value-8` (+1). */
export function diverging(): Scale {
  if (cached) return cached;
  const black: Rgb = [0, 0, 0];
  const [odd = black, ...stops] = cssColours(["--warn", ...Array.from({ length: 9 }, (_, i) => `--value-${i}`)]);
  const lut = new Uint32Array(STEPS);
  for (let i = 0; i < STEPS; i++) {
    const x = (i / (STEPS - 1)) * 8;
    const k = Math.min(7, Math.floor(x));
    const a = stops[k] ?? black;
    const b = stops[k + 1] ?? black;
    const mix = (j: 0 | 1 | 2) => a[j] + (b[j] - a[j]) * (x - k);
    lut[i] = pack(mix(0), mix(1), mix(2));
  }
  cached = { lut, odd: pack(...odd) };
  return cached;
}

/** To be called when the theme changes. */
export function forgetColours(): void {
  cached = undefined;
}

/** The colour word of `value` on a scale that ends at ±limit. */
export function colourOf(scale: Scale, value: number, limit: number): number {
  if (!Number.isFinite(value)) return scale.odd;
  const at = Math.round(((value / limit + 1) / 2) * (STEPS - 1));
  return scale.lut[Math.max(0, Math.min(STEPS - 1, at))] ?? 0;
}

export function cssOf(word: number): string {
  return `rgb(${word & 255} ${(word >> 8) & 255} ${(word >> 16) & 255})`;
}

/** The next of 1, 2, 5 times a power of ten from `value` up, for the end of a scale. */
export function niceLimit(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  const steps = [1, 1.5, 2, 3, 5, 10];
  return (steps.find((one) => one >= lead - 1e-9) ?? 10) * power;
}
