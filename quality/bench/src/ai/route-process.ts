import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { createClient } from "@creditgate/client";
import { createGate } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import express, { type RequestHandler } from "express";
import { listen } from "../contest/listen.ts";
import { task, tell } from "../control-plane/child.ts";

/** A route that streams an answer: gated where there is a service. */
export interface RouteTask {
  readonly thinkingMs: number;
  readonly service?: { readonly baseUrl: string; readonly apiKey: string };
}

const { thinkingMs, service } = await task<RouteTask>();
const stream: RequestHandler = async (_request, response) => {
  await setTimeout(thinkingMs);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let word = 0; word < 20; word++) {
    response.write(`data: {"word":${word}}\n\n`);
    await setTimeout(1);
  }
  response.end();
};

function gated(service: { readonly baseUrl: string; readonly apiKey: string }): RequestHandler {
  const gate = createGate({ client: createClient(service), currency: "ai_credits" });
  const work = { agentId: "gateway", indicator: "call", customer: () => "alice", hold: 1 };
  return requireCredits(gate, work, async (request, response, next) => {
    await stream(request, response, next);
    request.credits.report({ inputTokens: 9, outputTokens: 20 }, { credits: 0.01 });
  });
}

const app = express().post("/", service === undefined ? stream : gated(service));
const server = await listen(createServer(app));
process.once("SIGTERM", () => process.exit());
tell({ url: server.url });
