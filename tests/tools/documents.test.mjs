// The documents name files; a file that moves must not leave its old name behind.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  "www/README.md",
  "bench/README.md",
  "data/README.md",
  ".github/PULL_REQUEST_TEMPLATE.md",
];

/** Whether this path of the repository is there; `*` stands for a part of a name, `group` for group.rs as well. */
function isThere(path) {
  if (!path.includes("*")) return existsSync(join(root, path)) || existsSync(join(root, `${path}.rs`));
  const [folder, pattern] = [dirname(path), path.slice(dirname(path).length + 1)];
  if (!existsSync(join(root, folder))) return false;
  const name = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  return readdirSync(join(root, folder)).some((one) => name.test(one));
}

const folders = "src|www|bench|tools|tests|shaders|data|examples|\\.github";
const path = new RegExp(`(?:^|[\\s\`(])((?:${folders})/[\\w./*-]*\\w[\\w/*]*)`, "g");
const link = /\]\((?!https?:|#)([^)#]+)/g;

for (const document of documents) {
  test(`${document} names only what is there`, () => {
    const text = readFileSync(join(root, document), "utf8");
    const named = [...text.matchAll(path)].map(([, one]) => one);
    const linked = [...text.matchAll(link)].map(([, one]) => join(dirname(document), one));
    // NAME is the reader's own file; .json files of a run come and go.
    const wanted = [...named, ...linked].filter((one) => !/NAME|\bresults\//.test(one));
    assert.deepEqual(
      [...new Set(wanted)].filter((one) => !isThere(one)),
      [],
    );
  });
}

test("a name that is not there is found out", () => {
  assert.equal(isThere("src/nothing.rs"), false);
  assert.equal(isThere("shaders/nothing_*.wgsl"), false);
  assert.equal(isThere("shaders/*.wgsl"), true);
  assert.deepEqual(
    [..."see `src/lib.rs` and (www/dom.ts)".matchAll(path)].map(([, one]) => one),
    ["src/lib.rs", "www/dom.ts"],
  );
});
