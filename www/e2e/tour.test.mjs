// A scripted tour in Chromium that reports what the page weighs and how long its tasks are, and the pictures of every section.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { it } from "node:test";
import { gzipSync } from "node:zlib";
import { chips, dist, inBothBrowsers, open, press, quiet, shots, show, tour, type, wait } from "./harness.mjs";

const SECTIONS = ["s1", "s2", "s3", "s4", "s5", "s6", "later", "corrections", "lesson", "glossary"];

/** Main-thread tasks of the page over 50 ms in a trace: wall time, and the part of it that this thread was computing. */
function longTasks(trace) {
  const { traceEvents: events } = JSON.parse(Buffer.from(trace).toString("utf8"));
  const ours = events
    .filter((one) => one.name === "TracingStartedInBrowser")
    .flatMap((one) => one.args.data.frames ?? []);
  const processes = new Set(ours.map((frame) => frame.processId));
  const mains = events.filter((one) => one.name === "thread_name" && one.args.name === "CrRendererMain");
  const main = new Set(
    mains.filter((one) => processes.size === 0 || processes.has(one.pid)).map((one) => `${one.pid}/${one.tid}`),
  );
  return events
    .filter((one) => one.name === "RunTask" && one.ph === "X" && main.has(`${one.pid}/${one.tid}`))
    .map((one) => ({ wall: one.dur / 1000, cpu: (one.tdur ?? one.dur) / 1000 }))
    .sort((a, b) => b.cpu - a.cpu);
}

inBothBrowsers(
  "tour",
  (context) => {
    it("weighs at most 250 KB with gzip -9 before the first lookup, vectors aside", async () => {
      const page = await context.browser.newPage();
      const asked = new Set();
      page.on("request", (request) => asked.add(new URL(request.url()).pathname));
      let first;
      await page.exposeFunction("firstLookup", () => (first ??= [...asked]));
      await page.evaluateOnNewDocument(() => {
        new PerformanceObserver((list) => {
          if (list.getEntries().some((one) => one.name === "gomme:first-lookup")) globalThis.firstLookup();
        }).observe({ type: "mark", buffered: true });
      });
      await page.goto(context.url, { waitUntil: "load" });
      for (let i = 0; i < 300 && !first; i++) await wait(100);
      const weigh = (path) =>
        gzipSync(readFileSync(`${dist}${path === "/" ? "/index.html" : path}`), { level: 9 }).length;
      const files = first
        .filter((path) => !/\.(i8|f32)$/.test(path) && !/\/(later|en)-/.test(path))
        .map((path) => [path, weigh(path)]);
      const total = files.reduce((sum, [, bytes]) => sum + bytes, 0);
      for (const [path, bytes] of files) console.log(`  ${String(bytes).padStart(7)}  ${path}`);
      console.log(`before the first lookup: ${total} bytes with gzip -9, vectors aside`);
      const later = readdirSync(dist).filter((name) => /^(later|en)-.*\.js$/.test(name));
      for (const name of later) console.log(`  ${String(weigh(`/${name}`)).padStart(7)}  /${name}, after it`);
      console.log(`  ${statSync(`${dist}/gomme.html`).size} bytes: gomme.html, everything in one file`);
      assert.ok(total <= 250_000, `${total} bytes`);
      await page.close();
    });

    it("tells its longest task on the main thread in a tour of all sections", async () => {
      const page = await context.browser.newPage();
      await page.setViewport({ width: 1280, height: 900 });
      const report = [];
      // A computer that is busy with other things makes a task look longer than it is, never shorter: the best of three counts.
      const part = async (name, act) => {
        let best = { cpu: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY };
        let tries = 0;
        while (best.cpu > 50 && tries < 3) {
          tries += 1;
          await page.tracing.start({
            categories: ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline"],
          });
          await act();
          await wait(300);
          const tasks = longTasks(await page.tracing.stop());
          best = {
            cpu: Math.min(best.cpu, Math.max(0, ...tasks.map((one) => one.cpu))),
            wall: Math.min(best.wall, Math.max(0, ...tasks.map((one) => one.wall))),
          };
        }
        report.push({ name, tries, ...best });
      };
      const ready = () =>
        page.waitForFunction(
          () => document.documentElement.dataset.vectors === "ready" && document.querySelector("#glossary dl") !== null,
          { timeout: 90_000 },
        );
      await part("open", async () => {
        await page.goto(context.url, { waitUntil: "load" });
        await ready();
      });
      await part("scroll through", () => tour(page));
      await part("type", () => type(page, "kedi köpeğe baktı, köpek kediye"));
      await part("long tale", async () => {
        await press(page, '[data-preset="4"]');
        await quiet(page);
      });
      await part("point at things", async () => {
        await show(page, "#output canvas");
        const box = await (await page.$("#output canvas")).boundingBox();
        for (let i = 0; i < 40; i++) await page.mouse.move(box.x + 3 + i * 12, box.y + 5 + (i % 8) * 20);
        await page.mouse.move(2, 2);
      });
      await part("gradient, NaN, outside", async () => {
        for (const id of ["#upstream-ones", "#put-nan", "#oov", "#upstream-random"]) await press(page, id);
        await quiet(page);
      });
      for (const [name, ids] of [
        ["language", ["#lang-en", "#lang-tr"]],
        ["look", ["#theme-dark", "#theme-light"]],
      ]) {
        await part(name, async () => {
          for (const id of ids) {
            await press(page, id);
            await quiet(page);
          }
        });
      }
      await part("tables", async () => {
        await press(page, "#output [data-export=table]");
        await press(page, "#tokens [data-export=table]");
        await quiet(page);
      });
      await part("stepper", async () => {
        await show(page, "#stepper");
        await press(page, "#stepper-cas");
        await press(page, "#step-first");
        for (let i = 0; i < 10; i++) await press(page, "#step-forward");
        await quiet(page);
      });
      await part("contention", async () => {
        await press(page, "#measure-contention");
        await page.waitForFunction(() => /45/.test(document.querySelector("#contention-note").textContent), {
          timeout: 60_000,
        });
      });
      await part("race", async () => {
        await show(page, "#race");
        await press(page, "#race-go");
        await page.waitForFunction(() => document.querySelector("#race-note").textContent !== "", { timeout: 120_000 });
      });
      await part("speed", async () => {
        await show(page, "#speed");
        await press(page, "#speed-go");
        await page.waitForSelector("#speed-go:not(.go)");
        await page.waitForSelector("#speed-go.go", { timeout: 180_000 });
      });
      for (const { name, tries, cpu, wall } of report) {
        console.log(
          `  ${name.padEnd(24)} longest task ${cpu.toFixed(0).padStart(4)} ms computing, ${wall.toFixed(0).padStart(5)} ms by the clock${tries > 1 ? `, best of ${tries}` : ""}`,
        );
      }
      const worst = Math.max(...report.map((one) => one.cpu));
      // A time is reported, not judged: on a busy machine the same page takes twice as long. The aim is 50.
      console.log(`report: longest task of the tour ${worst.toFixed(0)} ms of computing on the main thread (aim: 50)`);
      assert.ok((await chips(page)).length > 0);
      assert.ok(report.length > 0);
      await page.close();
    });

    it("takes pictures of every section at 1280 and 360 px, light and dark", async () => {
      const page = await open(context, { fragment: "step=6&nan=1" });
      await press(page, "#measure-contention");
      await press(page, "#race-go");
      await press(page, "#speed-go");
      await page.waitForSelector("#speed-go:not(.go)");
      await page.waitForSelector("#speed-go.go", { timeout: 180_000 });
      await press(page, "#hurt-go");
      await page.waitForSelector("#hurt-go.go", { timeout: 120_000 });
      let taken = 0;
      for (const theme of ["light", "dark"]) {
        await press(page, `#theme-${theme}`);
        for (const width of [1280, 360]) {
          await page.setViewport({ width, height: 900 });
          await tour(page);
          await page.screenshot({ path: `${shots}/${width}-${theme}-top.png` });
          for (const section of SECTIONS) {
            const element = await page.$(`#${section}`);
            await element.evaluate((one) => one.scrollIntoView({ behavior: "instant" }));
            const box = await element.boundingBox();
            assert.ok(box.height > 100, section);
            await page.evaluate(() => document.body.classList.add("picture"));
            await element.screenshot({ path: `${shots}/${width}-${theme}-${section}.png` });
            taken += 1;
          }
        }
      }
      console.log(`${taken} pictures of sections in ${shots.split("/").pop()}/`);
      await page.close();
    });
  },
  { only: ["chromium"] },
);
