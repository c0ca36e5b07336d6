import { spawn } from "node:child_process";
import { METHODS } from "node:http";
import {
  type AdapterOnTrial,
  adapterRoutes,
  createAdapterApp,
  writeAdapterAnswer,
} from "@creditgate/conformance";
import { requireCredits } from "@creditgate/express";
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from "express";
import { expect, it } from "vitest";
import { bridged, listen as listenHttp2, overHttp2 } from "./adapters-http2.ts";
import { listen, send, serve, webListener } from "./adapters-node.ts";
import { testAdapter } from "./adapters-runner.ts";
import { createEdgeApp, createHonoApp } from "./adapters-web-app.ts";

const http = { serve, send };
// Node's `Request` takes no TRACE, and CONNECT asks for a tunnel.
const webMethods = ["PROPFIND", "SEARCH"];
const nodeMethods = METHODS.filter((method) => method !== "CONNECT");
const onWeb = { ...http, methods: webMethods, onWeb: true };
const onNode = { ...http, methods: nodeMethods, onNode: true };

testAdapter("express", { start: (url) => listen(expressApp(url, around)), ...onNode });
testAdapter("express, as middleware", { start: (url) => listen(expressApp(url, before)), ...onNode });
testAdapter("edge on Node's HTTP server", { start: (url) => serve(createEdgeApp(url)), ...onWeb });
testAdapter("Hono on Node's HTTP server", {
  start: (url) => serve(createHonoApp(url)),
  ...onWeb,
  impossible: droppedByHono,
});
testAdapter("express over HTTP/2", {
  start: (url) => listenHttp2(bridged(expressApp(url, around)) as never),
  serve,
  ...overHttp2,
  onNode: true,
});
testAdapter("express over HTTP/2, as middleware", {
  start: (url) => listenHttp2(bridged(expressApp(url, before)) as never),
  serve,
  ...overHttp2,
  onNode: true,
});
testAdapter("edge on Node's HTTP/2 server", {
  start: (url) => listenHttp2(webListener(createEdgeApp(url)) as never),
  serve,
  ...overHttp2,
  onWeb: true,
});
testAdapter("Hono on Node's HTTP/2 server", {
  start: (url) => listenHttp2(webListener(createHonoApp(url)) as never),
  serve,
  ...overHttp2,
  onWeb: true,
  impossible: droppedByHono,
});

// It would be free work if it came to a handler past the gate.
it.each(["express", "express4"])(
  "%s without a bridge lets no request over HTTP/2 into any middleware",
  async (name) => {
    const script = `
    const { connect, createServer } = require("node:http2");
    const app = require("${name}")();
    app.use((request, response) => console.log("reached"));
    const server = createServer(app).listen(0, "127.0.0.1", () => {
      connect("http://127.0.0.1:" + server.address().port).request({ ":path": "/" }).resume();
    });`;
    const child = spawn(process.execPath, ["-e", script], { cwd: import.meta.dirname });
    let [output, errors] = ["", ""];
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (errors += chunk));
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([code, output]).toEqual([1, ""]);
    expect(errors).toContain("TypeError: Cannot read properties of undefined (reading 'readable')");
  },
);

/** Hono drops what a handler answers behind another's answer: a stream that is pulled stops, unseen. */
function droppedByHono({ request, body, ending }: Parameters<NonNullable<AdapterOnTrial["impossible"]>>[0]) {
  if (!body.startsWith("a stream") || !ending.startsWith("another answers early")) return undefined;
  if (body.endsWith("when it is cancelled")) return "Hono drops the stream, which nobody pulls or cancels";
  return request === "HEAD" ? "nothing shows that Hono has dropped the stream" : undefined;
}

type Gated = Required<Parameters<typeof requireCredits>>;

function around(...gated: Gated): readonly RequestHandler[] {
  return [requireCredits(...gated)];
}

function before(...[gate, options, handler]: Gated): readonly RequestHandler[] {
  return [requireCredits(gate, options), handler];
}

function expressApp(controlPlaneUrl: string, mount: typeof around): express.Express {
  const app = createAdapterApp(controlPlaneUrl, (request: Request, name) => request.get(name));
  const server = express();
  server.set("env", "test");
  server.get("/state", async (request, response) => void response.json(await app.state(request)));
  server.use((request, response, next) => {
    const another = app.another(request);
    another?.early?.then(() => response.status(another.status).end("another"));
    next();
  });
  for (const route of adapterRoutes) {
    const { gate, options } = app.on(route);
    const handler: RequestHandler = async (request, response) =>
      writeAdapterAnswer(await app.work(request, request.credits, {}), response);
    server.all(`/${route}`, ...mount(gate, options, handler));
  }
  const answerError: ErrorRequestHandler = (error, request, response, next) => {
    // Another has answered, and Express would close the connection.
    if (response.writableEnded) return;
    const status = request.get("x-error-status");
    if (status === undefined) next(error);
    else response.status(Number(status)).end("the handler threw");
  };
  return server.use(answerError);
}
