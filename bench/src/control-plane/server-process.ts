import { startServer } from "@creditgate/control-plane";
import express from "express";
import { task, tell } from "./child.ts";
import type { Fixture } from "./fixture.ts";

export interface ServerTask {
  readonly databaseUrl: string;
  readonly settlementDelayMs: number;
  readonly fixture: Fixture;
  /** 0 is no limit. */
  readonly rateLimitPerSecond: number;
}

/** The server as `creditgate serve --no-settlement` runs it, and beside it a route that does nothing, which only the benchmark has. */
const { databaseUrl, settlementDelayMs, fixture, rateLimitPerSecond } = await task<ServerTask>();
const noOp = express();
noOp.disable("x-powered-by");
noOp.disable("etag");
noOp.post("/no-op", express.json(), (_request, response) => {
  response.status(202).json({ status: "accepted" });
});

const server = await startServer({
  databaseUrl,
  settlementDelayMs,
  fixture,
  port: 0,
  settlement: false,
  rateLimitPerSecond,
  intercept: (handler) => (request, response) =>
    request.url === "/no-op" ? noOp(request, response) : handler(request, response),
  onError: (error) => console.error(error),
});
process.once("SIGTERM", () => {
  void server.stop().then(() => process.exit(0));
});
tell({ url: server.url });
