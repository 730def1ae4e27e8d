// The page in one file that opens from disk without a network: style, script, wasm, model and vectors inlined.
//
// Binary files become data blocks, <script type="application/octet-stream;base64" id="asset-NAME">, which no browser
// executes; the page looks for them before it fetches. The Content-Security-Policy of index.html is kept: what is
// inline gets in by its SHA-256, and nothing may be fetched at all.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";
import { bundleOptions, bundleStyles } from "./bundle.mjs";

const assets = [
  "pkg/gomme_bg.wasm",
  "pkg/data/turkish-16k.pack",
  "pkg/data/turkish-16k-384.i8",
  "pkg/data/turkish-16k-384.scale.f32",
  "data/turkish-pairs.bin",
];

/** Writes the single file to `path`; reads index.html, www/ and pkg/. */
export async function singleFile(path) {
  const bundled = await build({ ...bundleOptions("inside"), write: false, supported: { "import-meta": true } });
  // Inside <script>, only "</script" and "<!--" could end or change the text's meaning.
  const script = bundled.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const style = await bundleStyles();
  if (/<\/style/i.test(style)) throw new Error("the styles must not contain </style");

  const blocks = assets.map(
    (file) =>
      `<script type="application/octet-stream;base64" id="asset-${basename(file)}">${readFileSync(file).toString("base64")}</script>`,
  );

  let page = readFileSync("index.html", "utf8");
  const put = (what, pattern, text) => {
    const found = page.match(new RegExp(pattern, "g"));
    if (found?.length !== 1) throw new Error(`index.html must have exactly one ${what}; found ${found?.length ?? 0}`);
    // A function, so that "$" in the text stays what it is.
    page = page.replace(pattern, () => text);
  };
  put("link to style.css", /<link\b[^>]*href="(?:\.\/)?style\.css"[^>]*>/, `<style>${style}</style>`);
  put("script main.js", /<script\b[^>]*src="(?:\.\/)?main\.js"[^>]*><\/script>/, "");
  put("</body>", /<\/body>/, `${blocks.join("\n")}\n<script type="module">${script}</script>\n</body>`);

  const policy = /(<meta http-equiv="Content-Security-Policy"\s+content=")([^"]*)(")/;
  const directives = new Map();
  for (const directive of (policy.exec(page)?.[2] ?? "").split(";")) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (name) directives.set(name, sources);
  }
  if (!directives.has("script-src") || !directives.has("style-src")) {
    throw new Error("index.html needs a Content-Security-Policy with script-src and style-src");
  }
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  directives.set("script-src", [...directives.get("script-src").filter((source) => source !== "'self'"), hash(script)]);
  directives.set("style-src", [...directives.get("style-src").filter((source) => source !== "'self'"), hash(style)]);
  directives.set("connect-src", ["'none'"]);
  const content = [...directives].map(([name, sources]) => [name, ...sources].join(" ")).join("; ");
  put(
    "Content-Security-Policy",
    policy,
    page.match(policy)[0].replace(policy, (_, before, __, after) => before + content + after),
  );

  writeFileSync(path, page);
}
