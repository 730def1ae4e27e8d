// Without WebGPU, with the device lost, from disk, and while things load or fail.

import assert from "node:assert/strict";
import { it } from "node:test";
import {
  assertClean,
  chips,
  hits,
  inBothBrowsers,
  open,
  press,
  quiet,
  settled,
  singleFile,
  text,
  type,
  violations,
  wait,
} from "./harness.mjs";

inBothBrowsers("fallbacks", (context) => {
  it("works on the CPU twin without WebGPU, says so, why, and what to do", async () => {
    const page = await open(context, {
      prepare: () => Object.defineProperty(Navigator.prototype, "gpu", { configurable: true, get: () => undefined }),
    });
    assert.equal(await page.$eval("html", (e) => e.dataset.state), "ready");
    assert.equal(await page.$eval("html", (e) => e.dataset.vectors), "ready");
    assert.match(await text(page, "#adapter"), /İşlemci ikizi/);
    assert.match(await text(page, "#badge"), /no-webgpu/);
    assert.match(await text(page, "#badge"), context.name === "firefox" ? /about:config/ : /donanım hızlandırma/);
    assert.equal((await hits(page))[6754].hits, 2);
    assert.match(await text(page, "#hits-check"), /İşlemci ikizinin saydığı/);
    assert.match(await text(page, "#near"), /▁köpek0,915/);
    await press(page, "#race-go");
    await page.waitForFunction(() => document.querySelector("#race-note").textContent !== "", { timeout: 120_000 });
    assert.match(await text(page, "#race-note"), /tek işçi/);
    await press(page, "#speed-go");
    await page.waitForSelector("#speed-go:not(.go)");
    await page.waitForSelector("#speed-go.go", { timeout: 180_000 });
    assert.match(await text(page, "#software-note"), /işlemcide ölçülür/);
    await page.$eval("#badge", (e) => (e.open = true));
    assert.deepEqual(await violations(page), []);
    assertClean(page, context.url);
    await page.close();
  });
  it("says which of adapter and device was refused, and the browser's words, in both languages", async () => {
    for (const [prepare, said] of [
      [
        () => (GPUAdapter.prototype.requestDevice = () => Promise.reject(new Error("out of *all* devices."))),
        {
          tr: "adaptör aygıt (GPUDevice) vermedi: out of *all* devices.",
          en: "the adapter gave no device (GPUDevice): out of *all* devices.",
        },
      ],
      [
        () => (GPU.prototype.requestAdapter = () => Promise.reject(new Error("blocked by policy"))),
        { tr: "bir adaptör vermedi: blocked by policy.", en: "gave no adapter: blocked by policy." },
      ],
      [
        () => (GPU.prototype.requestAdapter = () => Promise.resolve(null)),
        { tr: "bir adaptör vermedi.", en: "gave no adapter." },
      ],
    ]) {
      const page = await open(context, { prepare });
      for (const lang of ["tr", "en"]) {
        if (lang === "en") {
          await press(page, "#lang-en");
          await page.waitForFunction(() => document.documentElement.lang === "en");
          await quiet(page);
        }
        for (const place of ["#badge dl", "#notice-cpu"]) {
          const found = await text(page, place);
          assert.ok(found.includes(said[lang]), `${place}: ${found}`);
        }
      }
      assert.match(await text(page, "#badge"), /no-adapter/);
      assert.deepEqual(page.errors, []);
      await page.close();
    }
  });

  it("goes on after the device is lost in the middle, and says so", async () => {
    const page = await open(context);
    await page.evaluate(() => document.dispatchEvent(new CustomEvent("gomme:lose-device")));
    await page.waitForFunction(() => !document.querySelector("#notice-lost").hidden, { timeout: 60_000 });
    await quiet(page);
    assert.match(await text(page, "#notice-lost"), /Yenisi kuruldu/);
    await type(page, "kuş kuş kuş");
    await page.waitForFunction(() => document.querySelector("#total-hits").textContent === "3", { timeout: 60_000 });
    assert.equal((await page.$("#hits-check.good")) !== null, true);
    await page.waitForFunction(() => /▁kuş/.test(document.querySelector("#cell").textContent));
    assert.match(await text(page, "#cell"), /0,\d{5}/);
    assert.equal(await page.$eval("#notice-failed", (e) => e.hidden), true);
    assert.deepEqual(await violations(page, "#s0"), []);
    await page.close();
  });
  it("turns to the CPU where no device comes back, says so, and drops what the old one measured", async () => {
    const page = await open(context, {
      prepare: () => {
        const real = GPU.prototype.requestAdapter;
        GPU.prototype.requestAdapter = function (...options) {
          return globalThis.gone ? Promise.resolve(null) : real.apply(this, options);
        };
      },
    });
    await press(page, "#measure-contention");
    await page.waitForFunction(
      () => /\d/.test(document.querySelector("#contention-table tbody tr:last-child td.strong")?.textContent),
      { timeout: 60_000 },
    );
    await page.evaluate(() => {
      globalThis.gone = true;
      document.dispatchEvent(new CustomEvent("gomme:lose-device"));
    });
    await page.waitForFunction(() => /İşlemci ikizi/.test(document.querySelector("#adapter").textContent), {
      timeout: 60_000,
    });
    await quiet(page);
    assert.match(await text(page, "#badge"), /bir adaptör vermedi\..*no-adapter/);
    assert.match(await text(page, "#notice-cpu"), /bir adaptör vermedi\./);
    assert.equal(await page.$eval("#notice-lost", (e) => e.hidden), true, "no new device was made");
    assert.equal(await page.$("#contention-table td.strong"), null);
    await type(page, "kuş kuş kuş");
    await page.waitForFunction(() => document.querySelector("#total-hits").textContent === "3", { timeout: 60_000 });
    assert.deepEqual(page.errors, []);
    await page.close();
  });

  it("opens from disk in one file without a network, with every section at work", async () => {
    const page = await open(context, { address: singleFile });
    assert.equal(await page.$eval("html", (e) => e.dataset.vectors), "ready");
    assert.equal((await hits(page))[6754].adds, 768);
    assert.match(await text(page, "#near"), /▁köpek0,915/);
    await press(page, "#lang-en");
    await page.waitForFunction(() => document.documentElement.lang === "en");
    await type(page, "kedi kedi kedi");
    await page.waitForFunction(() => document.querySelector("#total-hits").textContent === "3");
    await wait(400);
    assert.match(await page.evaluate(() => location.hash), /m=kedi/);
    await press(page, "#step-forward");
    await quiet(page);
    assert.match(await text(page, "#told"), /Thread 0 has read/);
    await press(page, "#race-go");
    await page.waitForFunction(() => document.querySelector("#race-note").textContent !== "", { timeout: 120_000 });
    assert.deepEqual(page.errors, []);
    const asked = page.requests.filter((one) => !/^(data|blob):/.test(one) && one.split("#")[0] !== singleFile);
    assert.deepEqual(asked, [], "nothing is asked for");
    await page.close();
  });
});

inBothBrowsers(
  "while things load or fail",
  (context) => {
    it("shows tokens, gradient and hits while the vectors are on their way, and when they never come", async () => {
      const page = await context.browser.newPage();
      page.errors = [];
      let release;
      const held = new Promise((done) => (release = done));
      await page.setRequestInterception(true);
      page.on("request", async (request) => {
        if (/\.i8$/.test(request.url())) {
          await held;
          await request.abort();
        } else await request.continue();
      });
      await page.goto(context.url, { waitUntil: "load" });
      await page.waitForFunction(() => document.documentElement.dataset.state === "ready", { timeout: 60_000 });
      await page.waitForFunction(() => document.querySelector("#total-hits")?.textContent === "8", { timeout: 30_000 });
      assert.equal(await page.$eval("html", (e) => e.dataset.vectors), "loading");
      assert.equal(await page.$eval("#vectors-progress", (e) => e.hidden), false);
      assert.equal((await chips(page)).length, 8);
      assert.deepEqual(await violations(page, "#main"), []);
      release();
      await page.waitForFunction(() => document.documentElement.dataset.vectors === "failed", { timeout: 60_000 });
      await quiet(page);
      assert.equal(await page.$eval("#notice-vectors", (e) => e.hidden), false);
      await type(page, "kedi kedi");
      await page.waitForFunction(() => document.querySelector("#total-hits").textContent === "2");
      await settled(page);
      assert.deepEqual(await violations(page, "#main"), []);
      await page.close();
    });

    it("speaks Turkish where English cannot be had, and says which sections are missing", async () => {
      // Without the later sections there is no gradient to show, and so the page is not ready.
      for (const [file, fragment, state] of [
        [/\/en-\w+\.js$/, "lang=en", "ready"],
        [/\/later-\w+\.js$/, "", "failed"],
      ]) {
        const page = await context.browser.newPage();
        const thrown = [];
        page.on("pageerror", (error) => thrown.push(String(error)));
        await page.setRequestInterception(true);
        page.on("request", (request) => (file.test(request.url()) ? request.abort() : request.continue()));
        await page.goto(`${context.url}#${fragment}`, { waitUntil: "load" });
        await page.waitForFunction(() => document.documentElement.dataset.state !== "loading", { timeout: 60_000 });
        await page.waitForFunction(() => document.querySelector("#s3")?.textContent !== "", { timeout: 30_000 });
        await quiet(page);
        assert.equal(await page.$eval("html", (element) => element.dataset.state), state);
        assert.equal(await page.$eval("html", (element) => element.dataset.vectors), "ready");
        assert.equal(await page.$eval("html", (element) => element.lang), "tr");
        if (fragment) await press(page, "#lang-en");
        else assert.match(await text(page, "#s3 .warnline"), /later-/);
        await quiet(page);
        assert.equal((await chips(page)).length, 8);
        assert.deepEqual(thrown, []);
        await page.close();
      }
    });
  },
  { only: ["chromium"] },
);
