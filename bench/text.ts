// Turkish text for the tokenizer: real sentences, put there when the page is built (build.mjs), and words that never come
// again. `tokenizer_speed.rs` and `tokenizer_twin.py` read the same texts.

import lines from "turkish:lines";

export { lines };

/** The sentences one after the other, again and again, cut at `bytes` bytes of UTF-8 (or just before). */
export function prose(bytes: number): string {
  const sentences = lines.join("\n");
  const encoded = new TextEncoder().encode(sentences);
  const text = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += encoded.length) text.set(encoded.subarray(0, bytes - at), at);
  // A character that was cut in two decodes to U+FFFD.
  return new TextDecoder().decode(text).replace(/\ufffd$/, "");
}

/** Words of letters drawn by a linear congruential generator: nothing that was cut before comes again. */
export function allDifferent(bytes: number): string {
  const letters = [..."aeıiouöünrlkdtsmybşzgçhğvcpfj"];
  let seed = 1n;
  const next = (below: number): number => {
    seed = (seed * 6_364_136_223_846_793_005n + 1n) & 0xffff_ffff_ffff_ffffn;
    return Number(seed >> 33n) % below;
  };
  const words: string[] = [];
  for (let size = 0; size < bytes; size++) {
    let word = "";
    for (let left = 4 + next(8); left > 0; left--) {
      const letter = letters[next(letters.length)] as string;
      word += letter;
      // ı, ö, ü, ş, ç, ğ take two bytes.
      size += letter > "z" ? 2 : 1;
    }
    words.push(word);
  }
  return `${words.join(" ")} `;
}
