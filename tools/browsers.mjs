// Where the browsers are, and how to start them with WebGPU. One place for the page tests, the package tests and
// the benchmark. Run by itself it prints CHROME=..., CHROMEDRIVER=..., FIREFOX=..., GECKODRIVER=... for what it found.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Both, in the order in which the tests use them. */
export const browsers = ["chromium", "firefox"];

// Variables win, then PATH, then the usual places.
const places = {
  CHROME: {
    variables: ["CHROME", "PUPPETEER_EXECUTABLE_PATH", "CHROME_BIN"],
    names: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"],
    paths: [
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
      "/snap/bin/chromium",
    ],
  },
  CHROMEDRIVER: {
    variables: ["CHROMEDRIVER"],
    names: ["chromedriver", "chromium.chromedriver"],
    paths: [
      "/usr/lib/chromium/chromedriver",
      "/usr/lib/chromium-browser/chromedriver",
      "/snap/bin/chromium.chromedriver",
    ],
  },
  FIREFOX: {
    variables: ["FIREFOX", "FIREFOX_BIN"],
    names: ["firefox-esr", "firefox"],
    paths: ["/Applications/Firefox.app/Contents/MacOS/firefox", "/snap/bin/firefox"],
  },
  GECKODRIVER: {
    variables: ["GECKODRIVER"],
    names: ["geckodriver"],
    paths: ["/snap/bin/geckodriver"],
  },
};

function executable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of CHROME, CHROMEDRIVER, FIREFOX or GECKODRIVER, or undefined. */
export function find(what) {
  const { variables, names, paths } = places[what];
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const candidates = [
    ...variables.map((name) => process.env[name]).filter(Boolean),
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...paths,
  ];
  return candidates.find(executable);
}

// Nothing in these lists changes what a page may do; they switch WebGPU on for software adapters and keep the
// browsers from talking to their makers.
const chromiumArguments = [
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const firefoxPreferences = {
  "dom.webgpu.enabled": true,
  "gfx.webgpu.ignore-blocklist": true,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "app.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
};

/**
 * Starts a browser, headless unless `options.headless` says otherwise; resolves to a puppeteer `Browser`.
 * `options.args` and `options.preferences` are added; `options.webgpu: false` leaves WebGPU off.
 */
export async function launch(name, options = {}) {
  const { default: puppeteer } = await import("puppeteer-core");
  const { args = [], preferences = {}, webgpu = true, ...rest } = options;
  if (name === "firefox") {
    return puppeteer.launch({
      browser: "firefox",
      executablePath: found("FIREFOX"),
      headless: true,
      args,
      extraPrefsFirefox: { ...firefoxPreferences, "dom.webgpu.enabled": webgpu, ...preferences },
      ...rest,
    });
  }
  if (name !== "chromium") throw new Error(`launch: "chromium" or "firefox", not ${JSON.stringify(name)}`);
  // Chromium's sandbox refuses to run as root.
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const off = webgpu ? [] : ["--disable-features=WebGPU", "--disable-blink-features=WebGPU"];
  return puppeteer.launch({
    executablePath: found("CHROME"),
    headless: true,
    args: [...root, ...chromiumArguments, ...off, ...args],
    ...rest,
  });
}

function found(what) {
  const path = find(what);
  if (path === undefined) throw new Error(`${what} was not found; set the variable ${what} to its path`);
  return path;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const what of Object.keys(places)) {
    const path = find(what);
    if (path !== undefined) console.log(`${what}=${path}`);
  }
}
