// The package as a user gets it: packed by npm and unpacked somewhere else; what its rows must be; and a browser that visits a
// page of a project that uses it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { launch } from "../../tools/browsers.mjs";

export const D_MODEL = 384;
/** ▁kedi and ▁köpek. */
export const IDS = [6754, 6283];
export const VOCAB_SIZE = 16_384;

/** A new folder for projects, to be given back by `remove`. */
export function projects() {
  const folder = mkdtempSync(join(tmpdir(), "gomme-package-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Packs pkg/ and unpacks it as `target`. */
export function unpackTo(target) {
  const folder = dirname(target);
  mkdirSync(folder, { recursive: true });
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder, resolve("pkg")], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const described = JSON.parse(packed);
  const [{ filename }] = Array.isArray(described) ? described : Object.values(described);
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", folder]);
  renameSync(join(folder, "package"), target);
  return join(folder, filename);
}

/** Row `id` of the bundled table, read from the files of the package as data/README.md describes them. */
function expectedRow(id) {
  const values = new Int8Array(readFileSync("pkg/data/turkish-16k-384.i8"));
  const scale = readFileSync("pkg/data/turkish-16k-384.scale.f32");
  const row = values.subarray(id * D_MODEL, (id + 1) * D_MODEL);
  return row.length === 0
    ? new Float32Array(D_MODEL)
    : Float32Array.from(row, (value) => (value * scale.readFloatLE(id * 4)) / 127);
}

/** Asserts that `rows` are those of `ids`. */
export function assertRows(rows, ids) {
  assert.equal(rows.length, ids.length * D_MODEL);
  for (const [position, id] of ids.entries()) {
    const expected = expectedRow(id);
    for (let column = 0; column < D_MODEL; column++) {
      const value = rows[position * D_MODEL + column];
      // The table may multiply by scale / 127 instead: one rounding more or less.
      assert.ok(
        Math.abs(value - expected[column]) <= 2 ** -22 * Math.abs(expected[column]),
        `row ${id}, column ${column}: ${value}, expected ${expected[column]}`,
      );
    }
  }
}

/** Opens `url` in a browser, waits for `ready`, and resolves to what `read` evaluates to; errors of the page are errors here. */
export async function visit(browserName, url, ready, read) {
  const browser = await launch(browserName);
  try {
    const page = await browser.newPage();
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("console", (message) => {
      const icon = message.location().url?.endsWith("/favicon.ico"); // asked for by the browser, not by the page
      if (message.type() === "error" && !icon) troubles.push(message.text());
    });
    await page.goto(url);
    try {
      await page.waitForFunction(ready, { timeout: 60_000 });
    } catch (error) {
      throw new Error(`${error.message}\n${troubles.join("\n")}`);
    }
    const result = await page.evaluate(read);
    assert.deepEqual(troubles, []);
    return result;
  } finally {
    await browser.close();
  }
}

/** Visits a project of fixtures/ and checks everything that its page and its worker computed. */
export async function checkProject(browserName, url) {
  const seen = await visit(browserName, url, "globalThis.fromWorker !== undefined", () => {
    const worker = globalThis.fromWorker;
    return {
      ids: globalThis.ids,
      rows: globalThis.rows,
      worker: typeof worker === "string" ? worker : { ...worker, rows: Array.from(worker.rows) },
      hits: Array.from(worker.gradient?.hits ?? []),
      grad: Array.from(worker.gradient?.grad ?? []),
    };
  });
  assert.deepEqual(seen.ids, IDS);
  assertRows(seen.rows, [...IDS, VOCAB_SIZE]);
  assert.equal(typeof seen.worker, "object", seen.worker);
  assertRows(seen.worker.rows, [...IDS, VOCAB_SIZE]);
  assert.equal(seen.worker.backend, "gpu");
  assert.deepEqual(seen.hits, [2]);
  assert.deepEqual(seen.grad, Array(D_MODEL).fill(2));
}
