// Runs every check and test, one suite after the other, goes on after a failure, and ends with "N passed, N failed".
//
//   node tools/test.mjs [SUITE ...]     (by ./build.sh test, which has set up what the suites need)
//
// Each suite's output is kept in target/test-logs/; only what failed is shown in full. A suite that crashes, runs into its
// time limit or runs no test at all counts as one failure.

import { spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";

const logs = "target/test-logs";
const cargo = ["--locked", "--quiet"];

/** `node --test` over the `*.test.mjs` of a folder. Node 20 takes no patterns, and with no file it would search by itself. */
function nodeTests(folder, more = {}) {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".test.mjs")) : [];
  if (files.length === 0) files.push("no.test.mjs");
  const command = [process.execPath, "--test", "--test-concurrency=1", "--test-reporter=spec"];
  return { command: [...command, ...files.sort().map((name) => `${folder}/${name}`)], count: countNode, ...more };
}

// The runner of wasm-bindgen takes the first driver variable that is set, whichever browser was asked for.
const wasmTests = (browser, driver, other) => ({
  command: [
    "wasm-pack",
    "test",
    "--headless",
    `--${browser}`,
    `--${driver.toLowerCase()}`,
    process.env[driver] ?? driver.toLowerCase(),
  ],
  environment: { [other]: undefined, WASM_BINDGEN_TEST_TIMEOUT: "1200" },
  minutes: 25,
  count: countRust,
});

const suites = {
  rustfmt: { command: ["cargo", "fmt", "--check"] },
  clippy: { command: ["cargo", "clippy", ...cargo, "--all-targets", "--", "-D", "warnings"] },
  "clippy-wasm": {
    command: [
      "cargo",
      "clippy",
      ...cargo,
      "--all-targets",
      "--target",
      "wasm32-unknown-unknown",
      "--",
      "-D",
      "warnings",
    ],
  },
  native: { command: ["cargo", "test", "--locked"], count: countRust },
  "wasm-chromium": wasmTests("chrome", "CHROMEDRIVER", "GECKODRIVER"),
  "wasm-firefox": wasmTests("firefox", "GECKODRIVER", "CHROMEDRIVER"),
  build: { command: ["./build.sh", "build-quietly"] },
  biome: { command: ["node_modules/.bin/biome", "ci", "--colors=off", "."] },
  typescript: { command: ["node_modules/.bin/tsc", "--noEmit"] },
  "typescript-bench": { command: ["node_modules/.bin/tsc", "--noEmit", "-p", "bench"] },
  tools: nodeTests("tests/tools"),
  site: nodeTests("tests/site"),
  package: nodeTests("tests/package"),
  bench: nodeTests("bench"),
  "page-units": nodeTests("www/unit"),
  page: nodeTests("www/e2e", { minutes: 60 }),
};

/** Sums the "test result:" lines that cargo's and wasm-bindgen's harnesses print, one per test binary. */
export function countRust(text) {
  let passed = 0;
  let failed = 0;
  for (const [, ok, bad] of text.matchAll(/^test result: .*?(\d+) passed; (\d+) failed/gm)) {
    passed += Number(ok);
    failed += Number(bad);
  }
  return { passed, failed };
}

/** Reads the totals that node --test prints last. */
export function countNode(text) {
  const total = (name) => Number([...text.matchAll(new RegExp(`^(?:ℹ|#) ${name} (\\d+)$`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: total("pass"), failed: total("fail") + total("cancelled") };
}

/** What a failed suite said about its failures: node --test repeats them at its end; of other suites it is all they said. */
export function failures(text) {
  const at = text.lastIndexOf("✖ failing tests:");
  return (at < 0 ? text : text.slice(at)).trimEnd();
}

/** Names of failed tests, as node --test and the Rust harnesses give them. */
export function failedNames(text) {
  const node = [...failures(text).matchAll(/^test at (.+?):\d+:\d+\n✖ (.+?)(?: \([\d.]+ms\))?$/gm)];
  const rust = [...text.matchAll(/^test (\S+) \.\.\. (?:FAILED|FAIL)$/gm)];
  return [...node.map(([, file, name]) => `${file}: ${name}`), ...rust.map(([, name]) => name)];
}

/** Runs one suite; resolves to its counts, with `why` when it failed in a way that its own counts don't tell. */
export function run(name, { command, environment = {}, minutes = 15, count }) {
  return new Promise((done) => {
    const log = `${logs}/${name}.log`;
    const file = createWriteStream(log);
    const env = { ...process.env, ...environment };
    for (const key of Object.keys(env)) if (env[key] === undefined) delete env[key];
    // A process group of its own, so that the limit ends its browsers too.
    const child = spawn(command[0], command.slice(1), { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let why;
    const end = () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It ended by itself in the meantime.
      }
    };
    const limit = setTimeout(() => {
      why = `ended after its limit of ${minutes} minutes`;
      end();
    }, minutes * 60_000);
    const interrupted = () => {
      end();
      process.exit(130);
    };
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, interrupted);
    child.stdout.pipe(file, { end: false });
    child.stderr.pipe(file, { end: false });
    child.on("error", (error) => {
      why = `could not start: ${error.message}`;
    });
    child.on("close", (status, signal) => {
      clearTimeout(limit);
      for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, interrupted);
      file.end(() => {
        // Colours would hide the lines that are counted.
        const text = stripVTControlCharacters(readFileSync(log, "utf8"));
        const counts = count === undefined ? { passed: status === 0 ? 1 : 0, failed: 0 } : count(text);
        if (why === undefined && status !== 0 && counts.failed === 0)
          why = `ended with ${signal ?? `status ${status}`}`;
        if (why === undefined && counts.passed + counts.failed === 0) why = "ran no test";
        if (why !== undefined) counts.failed += 1;
        done({ ...counts, why, log, text });
      });
    });
  });
}

async function main(wanted) {
  const unknown = wanted.filter((name) => !Object.hasOwn(suites, name));
  if (unknown.length > 0) {
    console.error(`no suite ${unknown.join(", ")}; there are: ${Object.keys(suites).join(", ")}`);
    process.exit(2);
  }

  mkdirSync(logs, { recursive: true });
  const results = [];
  for (const [name, suite] of Object.entries(suites)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const started = Date.now();
    const result = { name, ...(await run(name, suite)) };
    result.seconds = Math.round((Date.now() - started) / 1000);
    results.push(result);
    const verdict = result.failed === 0 ? "ok    " : "FAILED";
    console.log(`${verdict} ${name} (${result.seconds} s)`);
    if (result.failed > 0) {
      console.log(
        `\n${failures(result.text)}\n\n${name}: ${result.why ?? `${result.failed} failed`}, log in ${result.log}\n`,
      );
    }
  }

  // Lines that a suite wants every reader to see, such as sizes.
  const reports = results.flatMap(({ text }) => text.match(/^\s*(?:ℹ )?report: .*$/gm) ?? []);
  if (reports.length > 0) console.log(`\n${reports.map((line) => line.replace(/^\s*(?:ℹ )?report: /, "")).join("\n")}`);

  console.log("");
  const width = Math.max(...results.map(({ name }) => name.length));
  for (const { name, passed, failed, seconds, why } of results) {
    const cells = [
      name.padEnd(width),
      `${passed} passed`.padStart(12),
      `${failed} failed`.padStart(11),
      `${seconds} s`.padStart(7),
    ];
    console.log(cells.join("") + (why === undefined ? "" : `   (${why})`));
  }
  // Once more at the very end, where a log that is cut short still has them.
  const failed = results.flatMap(({ name, text }) => failedNames(text).map((test) => `  ${name}: ${test}`));
  if (failed.length > 0) console.log(`\nFailed:\n${failed.join("\n")}`);
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  process.exitCode = sum("failed") === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv.slice(2));
