import type { RequestListener } from "node:http";
import express from "express";
import { createBareRoute } from "./bare-route.ts";
import { task, tell } from "./child.ts";
import type { Fixture } from "./fixture.ts";

export interface ServerTask {
  readonly databaseUrl: string;
  readonly settlementDelayMs: number;
  readonly fixture: Fixture;
  /** 0 is no limit. */
  readonly rateLimitPerSecond: number;
  /** The control plane of another checkout, as an address of a module. */
  readonly module?: string;
}

/** The server as `creditgate serve --no-settlement` runs it, and beside it two routes that only the benchmark has. */
const { databaseUrl, settlementDelayMs, fixture, rateLimitPerSecond, module } = await task<ServerTask>();
const { startServer }: typeof import("@creditgate/control-plane") = await import(
  module ?? "@creditgate/control-plane"
);
const noOp = express();
noOp.disable("x-powered-by");
noOp.disable("etag");
noOp.post("/no-op", express.json(), (_request, response) => {
  response.status(202).json({ status: "accepted" });
});

// The bare route's table is like one that the server's start has made.
let bareRoute: Promise<RequestListener> | undefined;
const routes: Readonly<Record<string, RequestListener>> = {
  "/no-op": noOp,
  "/bare": async (request, response) => {
    bareRoute ??= createBareRoute(databaseUrl);
    const handle = await bareRoute;
    handle(request, response);
  },
};
const server = await startServer({
  databaseUrl,
  settlementDelayMs,
  fixture,
  port: 0,
  settlement: false,
  rateLimitPerSecond,
  // Where one key is held back, one organisation is, too.
  ...(rateLimitPerSecond === 0 ? { rates: { requestsPerSecond: 0, reportsPerSecond: 0 } } : {}),
  intercept: (handler) => (request, response) => (routes[request.url ?? ""] ?? handler)(request, response),
  onError: (error) => console.error(error),
});
process.once("SIGTERM", () => {
  void server.stop().then(() => process.exit(0));
});
tell({ url: server.url });
