import { createAdminClient } from "@creditgate/admin";
import { meteredFetch } from "@creditgate/ai";
import { createClient } from "@creditgate/client";
import { type Charge, createGate, type Gate } from "@creditgate/core";
import { createTestGate } from "@creditgate/core/testing";
import { withCredits } from "@creditgate/edge";
import { requireCredits } from "@creditgate/express";
import { requireCredits as requireCreditsOfFastify } from "@creditgate/fastify";
import { requireCredits as requireCreditsOfKoa } from "@creditgate/koa";
import { creditTool } from "@creditgate/mcp";
import { CreditgateModule, RequireCredits } from "@creditgate/nestjs";
import { creditsProxy } from "@creditgate/next";
import { withCredits as withCreditsOfPages } from "@creditgate/next/pages";
import { CreditsProvider } from "@creditgate/react";
import { creditsRoute } from "@creditgate/react/route";
import type { SqliteOutboxOptions } from "@creditgate/sqlite";
import type { main } from "@creditgate/sqlite/cli";
import { requireCredits as requireCreditsOfTrpc } from "@creditgate/trpc";

const options = { customer: "alice", agentId: "chat", indicator: "message", hold: 5 };
const handlers = [
  requireCredits,
  requireCreditsOfFastify,
  requireCreditsOfKoa,
  withCredits,
  creditsProxy,
  withCreditsOfPages,
];
const others = [
  createClient,
  createAdminClient,
  creditTool,
  meteredFetch,
  requireCreditsOfTrpc,
  RequireCredits,
  CreditsProvider,
  creditsRoute,
];

async function run(): Promise<void> {
  const { gate, outcome } = createTestGate({ alice: 10 });
  const answer = withCredits(gate, options, async (_request, { credits }) => {
    credits.report({ outputTokens: 2 });
    return new Response("hello");
  });
  const response = await answer(new Request("https://app.example/chat", { method: "POST" }));
  const text = await response.text();
  const { billed } = await outcome("alice");
  // What a module of the same program imports must be the same gate.
  const imported = await import("@creditgate/core");
  const one = imported.createGate === createGate;
  const functions = [...handlers, ...others].every((each) => typeof each === "function");
  console.log(JSON.stringify({ text, billed, one, functions }));
}

void run();

// Never called. If the types were lost on the way, these would not be errors, and that is one.
export function misuse(charge: Charge, gate: Gate): void {
  // @ts-expect-error a wallet is prepaid or postpaid
  createGate({ client: createClient(), currency: "ai_credits", wallet: "free" });
  // @ts-expect-error tokens are numbers
  charge.report({ inputTokens: "12" });
  // @ts-expect-error there must be an agent
  requireCredits(gate, { customer: "alice", indicator: "message", hold: 5 });
  // @ts-expect-error a hold is a number
  requireCreditsOfFastify(gate, { ...options, hold: "5" });
  // @ts-expect-error a hold is a number
  requireCreditsOfKoa(gate, { ...options, hold: "5" });
  // @ts-expect-error a hold is a number
  creditTool(gate, { ...options, hold: "5" }, async () => ({ content: [] }));
  // @ts-expect-error a hold is a number
  requireCreditsOfTrpc(gate, { ...options, hold: "5" });
  // @ts-expect-error there must be a customer
  creditsRoute(gate, {});
  // @ts-expect-error a hold is a number
  RequireCredits({ ...options, hold: "5" });
  // @ts-expect-error there must be a gate
  CreditgateModule.forRoot({});
  // @ts-expect-error a hold is a number
  withCreditsOfPages(gate, { ...options, hold: "5" }, () => {});
  // @ts-expect-error an outbox is in a file
  const outbox: SqliteOutboxOptions = {};
  // @ts-expect-error arguments are strings
  const args: Parameters<typeof main>[0] = [7];
  console.log(outbox, args);
  // @ts-expect-error wallets are given by customer
  createTestGate(7);
}
