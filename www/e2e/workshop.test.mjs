// The workshop as a reader uses it, in both browsers: keys, hints, links, drafts, errors at their lines, loops without end,
// a device that is lost or slow, no GPU at all, from disk, and axe-core in each state.

import assert from "node:assert/strict";
import { it } from "node:test";
import {
  assertClean,
  inBothBrowsers,
  open,
  press,
  quiet,
  sideways,
  singleFile,
  text,
  type,
  violations,
  wait,
} from "./harness.mjs";
import { idle, steps, untilStep } from "./training.mjs";
import { choose, code, given, IDS, openWorkshop, run, solution, verdict, write } from "./workshop.mjs";

/** In the page: no WebGPU. */
function noGpu() {
  Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined, configurable: true });
  delete Navigator.prototype.gpu;
}

/** In the page: counts what the workshop handed to the device by pipelines that it made for code, which is running it. */
function countRuns() {
  globalThis.runs = 0;
  const own = new WeakSet();
  const make = GPUDevice.prototype.createComputePipelineAsync;
  GPUDevice.prototype.createComputePipelineAsync = async function (...args) {
    const made = await make.apply(this, args);
    own.add(made);
    return made;
  };
  const set = GPUComputePassEncoder.prototype.setPipeline;
  GPUComputePassEncoder.prototype.setPipeline = function (pipeline) {
    if (own.has(pipeline)) globalThis.runs += 1;
    return set.call(this, pipeline);
  };
}

/** Console errors that Firefox prints for a shader that does not compile are no fault of the page. */
const clean = (page, url) => {
  page.errors = page.errors.filter((one) => !/shader module|Shader '|Shader validation error/i.test(one));
  assertClean(page, url);
};

/** Waits until the compiler has answered for the code that is there. */
async function compiled(page) {
  await wait(600);
  await page.waitForFunction(
    () => !/^(Derleniyor|Compiling)/.test(document.querySelector("#workshop-compiled").textContent),
  );
  await quiet(page);
}

const messages = (page) =>
  page.$$eval("#workshop-messages li", (all) =>
    all.map((one) => ({ line: one.querySelector("b").textContent, text: one.querySelector("button").textContent })),
  );

const active = (page) =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at.id || at.className;
  });

const body = (statements) => solution("free").replace(/\) \{\n[\s\S]*$/, `) {\n${statements}\n}\n`);

inBothBrowsers("workshop", (context) => {
  it("is fetched when a reader comes near, and not before", async () => {
    const page = await open(context);
    const asked = () => page.requests.filter((one) => /codemirror|view-/.test(one)).length;
    assert.equal(asked(), 0);
    assert.match(await text(page, "#s7"), /Kerneli değiştir/);
    await page.$eval("#s7", (element) => element.scrollIntoView({ behavior: "instant" }));
    await page.waitForSelector(".ws-cm");
    assert.ok(asked() >= 2);
    clean(page, context.url);
    await page.close();
  });

  it("works by keyboard alone: choose, write, leave the editor, run", async () => {
    const page = await openWorkshop(context);
    await page.$eval("#exercise-free", (element) => element.focus());
    await page.keyboard.press("Enter");
    await quiet(page);
    assert.equal(await page.$eval("#exercise-free", (e) => e.getAttribute("aria-pressed")), "true");
    await page.keyboard.press("Tab"); // to exercise 7
    await page.keyboard.press("Tab"); // to the fold on WGSL
    await page.keyboard.press("Tab"); // into the editor
    assert.match(await active(page), /cm-content/);
    const before = await code(page);
    await page.keyboard.press("Tab");
    await page.keyboard.type("x");
    assert.notEqual(await code(page), before, "Tab and letters write");
    assert.match(await active(page), /cm-content/, "Tab stays in the editor");
    await page.keyboard.down("Control");
    await page.keyboard.press("z");
    await page.keyboard.press("z");
    await page.keyboard.up("Control");
    assert.equal(await code(page), before);
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await page.waitForFunction(() => document.querySelector("#workshop-verdict").classList.contains("ws-fail"), {
      timeout: 30_000,
    });
    assert.match((await verdict(page)).says, /hiç yazılmadı/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.doesNotMatch(await active(page), /cm-content/, "Escape, then Tab leaves");
    clean(page, context.url);
    await page.close();
  });

  it("says what it is to a screen reader", async () => {
    const page = await openWorkshop(context);
    const field = await page.evaluate(() => {
      const content = document.querySelector(".ws-cm").shadowRoot.querySelector(".cm-content");
      return {
        role: content.getAttribute("role"),
        label: content.getAttribute("aria-label"),
        lines: content.getAttribute("aria-multiline"),
      };
    });
    assert.equal(field.role, "textbox");
    assert.equal(field.lines, "true");
    assert.match(field.label, /WGSL kodu.*Escape, sonra Tab/);
    for (const id of ["#workshop-told", "#workshop-compiled", "#workshop-note"]) {
      assert.equal(await page.$eval(id, (e) => e.getAttribute("role")), "status");
    }
    assert.match(await page.$eval("#workshop-threads svg", (e) => e.getAttribute("aria-label")), /16 thread/);
    await press(page, "#lang-en");
    await page.waitForFunction(() =>
      document
        .querySelector(".ws-cm")
        .shadowRoot.querySelector(".cm-content")
        .getAttribute("aria-label")
        .startsWith("WGSL code"),
    );
    await page.close();
  });

  it("opens three hints one by one and the solution last; each solution solves its exercise", async () => {
    const page = await openWorkshop(context);
    for (const [k, id] of IDS.entries()) {
      await choose(page, id);
      assert.equal(await page.$("#workshop-solution"), null);
      for (let hint = 1; hint <= 3; hint++) {
        assert.equal(await page.$(`#hint-${hint}`), null);
        await press(page, "#workshop-hint");
        // What was opened has the focus.
        await page.waitForFunction((id) => document.activeElement?.id === id, { timeout: 10_000 }, `hint-${hint}`);
      }
      assert.equal(await page.$("#workshop-hint"), null);
      assert.equal(await page.$("#solution"), null);
      await press(page, "#workshop-solution");
      await page.waitForSelector("#solution");
      await quiet(page);
      await press(page, "#workshop-use");
      await quiet(page);
      await run(page);
      const { passed, says } = await verdict(page);
      assert.ok(passed, `${id}: ${says}`);
      assert.match(says, /^Geçti/);
      assert.match(await text(page, `#exercise-${id}`), /çözüldü/);
      assert.ok((await text(page, "#workshop-about")).length > 80);
      assert.match(
        await text(page, "#solved-of"),
        k === 6 ? /Yedi alıştırmanın hepsi/ : new RegExp(`7 alıştırmadan ${k + 1} tanesi`),
      );
    }
    assert.doesNotMatch((await verdict(page)).says, /yarış yok/i);
    await choose(page, "bounds");
    await press(page, "#workshop-next");
    await quiet(page);
    assert.equal(await page.$eval("#exercise-nan", (e) => e.getAttribute("aria-pressed")), "true");
    assert.deepEqual(await violations(page, "#s7"), []);
    clean(page, context.url);
    await page.close();
  });

  it("gives a verdict with an address, draws who wrote which cell, and rings what is wrong", async () => {
    const page = await openWorkshop(context);
    await run(page);
    assert.match(
      (await verdict(page)).says,
      /Durum son workgroup dolmuyor \(N = 3, D = 4\): out\[12\] çıktının dışında \(12 eleman var\), ama üstüne yazıldı/,
    );
    const strays = await page.$$eval("#workshop-threads .ws-line.stray", (all) => all.length);
    assert.equal(strays, 4, "four threads too many");
    assert.equal(await page.$$eval("#workshop-output .ws-ring", (all) => all.length), 4);
    await choose(page, "race");
    await run(page);
    const { says } = await verdict(page);
    const [, got, lost] = /grad_table\[0\] 4\.096 olmalı, ([\d.]+) çıktı; ([\d.]+) toplama kayboldu/.exec(says) ?? [];
    assert.equal(Number(got?.replace(".", "")) + Number(lost?.replace(".", "")), 4096, says);
    assert.match(await text(page, "#workshop-threads"), /×8/);
    await press(page, "#lang-en");
    await page.waitForFunction(() =>
      /Case one token throughout/.test(document.querySelector("#workshop-told").textContent),
    );
    assert.match((await verdict(page)).says, /should be 4,096 and is [\d,]+; [\d,]+ additions were lost/);
    assert.deepEqual(await violations(page, "#s7"), []);
    await page.close();
  });

  it("shows errors at their lines, behind Turkish comments and emoji, and leaves the last verdict", async () => {
    const page = await openWorkshop(context);
    await run(page);
    const before = (await verdict(page)).says;
    const source = given("bounds").replace(
      "    let d = i % dims.y;",
      "    // ğüşiöç 😀😀 satırı\n    let d = /* 😀 */ foo % dims.y;",
    );
    await write(page, source);
    await compiled(page);
    const line = source.split("\n").findIndex((one) => one.includes("foo")) + 1;
    const told = await messages(page);
    assert.equal(told.length, 1);
    assert.equal(told[0].line, `satır ${line}`);
    assert.match(told[0].text, /foo/);
    assert.match(await text(page, "#workshop-messages"), /Bu ad burada tanımlı değil/);
    assert.match(await text(page, "#workshop-compiled"), /Derlenmedi: 1 hata.*en son çalışan koda ait/);
    await run(page);
    assert.equal((await verdict(page)).says, before, "the last verdict stays");
    assert.match(await text(page, "#workshop-old"), /önceki koda ait/);
    const marked = await page.evaluate(() => {
      const root = document.querySelector(".ws-cm").shadowRoot;
      return [...root.querySelectorAll(".cm-lintRange-error")].map((one) => one.textContent).join("");
    });
    assert.equal(marked, "foo");
    assert.equal(
      await page.evaluate(() =>
        document.querySelector(".ws-cm").shadowRoot.querySelector(".cm-content").getAttribute("aria-invalid"),
      ),
      "true",
    );
    await press(page, "#workshop-messages button");
    assert.match(await active(page), /cm-content/);
    await page.keyboard.type("i");
    assert.ok((await code(page)).includes("/* 😀 */ i % dims.y"), "the button selects what is wrong");
    await compiled(page);
    assert.match(await text(page, "#workshop-compiled"), /Derlendi/);
    assert.deepEqual(await messages(page), []);

    await press(page, "#lang-en");
    await write(page, source.replace("foo", "i").replace("let t = tokens[s];", "let t = tokens[s]"));
    await compiled(page);
    assert.match(await text(page, "#workshop-messages"), /line \d+.*';'|line \d+.*`;`/);
    assert.match(await text(page, "#workshop-messages"), /A ; is missing/);
    assert.deepEqual(await violations(page, "#s7"), []);
    clean(page, context.url);
    await page.close();
  });

  it("ends loops without end at their line, and the page goes on", async () => {
    const page = await openWorkshop(context);
    await choose(page, "free");
    const loops = [
      ["    while (true) {\n        out[0] += 1.0;\n    }", "while", 0],
      ["    for (var k = 0u; k < 10u; k += 0u) {\n        out[0] += 1.0;\n    }", "for", 0],
      [
        "    var k = 0u;\n    loop {\n        k += 1u;\n        if (dims.x == 77777u) { break; }\n    }\n    out[0] = f32(k);",
        "loop",
        1,
      ],
      [
        "    for (var k = 0u; k < 100000u; k += 1u) {\n        for (var m = 0u; m < 100000u; m += 1u) {\n            out[0] += 1.0;\n        }\n    }",
        "for",
        1,
      ],
    ];
    for (const [statements, keyword, offset] of loops) {
      const source = body(statements);
      await write(page, source);
      await run(page);
      const line = source.split("\n").indexOf(") {") + 2 + offset;
      const { says, passed } = await verdict(page);
      assert.ok(!passed);
      assert.match(says, new RegExp(`${line}\\. satırdaki ${keyword}, bir thread’de 65\\.000 turda bitmedi`), says);
    }
    await write(
      page,
      `${body("    out[gid.x] = f();")}fn f() -> f32 {\n    while (true) {\n        if (dims.x == 77777u) { return 1.0; }\n    }\n    return 0.0;\n}\n`,
    );
    await run(page);
    assert.match((await verdict(page)).says, /while, bir thread’de 65\.000 turda bitmedi/);
    await type(page, "köpek");
    await page.waitForFunction(() => document.querySelector("#chips").textContent.includes("köpek"));
    assert.equal(await page.$eval("#notice-lost", (e) => e.hidden), true);
    clean(page, context.url);
    await page.close();
  });

  it("says what can't be run: entry point, workgroup, bindings", async () => {
    const page = await openWorkshop(context);
    const source = solution("bounds");
    const tries = [
      [source.replace("fn embed_lookup", "fn lookup"), /fn embed_lookup bulunamadı/],
      [source.replace("GROUP = 8u", "GROUP = 512u"), /x yönünde 512 thread istiyor; bu aygıtta en çok 256/],
      [
        source.replace("@workgroup_size(GROUP)", "@workgroup_size(32, 32)"),
        /1\.024 thread istiyor; bu aygıtta en çok 256/,
      ],
      [source.replace("@workgroup_size(GROUP)", "@workgroup_size(GROUP * 2u)"), /workgroup_size okunamadı/],
      [source.replace("var<storage, read> table", "var<storage, read_write> table"), /işlem hattı kurmadı/],
      [source.replace("@group(0) @binding(3)", "@group(0) @binding(7)"), /işlem hattı kurmadı/],
      [
        `${source.replace("let s = i", "big[i % 4u] = 1u;\n    let s = i")}var<workgroup> big: array<u32, 100000>;\n`,
        /işlem hattı kurmadı|Derlenmedi/,
      ],
    ];
    for (const [text, says] of tries) {
      await write(page, text);
      await run(page);
      const told = `${(await verdict(page)).says} ${await page.$eval("#workshop-compiled", (e) => e.textContent)}`;
      assert.match(told, says);
    }
    await write(page, source);
    await run(page);
    assert.ok((await verdict(page)).passed);
    clean(page, context.url);
    await page.close();
  });

  it("goes on when its device is lost while judging; the page's own device is another", async () => {
    const page = await openWorkshop(context);
    await choose(page, "race");
    await write(page, solution("race"));
    // From within the page, in the middle of the cases, however busy the computer is.
    await page.evaluate(() => {
      const progress = document.querySelector("#workshop-progress");
      const observer = new MutationObserver(() => {
        if (!/Durum [2-7] \/ 7/.test(progress.textContent)) return;
        observer.disconnect();
        globalThis.lost = true;
        document.dispatchEvent(new CustomEvent("gomme:lose-workshop"));
      });
      observer.observe(progress, { subtree: true, childList: true, characterData: true });
    });
    await press(page, "#workshop-run");
    await page.waitForFunction(
      () => globalThis.lost && document.querySelector("#workshop-run").classList.contains("go"),
      { timeout: 20_000 },
    );
    await quiet(page);
    assert.match((await verdict(page)).says, /GPU aygıtı kayboldu\. 1–6\. bölümlerin aygıtı ayrıdır/);
    assert.equal(await page.$eval("#notice-lost", (e) => e.hidden), true);
    await run(page);
    assert.ok((await verdict(page)).passed, "a new device is asked for");
    clean(page, context.url);
    await page.close();
  });

  it("does not wait for ever, and tells when memory runs out", async () => {
    const page = await openWorkshop(context, {
      prepare: () => {
        const map = GPUBuffer.prototype.mapAsync;
        GPUBuffer.prototype.mapAsync = async function (...args) {
          const late = globalThis.late ?? 0;
          globalThis.late = 0;
          await map.apply(this, args);
          if (late > 0) await new Promise((done) => setTimeout(done, late));
        };
        const pop = GPUDevice.prototype.popErrorScope;
        GPUDevice.prototype.popErrorScope = async function () {
          const found = await pop.call(this);
          if (!globalThis.poor) return found;
          globalThis.poor -= 1;
          return globalThis.poor === 0 ? new GPUOutOfMemoryError("no memory left") : found;
        };
      },
    });
    await page.evaluate(() => (globalThis.late = 7_000));
    await run(page);
    assert.match((await verdict(page)).says, /5 saniyede bitmedi/);
    await run(page);
    assert.match(
      (await verdict(page)).says,
      /Durum son workgroup dolmuyor/,
      "the next run waits until the GPU lets go",
    );
    // check() pops one scope, prepare() two, once to see whether it can and once to run; the first of run() is for memory.
    await page.evaluate(() => (globalThis.poor = 6));
    await run(page);
    assert.match((await verdict(page)).says, /belleği yetmedi.*no memory left/);
    await run(page);
    assert.match((await verdict(page)).says, /Durum son workgroup dolmuyor/);
    clean(page, context.url);
    await page.close();
  });

  it("puts exercise and code into a link; opened fresh it shows them and runs nothing", async () => {
    const page = await openWorkshop(context);
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", {
        configurable: true,
        value: { writeText: async (words) => (globalThis.copied = words) },
      });
    });
    await choose(page, "packed");
    const mine = `// paylaşılan 😀 kod\n${solution("packed")}`;
    await write(page, mine);
    await press(page, "#workshop-share");
    await page.waitForFunction(() => globalThis.copied !== undefined);
    const address = await page.evaluate(() => globalThis.copied);
    assert.match(address, /#.*w=1[\w-]+/);
    assert.ok(!address.includes("?"));
    await quiet(page);
    assert.match(await text(page, "#workshop-note"), /Bağlantı kopyalandı/);
    // The reader who opens it has a draft of their own.
    const other = await openWorkshop(context);
    await choose(other, "packed");
    await write(other, `// taslağım\n${given("packed")}`);
    await wait(400);
    await other.close();
    const fresh = await open(context, { address, prepare: countRuns });
    await fresh.waitForSelector(".ws-cm");
    await fresh.waitForFunction(() => !document.querySelector("#workshop-from-link").hidden);
    await compiled(fresh);
    assert.equal(await code(fresh), mine);
    assert.equal(await fresh.$eval("#exercise-packed", (e) => e.getAttribute("aria-pressed")), "true");
    assert.match(await text(fresh, "#workshop-from-link"), /Çalıştırılmadı/);
    assert.equal(await fresh.evaluate(() => globalThis.runs), 0, "nothing runs by itself");
    assert.match(await text(fresh, "#workshop-told"), /Bu kod henüz çalıştırılmadı/);
    assert.deepEqual(await violations(fresh, "#s7"), []);
    await press(fresh, "#workshop-own");
    await quiet(fresh);
    assert.match(await code(fresh), /taslağım/);
    clean(fresh, context.url);
    await fresh.close();
    const bad = await open(context, { address: address.replace(/w=1.{30}/, "w=1") });
    await bad.waitForFunction(() => document.querySelector("#workshop-bad-link")?.hidden === false);
    assert.match(await text(bad, "#workshop-bad-link"), /okunamadı/);
    await bad.close();
    await page.close();
  });

  it("keeps drafts and solved marks, runs nothing while typing or from storage, and names code that took the page down", async () => {
    const page = await openWorkshop(context, { prepare: countRuns });
    await choose(page, "nan");
    await write(page, solution("nan"));
    await compiled(page);
    assert.equal(await page.evaluate(() => globalThis.runs), 0);
    await run(page);
    assert.ok((await page.evaluate(() => globalThis.runs)) > 0);
    const draft = `// sürer\n${solution("nan")}`;
    await write(page, draft);
    await wait(300);
    // As a page leaves it that died between submit and answer.
    await page.evaluate(() => {
      const key = "gomme:workshop:running";
      const text = localStorage.getItem("gomme:workshop:draft:nan");
      let hash = 2166136261;
      for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
      localStorage.setItem(key, `running:${hash.toString(16).padStart(8, "0")}`);
    });
    await page.close();
    const again = await openWorkshop(context, { keep: true, prepare: countRuns });
    await compiled(again);
    assert.equal(await code(again), draft);
    assert.equal(await again.$eval("#exercise-nan", (e) => e.getAttribute("aria-pressed")), "true");
    assert.match(await text(again, "#exercise-nan"), /çözüldü/);
    assert.match(await text(again, "#workshop-took-down"), /sayfa kapandı/);
    assert.equal(await again.evaluate(() => globalThis.runs), 0);
    await run(again);
    assert.ok((await verdict(again)).passed);
    assert.equal(await again.evaluate(() => localStorage.getItem("gomme:workshop:running")), null);
    await press(again, "#workshop-restore");
    await quiet(again);
    assert.equal(await again.$eval("#workshop-took-down", (e) => e.hidden), true);
    assert.match(await code(again), /abs\(val\) > 3\.4e38/);
    await again.evaluate(() => localStorage.clear());
    await again.close();
  });

  it("translates the comments of a kernel that nobody changed; undo stays inside an exercise", async () => {
    const page = await openWorkshop(context);
    assert.match(await code(page), /her thread bir eleman/);
    await press(page, "#lang-en");
    await page.waitForFunction(() => document.documentElement.lang === "en");
    await quiet(page);
    assert.match(await code(page), /each thread is one element/);
    await choose(page, "race");
    await choose(page, "bounds");
    const before = await code(page);
    await page.evaluate(() => document.querySelector(".ws-cm").shadowRoot.querySelector(".cm-content").focus());
    await page.keyboard.down("Control");
    await page.keyboard.press("z");
    await page.keyboard.up("Control");
    assert.equal(await code(page), before);
    await press(page, "#lang-tr");
    await page.close();
  });

  it("gives back code that was replaced: by a button, by the editor's undo, after another exercise too", async () => {
    const page = await openWorkshop(context);
    await type(page, "kedi ve köpek");
    const mine = `// benim\n${given("bounds")}`;
    const undo = async () => {
      await page.keyboard.down("Control");
      await page.keyboard.press("z");
      await page.keyboard.up("Control");
      await quiet(page);
    };
    await write(page, mine);
    for (const id of ["#workshop-restore", "#workshop-use"]) {
      if (id === "#workshop-use") {
        for (let k = 0; k < 3; k++) {
          await press(page, "#workshop-hint");
          await quiet(page);
        }
        await press(page, "#workshop-solution");
        await page.waitForSelector("#workshop-use");
        await quiet(page);
      }
      await press(page, id);
      await quiet(page);
      assert.notEqual(await code(page), mine);
      assert.match(await active(page), /cm-content/, "the focus is where undo works");
      await undo();
      assert.equal(await code(page), mine, `${id}: the editor's undo`);
      await press(page, id);
      await quiet(page);
      await press(page, "#workshop-act");
      await quiet(page);
      assert.equal(await code(page), mine, `${id}: the button`);
      assert.equal(await text(page, "#workshop-note"), "");
      await press(page, id);
      await choose(page, "race");
      await choose(page, "bounds");
      assert.notEqual(await code(page), mine);
      await page.evaluate(() => document.querySelector(".ws-cm").shadowRoot.querySelector(".cm-content").focus());
      await undo();
      assert.equal(await code(page), mine, `${id}: the editor's undo, after another exercise`);
    }
    // The message is in the language of the page, whatever it was when the message came.
    await press(page, "#workshop-restore");
    await press(page, "#lang-en");
    await page.waitForFunction(() => /given kernel is back/.test(document.querySelector("#workshop-note").textContent));
    // With the focus on a button the page's own undo leaves alone what is out of sight.
    await page.$eval("#workshop-run", (button) => {
      button.scrollIntoView({ block: "center", behavior: "instant" });
      button.focus();
    });
    await undo();
    assert.equal(await page.$eval("#text", (area) => area.value), "kedi ve köpek");
    clean(page, context.url);
    await page.close();
  });

  it("leads to the goal of the next exercise, and says how one ended that was left while it ran", async () => {
    const page = await openWorkshop(context, { height: 700 });
    await write(page, solution("bounds"));
    await run(page);
    await press(page, "#workshop-next");
    await quiet(page);
    assert.equal(await active(page), "workshop-goal");
    const seen = await page.$eval("#workshop-goal", (goal) => {
      const { top, bottom } = goal.getBoundingClientRect();
      return top > 0 && bottom < innerHeight;
    });
    assert.ok(seen, "the goal is on the screen");
    // In one turn, so that the run can't have ended before it is left.
    await page.evaluate(() => {
      for (const id of ["workshop-run", "exercise-packed"]) document.getElementById(id).click();
    });
    await page.waitForSelector("#workshop-act", { timeout: 60_000 });
    assert.match(await text(page, "#workshop-note"), /NaN alıştırması çalıştı/);
    await press(page, "#workshop-act");
    await quiet(page);
    assert.equal(await page.$eval("#exercise-nan", (e) => e.getAttribute("aria-pressed")), "true");
    assert.deepEqual((await verdict(page)).failed, ["nan"]);
    // A second run with the same verdict leaves a sign.
    assert.match(await text(page, "#workshop-run-of"), /1\. çalıştırma/);
    await run(page);
    assert.match(await text(page, "#workshop-run-of"), /2\. çalıştırma/);
    clean(page, context.url);
    await page.close();
  });

  it("calls nothing free of errors that can't be run", async () => {
    const page = await openWorkshop(context);
    const source = solution("bounds");
    await write(page, source.replace("    let s = i", "    print(i);\n    let s = i"));
    await compiled(page);
    assert.match(await text(page, "#workshop-compiled"), /Derlenmedi: 1 hata/);
    assert.match(await text(page, "#workshop-messages"), /WGSL’de print yok/);
    await write(page, source.replace("fn embed_lookup", "fn lookup"));
    await compiled(page);
    assert.match(
      await text(page, "#workshop-compiled"),
      /Derlendi, ama bu haliyle çalışmaz.*fn embed_lookup bulunamadı/,
    );
    await write(page, source.replace("@group(0) @binding(3)", "@group(0) @binding(7)"));
    await compiled(page);
    assert.match(await text(page, "#workshop-compiled"), /Derlendi, ama bu haliyle çalışmaz.*işlem hattı/);
    await write(page, source);
    await compiled(page);
    assert.equal(await text(page, "#workshop-compiled"), "Derlendi; hata yok.");
    clean(page, context.url);
    await page.close();
  });

  it("runs a kernel in the middle of a training, which goes on", async () => {
    const page = await openWorkshop(context);
    await page.$eval("#s8", (section) => section.scrollIntoView({ behavior: "instant" }));
    await page.waitForFunction(() => document.querySelector("#train-go")?.disabled === false, { timeout: 60_000 });
    await press(page, "#train-go");
    await untilStep(page, 8);
    await press(page, "#workshop-run");
    await page.waitForFunction(() => document.querySelector("#workshop-run-of"), { timeout: 30_000 });
    assert.equal(await text(page, "#train-go"), "Dur");
    const at = await steps(page);
    assert.ok(at < 450, `the kernel ran before the training had ended by itself: ${at}`);
    await untilStep(page, at + 4);
    await press(page, "#train-go");
    await idle(page);
    clean(page, context.url);
    await page.close();
  });

  it("is a plain text area where the editor can't be had, and works without storage", async () => {
    const page = await openWorkshop(context, {
      plain: true,
      prepare: () => {
        Element.prototype.attachShadow = () => {
          throw new Error("no shadow");
        };
        Object.defineProperty(globalThis, "localStorage", {
          get: () => {
            throw new Error("no storage");
          },
        });
      },
    });
    await page.waitForFunction(() => /düz metin alanı/.test(document.querySelector("#s7").textContent));
    await write(page, solution("bounds").replace("let d = i", "let d = foo"));
    await compiled(page);
    assert.equal((await messages(page)).length, 1);
    assert.equal(await page.$eval("#workshop-plain", (e) => e.getAttribute("aria-invalid")), "true");
    await press(page, "#workshop-messages button");
    assert.equal(await page.$eval("#workshop-plain", (e) => e.value.slice(e.selectionStart, e.selectionEnd)), "foo");
    await write(page, solution("bounds"));
    await page.$eval("#workshop-plain", (e) => e.focus());
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await page.waitForFunction(() => document.querySelector("#workshop-verdict").classList.contains("ws-pass"), {
      timeout: 30_000,
    });
    await choose(page, "nan");
    await choose(page, "bounds");
    assert.equal(await code(page), solution("bounds"), "for this visit the draft is kept all the same");
    assert.deepEqual(await violations(page, "#s7"), []);
    clean(page, context.url);
    await page.close();
  });

  it("is read on the CPU, and says why it can't be run", async () => {
    const page = await openWorkshop(context, { ready: false, prepare: noGpu });
    await page.waitForFunction(() => document.querySelector("#workshop-readonly").hidden === false);
    assert.match(await text(page, "#workshop-readonly"), /okunur, çalıştırılmaz.*navigator\.gpu/);
    assert.equal(await page.$eval("#workshop-run", (e) => e.disabled), true);
    const before = await code(page);
    await page.evaluate(() => document.querySelector(".ws-cm").shadowRoot.querySelector(".cm-content").focus());
    await page.keyboard.type("x");
    assert.equal(await code(page), before);
    await press(page, "#workshop-hint");
    await page.waitForSelector("#hint-1");
    assert.deepEqual(await violations(page, "#s7"), []);
    clean(page, context.url);
    await page.close();
  });

  it("fits from 360 to 2,560 px and at 200 %, dark and light, in both languages", async () => {
    for (const [width, fragment] of [
      [360, "theme=dark"],
      [390, "lang=en"],
      [640, "theme=light"],
      [1024, "theme=dark&lang=en"],
      [2560, ""],
    ]) {
      const page = await openWorkshop(context, { width, fragment });
      await choose(page, "race");
      await run(page);
      await press(page, "#workshop-hint");
      await quiet(page);
      assert.ok((await sideways(page)) <= 0, `${width} px: ${await sideways(page)} px too wide`);
      assert.deepEqual(await violations(page, "#s7"), [], `${width} ${fragment}`);
      await page.close();
    }
  });
});

inBothBrowsers("workshop from disk", (context) => {
  it("works in the single file without a network", async () => {
    const page = await open(context, { address: singleFile, fragment: "sec=7", ready: false });
    await page.waitForSelector(".ws-cm", { timeout: 120_000 });
    await page.waitForFunction(() => document.querySelector("#workshop-run")?.disabled === false, { timeout: 120_000 });
    await quiet(page);
    await run(page);
    assert.match((await verdict(page)).says, /Durum son workgroup dolmuyor/);
    await write(page, solution("bounds"));
    await run(page);
    assert.ok((await verdict(page)).passed);
    assert.deepEqual(
      page.requests.filter((one) => /^https?:/.test(one)),
      [],
    );
    assert.deepEqual(page.errors, []);
    await page.close();
  });
});
