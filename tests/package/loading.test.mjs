// How the package gets its wasm and its data: by default, by `init`'s options, in Node; and what it says where something else
// comes than was asked for.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { browsers, launch } from "../../tools/browsers.mjs";
import { assertRows, IDS, VOCAB_SIZE } from "./packed.mjs";

const wasm = readFileSync("pkg/gomme_bg.wasm");
const file = (name) => readFileSync(`pkg/data/${name}`);

let instances = 0;
/** The package in Node, not initialised. */
const fresh = () => import(`${pathToFileURL("pkg/gomme.js").href}?${instances++}`);

/** The message of an error with this code. */
async function refusal(promise, code) {
  const error = await promise.then(
    () => assert.fail(`no ${code}: it worked`),
    (error) => error,
  );
  assert.deepEqual([error.name, error.code], ["GommeError", code], error.message);
  return error.message;
}

/** The same wasm, as if another build had made it: with another id, or with none. */
function ofAnotherBuild(id) {
  const bytes = Buffer.from(wasm);
  const at = bytes.lastIndexOf("gomme build");
  assert.ok(at > 0, "the wasm names its build");
  bytes.write(id ?? "x", id ? at + "gomme build".length : at);
  return bytes;
}

describe("Node", () => {
  test("bytes, then the CPU; auto says why", async () => {
    const { default: init, Embedding } = await fresh();
    await init({ module_or_path: wasm });
    for (const backend of ["cpu", "auto"]) {
      const embedding = await Embedding.create({ vocabSize: 3, dModel: 1, backend, table: Float32Array.of(1, 2, 3) });
      assert.equal(embedding.backend, "cpu");
      assert.deepEqual(await embedding.embed([2, 0, 7]), Float32Array.of(3, 1, 0));
      assert.equal(embedding.fallbackReason?.code, backend === "auto" ? "no-webgpu" : undefined);
      assert.doesNotMatch(embedding.fallbackReason?.message ?? "", /This browser|Use a current/);
    }
    await refusal(Embedding.create({ vocabSize: 3, dModel: 1, backend: "gpu" }), "no-webgpu");
  });

  test("a navigator.gpu without a browser around it is no WebGPU", async () => {
    const { default: init, Embedding } = await fresh();
    await init({ module_or_path: wasm });
    // Node 20 has no navigator; later ones have one without a GPU.
    const had = Object.getOwnPropertyDescriptor(globalThis, "navigator");
    const gpu = { requestAdapter: () => assert.fail("an adapter was asked for") };
    Object.defineProperty(globalThis, "navigator", { configurable: true, value: { userAgent: "Node", gpu } });
    try {
      const options = { vocabSize: 3, dModel: 1, table: Float32Array.of(1, 2, 3) };
      const embedding = await Embedding.create({ ...options, backend: "auto" });
      assert.equal(embedding.backend, "cpu");
      assert.equal(embedding.fallbackReason.code, "no-webgpu");
      assert.deepEqual(await embedding.embed([2, 0]), Float32Array.of(3, 1));
      assert.match(
        await refusal(Embedding.create({ ...options, backend: "gpu" }), "no-webgpu"),
        /no browser around it/,
      );
    } finally {
      if (had) Object.defineProperty(globalThis, "navigator", had);
      else delete globalThis.navigator;
    }
  });

  test("init alone says how to give the bytes", async () => {
    const { default: init } = await fresh();
    assert.match(await refusal(init(), "not-initialized"), /file: addresses.*module_or_path: await readFile\(/);
    await init({ module_or_path: wasm });
  });

  test("data from bytes of every kind, for the functions of the module too", async () => {
    const kinds = [
      (bytes) => bytes,
      async (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      (bytes) => new Response(bytes),
      (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
      (bytes) => `data:application/octet-stream;base64,${bytes.toString("base64")}`,
      (bytes) => new URL(`data:application/octet-stream;base64,${bytes.toString("base64")}`),
    ];
    for (const kind of kinds) {
      const { default: init, embed, Tokenizer } = await fresh();
      await init({ module_or_path: wasm, data: (name) => kind(file(name)) });
      const { ids } = (await Tokenizer.turkish()).encode("kedi köpek");
      assert.deepEqual(Array.from(ids), IDS);
      assertRows(await embed([...ids, VOCAB_SIZE]), [...IDS, VOCAB_SIZE]);
    }
  });

  test("data that is not there", async () => {
    const { default: init, embed, Tokenizer } = await fresh();
    await init({ module_or_path: wasm });
    assert.match(
      await refusal(Tokenizer.turkish(), "invalid-model"),
      /data\/turkish-16k\.pack .*file: addresses.*data: \(name\) => readFile\(.*"gomme\/data\/"/,
    );
    const failures = [
      [() => Promise.reject(new Error("no disk")), /no disk/, "invalid-model", "shape-mismatch"],
      [() => Buffer.from("<!DOCTYPE html><title>app</title>"), /HTML/, "invalid-model", "shape-mismatch"],
      [() => Buffer.from("\n <html></html>"), /HTML/, "invalid-model", "shape-mismatch"],
      [() => new Response("", { status: 404 }), /404.*copy them there/, "invalid-model", "shape-mismatch"],
      [(name) => file(name).subarray(1), /\w/, "invalid-model", "shape-mismatch"],
      [() => 5, /not number/, "invalid-argument", "invalid-argument"],
      [() => undefined, /not undefined/, "invalid-argument", "invalid-argument"],
    ];
    for (const [data, words, ofModel, ofVectors] of failures) {
      await init({ data });
      assert.match(await refusal(Tokenizer.turkish(), ofModel), words);
      assert.match(await refusal(embed([1]), ofVectors), words);
    }
    // A failure is not kept.
    await init({ data: file });
    assertRows(await embed([IDS[0]]), [IDS[0]]);
  });

  test("a wasm of another build, and what is no wasm", async () => {
    const { default: init, embed } = await fresh();
    for (const other of [ofAnotherBuild("0123456789abcdef"), ofAnotherBuild(undefined)]) {
      assert.match(
        await refusal(init({ module_or_path: other }), "not-initialized"),
        /build [0-9a-f]{16}.*one package/,
      );
    }
    await refusal(init({ module_or_path: Buffer.from("<!doctype html>") }), "not-initialized");
    await refusal(init({ module_or_path: Promise.reject(new Error("mine")) }), "not-initialized");
    const missing = init({ module_or_path: new Response("", { status: 404 }) });
    assert.match(await refusal(missing, "not-initialized"), /404.*copy them there.*or tell init where they are/);
    await refusal(init({ module_or_path: 5 }), "not-initialized");
    await refusal(init({ data: 5 }), "invalid-argument");
    await refusal(embed([1]), "not-initialized");
  });

  test("the README's way", async () => {
    const [code] = /import \{ readFile \}[\s\S]*?(?=```)/.exec(readFileSync("pkg/README.md", "utf8"));
    const { default: init, Tokenizer, embed } = await fresh();
    const steps = code.replace(/^import .*$/m, "").replaceAll("import.meta.resolve", "resolve");
    const AsyncFunction = (async () => {}).constructor;
    const resolve = (name) => pathToFileURL(name.replace(/^gomme/, "pkg")).href;
    await new AsyncFunction("init", "readFile", "resolve", steps)(init, readFile, resolve);
    const { ids } = (await Tokenizer.turkish()).encode("kedi köpek");
    assertRows(await embed(ids), IDS);
  });

  test("everything that wasm-bindgen's init takes", async () => {
    const module = await WebAssembly.compile(wasm);
    const response = () => new Response(wasm, { headers: { "content-type": "application/wasm" } });
    for (const given of [wasm, module, response(), Promise.resolve(response()), { module_or_path: module }]) {
      const { default: init, Embedding } = await fresh();
      const [first, second] = await Promise.all([init(given), init(given)]);
      assert.equal(first, second);
      assert.ok(first.memory instanceof WebAssembly.Memory);
      assert.equal((await Embedding.create({ vocabSize: 1, dModel: 1 })).vocabSize, 1);
    }
  });
});

const script = ["text/javascript", readFileSync("pkg/gomme.js")];
const binary = ["application/wasm", wasm];

/** Serves these files around the tests of a suite, and `page` at every other address; gives its address once it listens. */
function served(files, page, headers = {}) {
  const server = createServer(({ url }, response) => {
    const [type, body] = files[url] ?? ["text/html", page];
    response.writeHead(200, { "content-type": type, ...headers }).end(body);
  });
  before(() => new Promise((done) => server.listen(0, "127.0.0.1", done)));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return () => `http://localhost:${server.address().port}`;
}

/** A page whose Content-Security-Policy has no 'wasm-unsafe-eval'. */
describe("a strict policy", () => {
  const files = { "/gomme.js": script, "/gomme_bg.wasm": binary };
  const page = "<!doctype html><script type=module src=gomme.js></script>";
  const url = served(files, page, { "content-security-policy": "script-src 'self'" });

  for (const name of browsers) {
    test(`is named, in ${name}`, async () => {
      const browser = await launch(name);
      try {
        const page = await browser.newPage();
        await page.goto(url());
        const message = await page.evaluate(async () => {
          const { default: init } = await import("/gomme.js");
          return init().then(
            () => "it worked",
            (error) => `${error.code}: ${error.message}`,
          );
        });
        assert.match(message, /^not-initialized: .*add 'wasm-unsafe-eval' to its script-src\.$/);
      } finally {
        await browser.close();
      }
    });
  }
});

/** An app's server: it answers addresses that it does not know with its page. */
describe("a server that answers with HTML", () => {
  const files = { "/without/gomme.js": script, "/wasm/gomme.js": script, "/wasm/gomme_bg.wasm": binary };
  const url = served(files, "<!doctype html><title>App</title>");

  for (const name of browsers) {
    test(`is told, in ${name}`, async () => {
      const browser = await launch(name);
      try {
        const page = await browser.newPage();
        await page.goto(url());
        const found = await page.evaluate(async () => {
          const told = (promise) =>
            promise.then(
              () => "it worked",
              (error) => `${error.name} ${error.code}: ${error.message}`,
            );
          const without = await import("/without/gomme.js");
          const { default: init, embed, Tokenizer } = await import("/wasm/gomme.js");
          await init();
          return [await told(without.default()), await told(embed([1])), await told(Tokenizer.turkish())];
        });
        assert.match(found[0], /^GommeError not-initialized: .*\/without\/gomme_bg\.wasm is HTML/);
        assert.match(found[1], /^GommeError shape-mismatch: data\/turkish-16k-384\.scale\.f32 .* is HTML/);
        assert.match(found[2], /^GommeError invalid-model: data\/turkish-16k\.pack .* is HTML/);
      } finally {
        await browser.close();
      }
    });
  }
});
