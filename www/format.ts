// Numbers as a reader of the language writes them; float bits in hex and binary.
export type Language = "tr" | "en";

/** Digits in groups of three; by hand, because making an Intl.NumberFormat takes milliseconds at a page's start. */
function grouped(lang: Language, value: number, least: number, most: number): string {
  const [whole = "", fraction = ""] = Math.abs(value).toFixed(most).split(".");
  const kept = fraction.replace(/0+$/, "").padEnd(least, "0");
  const [group, point] = lang === "tr" ? [".", ","] : [",", "."];
  const sign = value < 0 && /[1-9]/.test(whole + kept) ? "−" : "";
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, group)}${kept ? point + kept : ""}`;
}

const minus = (text: string) => text.replace("-", "−");

/** A count, digits grouped. */
export function count(lang: Language, value: number): string {
  return grouped(lang, value, 0, 0);
}

/** A number with exactly `digits` decimals; `<0,01` for one that is there and yet rounds to nothing. */
export function fixed(lang: Language, value: number, digits: number): string {
  if (!Number.isFinite(value)) return special(value);
  const least = 10 ** -digits;
  if (value > 0 && value < least / 2) return `<${grouped(lang, least, digits, digits)}`;
  return grouped(lang, value, digits, digits);
}

/** A share as a percentage: %0,08 in Turkish, 0.08% in English. */
export function percent(lang: Language, share: number): string {
  const value = short(lang, 100 * share);
  return lang === "tr" ? `%${value}` : `${value}%`;
}

function special(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "Inf" : "−Inf";
}

/** About three significant digits, powers of ten where they help: 2,2 · 10⁻⁴. */
export function short(lang: Language, value: number): string {
  if (!Number.isFinite(value)) return special(value);
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e-3 && size < 1e6) {
    const digits = Math.max(0, Math.min(5, 2 - Math.floor(Math.log10(size))));
    return grouped(lang, value, 0, digits);
  }
  const power = Math.floor(Math.log10(size));
  return `${fixed(lang, value / 10 ** power, 1)} · 10${superscript(String(power))}`;
}

function superscript(power: string): string {
  return power.replace(/./g, (c) => (c === "-" ? "⁻" : ("⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? "")));
}

/** A float as the shortest decimal that is surely itself, for bit lessons. */
export function exact(lang: Language, value: number): string {
  if (!Number.isFinite(value)) return special(value);
  if (value === 0) return Object.is(value, -0) ? "−0" : "0";
  let text = value.toPrecision(9);
  for (let digits = 1; digits < 9; digits++) {
    const shorter = value.toPrecision(digits);
    if (Math.fround(Number(shorter)) === value) {
      text = shorter;
      break;
    }
  }
  const shortest = Number(text);
  const size = Math.abs(shortest);
  if (size < 1e-6 || size >= 1e15) {
    const [mantissa = "", power = ""] = shortest.toExponential().split("e");
    return `${minus(lang === "tr" ? mantissa.replace(".", ",") : mantissa)} · 10${superscript(String(Number(power)))}`;
  }
  const [, fraction = ""] = String(shortest).split(".");
  return grouped(lang, shortest, fraction.length, fraction.length);
}

/** Bytes in decimal megabytes. */
export function megabytes(lang: Language, bytes: number, digits = 1): string {
  return `${fixed(lang, bytes / 1e6, digits)} MB`;
}

/** A duration given in microseconds. */
export function duration(lang: Language, us: number): string {
  if (us >= 1e6) return `${fixed(lang, us / 1e6, us < 1e7 ? 2 : 1)} s`;
  if (us >= 1e3) return `${fixed(lang, us / 1e3, us < 1e4 ? 2 : 1)} ms`;
  return `${fixed(lang, us, us < 100 ? 1 : 0)} µs`;
}

const words = new DataView(new ArrayBuffer(4));

export function bitsOf(value: number): number {
  words.setFloat32(0, value);
  return words.getUint32(0);
}

export function floatOf(bits: number): number {
  words.setUint32(0, bits);
  return words.getFloat32(0);
}

export function hex(bits: number): string {
  return `0x${bits.toString(16).padStart(8, "0")}`;
}
