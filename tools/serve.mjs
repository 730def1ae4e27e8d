// A static file server for one folder: the right MIME types, nothing outside the folder, GET and HEAD only.
// The page carries its own Content-Security-Policy, so that any other static server does as well.
//
//   node tools/serve.mjs FOLDER [PORT]

import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ts": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

/** The file below `root` that a request means, or undefined: no such file, or not below `root`. */
async function resolve(root, url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return undefined;
  }
  if (path.includes("\0")) return undefined;
  try {
    let file = await realpath(join(root, path));
    if ((await stat(file)).isDirectory()) {
      // Without the slash, the page's relative addresses would miss the folder.
      if (!path.endsWith("/")) return { redirect: `${encodeURI(path.replace(/^\/+/, "/"))}/` };
      file = await realpath(join(file, "index.html"));
    }
    return file.startsWith(root + sep) ? { file, size: (await stat(file)).size } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Serves `folder` on 127.0.0.1, on `port` or, when that is taken, on a free one (`port: 0` asks for any). Resolves to
 * `{ url, port, close() }`.
 */
export async function serve(folder, { port = 0 } = {}) {
  const root = await realpath(folder);
  const server = createServer(async (request, response) => {
    const answer = (status, more = {}) => response.writeHead(status, { "cache-control": "no-cache", ...more });
    if (request.method !== "GET" && request.method !== "HEAD") {
      answer(405, { allow: "GET, HEAD" }).end();
      return;
    }
    const found = await resolve(root, request.url ?? "/");
    if (found === undefined) {
      answer(404, { "content-type": "text/plain; charset=utf-8" }).end("not found\n");
    } else if (found.redirect !== undefined) {
      answer(301, { location: found.redirect }).end();
    } else {
      const type = types[extname(found.file)] ?? "application/octet-stream";
      answer(200, { "content-type": type, "content-length": found.size, "x-content-type-options": "nosniff" });
      if (request.method === "HEAD") response.end();
      else
        createReadStream(found.file)
          .on("error", () => response.destroy())
          .pipe(response);
    }
  });
  const listen = (wanted) =>
    new Promise((done, failed) => {
      server.once("error", failed);
      server.listen(wanted, "127.0.0.1", () => {
        server.off("error", failed);
        done();
      });
    });
  try {
    await listen(port);
  } catch (error) {
    if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
    await listen(0);
  }
  const taken = server.address().port;
  return {
    port: taken,
    url: `http://localhost:${taken}/`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [folder, port = "8080"] = process.argv.slice(2);
  if (folder === undefined || !/^\d{1,5}$/.test(port) || Number(port) > 65535) {
    console.error("usage: node tools/serve.mjs FOLDER [PORT]");
    process.exit(2);
  }
  const { url } = await serve(folder, { port: Number(port) });
  console.log(`\nGömme is at ${url}\n(Ctrl-C ends it)`);
}
