// Turkish endings of numbers written in digits: they follow the sound of the number's last word.

/** Possessive, its locative, and ablative: "3’ü", "3’ünde", "3’ten". */
type Endings = readonly [possessive: string, within: string, from: string];

const UNITS: readonly Endings[] = [
  ["ı", "ında", "dan"],
  ["i", "inde", "den"],
  ["si", "sinde", "den"],
  ["ü", "ünde", "ten"],
  ["ü", "ünde", "ten"],
  ["i", "inde", "ten"],
  ["sı", "sında", "dan"],
  ["si", "sinde", "den"],
  ["i", "inde", "den"],
  ["u", "unda", "dan"],
];
const TENS: readonly Endings[] = [
  ["ı", "ında", "dan"],
  ["u", "unda", "dan"],
  ["si", "sinde", "den"],
  ["u", "unda", "dan"],
  ["ı", "ında", "tan"],
  ["si", "sinde", "den"],
  ["ı", "ında", "tan"],
  ["i", "inde", "ten"],
  ["i", "inde", "den"],
  ["ı", "ında", "dan"],
];
/** Yüz, bin (10³ to 10⁵), milyon, milyar. */
const POWERS: readonly (readonly [zeros: number, Endings])[] = [
  [9, ["ı", "ında", "dan"]],
  [6, ["u", "unda", "dan"]],
  [3, ["i", "inde", "den"]],
  [2, ["ü", "ünde", "den"]],
];

/** Endings of a count as the page writes it, "8.192"; of anything else those of 1. */
function endingsOf(text: string): Endings {
  const digits = text.replace(/\./g, "");
  const [zeros = ""] = /0*$/.exec(digits) ?? [];
  if (!/^\d+$/.test(digits)) return UNITS[1] as Endings;
  if (/^0+$/.test(digits)) return UNITS[0] as Endings;
  const power = POWERS.find(([least]) => zeros.length >= least);
  if (power) return power[1];
  const last = Number(digits.at(-1 - zeros.length));
  return (zeros.length === 1 ? TENS[last] : UNITS[last]) as Endings;
}

/** "2.688 hücrenin 2.365’i" */
export const some = (text: string) => `${text}’${endingsOf(text)[0]}`;
/** "10 koşunun 4’ünde" */
export const inSome = (text: string) => `${text}’${endingsOf(text)[1]}`;
/** "2.048’den başlayarak" */
export const from = (text: string) => `${text}’${endingsOf(text)[2]}`;
