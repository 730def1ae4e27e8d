// Projects that use the package as its README says, built by the tools that people use and opened in both browsers: a plain page
// below a sub-path, Vite (build and dev server), webpack and esbuild, each with a module worker.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import * as esbuild from "esbuild";
import * as vite from "vite";
import webpack from "webpack";
import { browsers } from "../../tools/browsers.mjs";
import { serve } from "../../tools/serve.mjs";
import { checkProject, projects, unpackTo } from "./packed.mjs";

const { folder, remove } = projects();
const closing = [];

before(() => {
  unpackTo(join(folder, "gomme"));
});

after(async () => {
  await Promise.all(closing.map((close) => close()));
  remove();
});

/** A copy of a fixture, with the package where it looks for it. */
function project(fixture, name, packageAt) {
  const root = join(folder, name);
  cpSync(resolve("tests/package/fixtures", fixture), root, { recursive: true });
  cpSync(join(folder, "gomme"), join(root, packageAt), { recursive: true });
  return root;
}

/** The address of a built project, below a sub-path. */
async function served(root) {
  const site = await serve(join(root, ".."));
  closing.push(site.close);
  return `${site.url}${root.split("/").at(-1)}/`;
}

/** Page and worker as esbuild makes them; it leaves the worker's address alone. */
async function builtByEsbuild(root) {
  const outdir = join(root, "dist");
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["main.js", "worker.js"],
    bundle: true,
    format: "esm",
    outdir,
    loader: { ".wasm": "file", ".pack": "file", ".i8": "file", ".f32": "file" },
    logLevel: "error",
  });
  cpSync(join(root, "index.html"), join(outdir, "index.html"));
  return outdir;
}

const ways = {
  "a plain page below a sub-path": () => served(project("plain", "plain", "gomme")),

  "Vite's build": async () => {
    const root = project("bundled", "vite-build", "node_modules/gomme");
    await vite.build({ root, base: "./", logLevel: "error", configFile: false, build: { target: "es2022" } });
    return served(join(root, "dist"));
  },

  "Vite's dev server": async () => {
    const root = project("bundled", "vite-dev", "node_modules/gomme");
    const server = await vite.createServer({
      root,
      logLevel: "error",
      configFile: false,
      cacheDir: join(root, ".vite"),
      server: { host: "127.0.0.1", port: 0, hmr: false },
    });
    await server.listen();
    closing.push(() => server.close());
    return server.resolvedUrls.local[0];
  },

  "esbuild, and the package's files copied": async () => {
    const root = project("bundled", "esbuild-copied", "node_modules/gomme");
    const outdir = await builtByEsbuild(root);
    for (const name of ["gomme_bg.wasm", "data"])
      cpSync(join(root, "node_modules/gomme", name), join(outdir, name), { recursive: true });
    return served(outdir);
  },

  "esbuild, and the README's code": async () => {
    const root = project("bundled", "esbuild-loaders", "node_modules/gomme");
    const [, code] = /```js\n\/\/ esbuild [^\n]*\n([\s\S]*?)```/.exec(readFileSync("src/js/README.md", "utf8"));
    const [imports, rest] = code.split("\n\n");
    for (const name of ["main.js", "worker.js"]) {
      const text = readFileSync(join(root, name), "utf8");
      writeFileSync(join(root, name), `${imports}\n${text.replace("await init();", rest)}`);
    }
    return served(await builtByEsbuild(root));
  },

  "webpack's build": async () => {
    const root = project("bundled", "webpack", "node_modules/gomme");
    const output = join(root, "dist");
    mkdirSync(output);
    await new Promise((done, failed) => {
      const compiler = webpack({
        context: root,
        mode: "production",
        entry: "./main.js",
        output: { path: output },
        performance: false,
      });
      compiler.run((error, stats) => {
        if (error || stats.hasErrors() || stats.hasWarnings()) failed(error ?? new Error(stats.toString()));
        else compiler.close(done);
      });
    });
    writeFileSync(
      join(output, "index.html"),
      '<!doctype html><meta charset="utf-8"><script defer src="main.js"></script>',
    );
    return served(output);
  },
};

for (const [way, address] of Object.entries(ways)) {
  describe(way, () => {
    let url;
    before(async () => {
      url = await address();
    });
    for (const name of browsers) {
      test(`text, rows and gradients, in a page and a worker, in ${name}`, () => checkProject(name, url));
    }
  });
}
