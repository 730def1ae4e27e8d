// The built package called wrongly, in Node and in both browsers: before `init`, on other objects, with copies of its results;
// and its memory over many calls. The checks are in fixtures/boundary.js.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { browsers } from "../../tools/browsers.mjs";
import { fixturePage } from "./fixture-page.mjs";

const CALLS = 50_000;

/** The members that return a promise, by the types: "Class.name" and "Class.static name". */
function promisingByTypes() {
  const found = [];
  const types = readFileSync("pkg/gomme.d.ts", "utf8");
  for (const [, name, body] of types.matchAll(/^export class (\w+) \{\n([\s\S]*?)^\}/gm)) {
    for (const declaration of body.split(";\n")) {
      const [, isStatic = "", member] = /^ {2}(static )?(\w+)\([\s\S]*\): Promise</m.exec(declaration) ?? [];
      if (member !== undefined) found.push(`${name}.${isStatic}${member}`);
    }
  }
  return [...new Set(found)];
}

const promising = promisingByTypes();

test("the types name what returns a promise", () => {
  for (const name of ["Tokenizer.static turkish", "Embedding.embedGrad", "Lab.time"])
    assert.ok(promising.includes(name), name);
});

/** `call(check, …arguments)` runs a check of fixtures/boundary.js with the package, `start()` initialises it. */
function checks(where, { call, start, backends }) {
  describe(where, () => {
    test("before init everything says so", async () => assert.deepEqual(await call("beforeInit", promising), []));
    test("methods on other objects", async () => {
      await start();
      assert.deepEqual(await call("onOtherObjects", promising), []);
    });
    test("objects in proxies, of subclasses, freed", async () => assert.deepEqual(await call("onWrappedObjects"), []));
    for (const backend of backends) {
      test(`gradients of the ${backend} are plain objects`, async () =>
        assert.deepEqual(await call("gradientsTravel", backend), []));
      test(`memory is level over ${CALLS} calls on the ${backend}`, { timeout: 300_000 }, async (t) => {
        const grown = await call("growth", backend, CALLS);
        t.diagnostic(`${grown} bytes`);
        // A page of wasm memory or two may be asked for late; a few bytes for each call would be ten times that.
        assert.ok(grown <= 2 * 65_536, `wasm memory grew by ${grown} bytes`);
      });
    }
  });
}

const address = (path) => pathToFileURL(path).href;
const [gomme, boundary] = await Promise.all(
  ["pkg/gomme.js", "tests/package/fixtures/boundary.js"].map((path) => import(address(path))),
);
let memory;
checks("Node", {
  backends: ["cpu"],
  start: async () => {
    ({ memory } = await gomme.default({ module_or_path: readFileSync("pkg/gomme_bg.wasm") }));
  },
  call: (check, ...given) => boundary[check](gomme, ...(check === "growth" ? [memory] : []), ...given),
});

for (const name of browsers) {
  const page = fixturePage(name, "boundary.js");
  checks(name, {
    backends: ["gpu", "cpu"],
    start: () =>
      page().evaluate(async () => {
        globalThis.memory = (await globalThis.gomme.default()).memory;
      }),
    call: (check, ...given) =>
      page().evaluate(
        (check, given) => {
          const { checks, gomme, memory } = globalThis;
          return checks[check](gomme, ...(check === "growth" ? [memory] : []), ...given);
        },
        check,
        given,
      ),
  });
}
