import {
  type AdapterSurroundings,
  adapterRoutes,
  createAdapterApp,
  testAdapter,
  writeAdapterAnswer,
} from "@creditgate/core/testing";
import { requireCredits } from "@creditgate/express";
import express, { type Request, type Response } from "express";
import { afterAll, beforeAll, describe, it } from "vitest";
import { listen, send, serve } from "./adapters-node.ts";
import { createEdgeApp, createHonoApp } from "./adapters-web-app.ts";

const runner = { describe, it, beforeAll, afterAll };

testAdapter("express", { start: (url) => listen(expressApp(url)), serve, send }, runner);
testAdapter("edge on Node's HTTP server", { start: (url) => serve(createEdgeApp(url)), serve, send }, runner);
testAdapter("Hono on Node's HTTP server", { start: (url) => serve(createHonoApp(url)), serve, send }, runner);

function expressApp(controlPlaneUrl: string): express.Express {
  const app = createAdapterApp(controlPlaneUrl, (request: Request, name) => request.get(name));
  const server = express();
  server.set("env", "test");
  server.get("/state", async (request, response) => void response.json(await app.state(request)));
  for (const route of adapterRoutes) {
    const { gate, options } = app.on(route);
    server.all(`/${route}`, requireCredits(gate, options), async (request, response) =>
      writeAdapterAnswer(await app.work(request, request.credits, surroundingsOf(response)), response),
    );
  }
  return server;
}

function surroundingsOf(response: Response): AdapterSurroundings {
  const left = new AbortController();
  response.once("close", () => left.abort());
  return { signal: left.signal };
}
