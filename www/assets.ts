// Files that the one-file page carries in itself; the served page has none of them and fetches.

/** The bytes of the file of this name, once: its text is dropped. */
export function inlined(name: string): Uint8Array<ArrayBuffer> | undefined {
  const element = document.getElementById(`asset-${name}`);
  if (!element) return undefined;
  const text = (element.textContent ?? "").trim();
  element.remove();
  const decode = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (decode) return decode.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
