// The static server: types, sub-folders, and nothing from outside its folder.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../../tools/serve.mjs";

const folder = mkdtempSync(join(tmpdir(), "gomme-serve-"));
let site;

before(async () => {
  mkdirSync(join(folder, "site/sub"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(folder, "site/a.wasm"), "wasm");
  writeFileSync(join(folder, "site/ğ.js"), "1");
  writeFileSync(join(folder, "site/sub/index.html"), "sub");
  symlinkSync(join(folder, "secret.txt"), join(folder, "site/link.txt"));
  site = await serve(join(folder, "site"));
});

after(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks for a path exactly as given; fetch() would tidy it first. */
function ask(path, method = "GET") {
  return new Promise((done, failed) => {
    request({ host: "127.0.0.1", port: site.port, path, method }, (response) => {
      let body = "";
      response.on("data", (part) => {
        body += part;
      });
      response.on("end", () => done({ status: response.statusCode, headers: response.headers, body }));
    })
      .on("error", failed)
      .end();
  });
}

test("files come with their type and length", async () => {
  const wasm = await ask("/a.wasm?v=1");
  assert.deepEqual([wasm.status, wasm.headers["content-type"], wasm.body], [200, "application/wasm", "wasm"]);
  const script = await ask("/%C4%9F.js");
  assert.deepEqual([script.status, script.headers["content-type"]], [200, "text/javascript; charset=utf-8"]);
});

test("a folder is its index.html, after a redirect to the slash", async () => {
  assert.deepEqual([(await ask("/sub")).status, (await ask("/sub")).headers.location], [301, "/sub/"]);
  assert.equal((await ask("/sub/")).body, "sub");
});

for (const path of [
  "/../secret.txt",
  "/..%2fsecret.txt",
  "/%2e%2e/secret.txt",
  "/sub/..%2f..%2fsecret.txt",
  "/link.txt",
  "/%00",
  "/%zz",
  "/none",
]) {
  test(`${path} is not found`, async () => {
    const answer = await ask(path);
    assert.deepEqual([answer.status, answer.body], [404, "not found\n"]);
  });
}

test("only GET and HEAD", async () => {
  assert.equal((await ask("/a.wasm", "POST")).status, 405);
  const head = await ask("/a.wasm", "HEAD");
  assert.deepEqual([head.status, head.body, head.headers["content-length"]], [200, "", "4"]);
});

test("a taken port gives a free one", async () => {
  const second = await serve(join(folder, "site"), { port: site.port });
  assert.notEqual(second.port, site.port);
  await second.close();
});
