// The package as a user gets it: packed by npm, unpacked somewhere else, imported by a five-line page below a sub-path and by
// a strict TypeScript program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { browsers, launch } from "../../tools/browsers.mjs";
import { serve } from "../../tools/serve.mjs";

const width = 384;
const tokens = [6754, 6283, 16384]; // ▁kedi, ▁köpek, and the first id that is no row

const folder = mkdtempSync(join(tmpdir(), "gomme-package-"));
const unpacked = join(folder, "site/some/sub/path/gomme");
let site;

before(async () => {
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder, resolve("pkg")], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const described = JSON.parse(packed);
  const [{ filename }] = Array.isArray(described) ? described : Object.values(described);
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", folder]);
  mkdirSync(join(unpacked, ".."), { recursive: true });
  cpSync(join(folder, "package"), unpacked, { recursive: true });
  writeFileSync(
    join(unpacked, "../page.html"),
    `<!doctype html>
<script type="module">
  import init, { embed } from "./gomme/gomme.js";
  await init();
  globalThis.rows = await embed([${tokens}]);
</script>
`,
  );
  site = await serve(join(folder, "site"));
});

after(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Row `id` of the bundled table, read from the files of the package as data/README.md describes them. */
function expectedRow(id) {
  const values = new Int8Array(readFileSync(join(unpacked, "data/turkish-16k-384.i8")));
  const scale = readFileSync(join(unpacked, "data/turkish-16k-384.scale.f32"));
  const row = values.subarray(id * width, (id + 1) * width);
  return row.length === 0
    ? new Float32Array(width)
    : Float32Array.from(row, (value) => (value * scale.readFloatLE(id * 4)) / 127);
}

function filesBelow(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

test("npm pack leaves nothing out", () => {
  assert.deepEqual(filesBelow(unpacked), filesBelow("pkg"));
  for (const name of ["turkish-16k.pack", "turkish-16k-384.i8", "turkish-16k-384.scale.f32", "README.md"]) {
    assert.deepEqual(readFileSync(join(unpacked, "data", name)), readFileSync(join("data", name)), name);
  }
  assert.ok(
    filesBelow(unpacked).some((name) => name.startsWith("data/LICENSES/")),
    "licences of the data",
  );
});

test("tsc --strict accepts a use of the package and refuses misuse", () => {
  const project = join(folder, "typescript");
  mkdirSync(join(project, "node_modules"), { recursive: true });
  cpSync(unpacked, join(project, "node_modules/gomme"), { recursive: true });
  cpSync("tests/package/use.ts", join(project, "use.ts"));
  const options =
    "--strict --exactOptionalPropertyTypes --noEmit --target es2022 --module esnext --moduleResolution bundler";
  try {
    execFileSync(resolve("node_modules/.bin/tsc"), [...options.split(" "), "--types", "", "use.ts"], {
      cwd: project,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    assert.fail(error.stdout);
  }
});

for (const name of browsers) {
  describe(`a page below a sub-path, in ${name}`, () => {
    test("embed works with the bundled data", async () => {
      const browser = await launch(name);
      try {
        const page = await browser.newPage();
        const troubles = [];
        page.on("pageerror", (error) => troubles.push(String(error)));
        page.on("console", (message) => {
          const icon = message.location().url?.endsWith("/favicon.ico"); // asked for by the browser, not by the page
          if (message.type() === "error" && !icon) troubles.push(message.text());
        });
        await page.goto(`${site.url}some/sub/path/page.html`);
        await page.waitForFunction("globalThis.rows !== undefined", { timeout: 60_000 });
        const rows = await page.evaluate("Array.from(rows)");
        assert.equal(rows.length, tokens.length * width);
        for (const [position, id] of tokens.entries()) {
          const expected = expectedRow(id);
          for (let column = 0; column < width; column++) {
            const value = rows[position * width + column];
            // The table may multiply by scale / 127 instead: one rounding more or less.
            assert.ok(
              Math.abs(value - expected[column]) <= 2 ** -22 * Math.abs(expected[column]),
              `row ${id}, column ${column}: ${value}, expected ${expected[column]}`,
            );
          }
        }
        assert.deepEqual(troubles, []);
      } finally {
        await browser.close();
      }
    });
  });
}
