import { METHODS } from "node:http";
import { adapterRoutes, createAdapterApp, testAdapter, writeAdapterAnswer } from "@creditgate/core/testing";
import { requireCredits } from "@creditgate/express";
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from "express";
import { listen, send, serve } from "./adapters-node.ts";
import { runner } from "./adapters-runner.ts";
import { createEdgeApp, createHonoApp } from "./adapters-web-app.ts";

const http = { serve, send };
// Node's `Request` takes no TRACE, and CONNECT asks for a tunnel.
const webMethods = ["PROPFIND", "SEARCH"];
const nodeMethods = METHODS.filter((method) => method !== "CONNECT");
const onWeb = { ...http, methods: webMethods };
const onNode = { ...http, methods: nodeMethods, onNode: true };

testAdapter("express", { start: (url) => listen(expressApp(url, around)), ...onNode }, runner);
testAdapter(
  "express, as middleware",
  { start: (url) => listen(expressApp(url, before)), ...onNode, seesHandler: false, impossible: unseen },
  runner,
);
testAdapter("edge on Node's HTTP server", { start: (url) => serve(createEdgeApp(url)), ...onWeb }, runner);
testAdapter("Hono on Node's HTTP server", { start: (url) => serve(createHonoApp(url)), ...onWeb }, runner);

function unseen({ ending }: { readonly ending: string }): string | undefined {
  return ending === "handler throws, the answer is 200"
    ? "app.use does not see it; the status decides"
    : undefined;
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
  for (const route of adapterRoutes) {
    const { gate, options } = app.on(route);
    const handler: RequestHandler = async (request, response) =>
      writeAdapterAnswer(await app.work(request, request.credits, {}), response);
    server.all(`/${route}`, ...mount(gate, options, handler));
  }
  const answerError: ErrorRequestHandler = (error, request, response, next) => {
    const status = request.get("x-error-status");
    if (status === undefined) next(error);
    else response.status(Number(status)).end("the handler threw");
  };
  return server.use(answerError);
}
