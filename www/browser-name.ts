/** The browser's name and version, as its user agent string tells them. */
export function browserName(userAgent: string): string {
  for (const [pattern, name] of [
    [/Firefox\/([\d.]+)/, "Firefox"],
    [/Edg\/([\d.]+)/, "Edge"],
    [/Chrom(?:e|ium)\/([\d.]+)/, "Chromium"],
    [/Version\/([\d.]+).*Safari/, "Safari"],
  ] as const) {
    const found = pattern.exec(userAgent);
    if (found) return `${name} ${found[1]}`;
  }
  return userAgent;
}
