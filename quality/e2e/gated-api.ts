import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "@creditgate/client";
import type { Fixture, FixtureWallet } from "@creditgate/control-plane";
import type { TestControlPlane } from "@creditgate/control-plane/testing";
import {
  type CreditsOptions,
  createGate,
  createRegistry,
  type Gate,
  type GateOptions,
} from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import express, { type Request, type RequestHandler } from "express";

/** An Express application whose every POST costs a message, and whose customer stands in its `x-customer` header. */
export interface GatedApi {
  readonly gate: Gate;
  /** How many balance requests have gone out. */
  balanceCalls(): number;
  /** What the handler does after it has reported; answers 200 at once unless a test says otherwise. */
  handler: RequestHandler;
  post(customer: string): Promise<Response>;
  stop(): Promise<void>;
}

/** A fixture with these wallets, of customers named so. An event costs its indicator's price in `ai_credits`, a message 1. */
export function fixtureOf(
  customers: Record<string, FixtureWallet>,
  prices: Record<string, number> = { message: 1 },
): Fixture {
  return {
    organization: { name: "Acme", apiKey: "acme-test-key" },
    agents: [
      {
        agentId: "chat",
        agent_external_id: "chat-1",
        agent_name: "Chat",
        agent_type: "chat",
        indicators: Object.entries(prices).map(([name, perEvent]) => ({
          name,
          billing: "CREDITS",
          currency: "ai_credits",
          price: { perEvent },
        })),
      },
    ],
    customers: Object.entries(customers).map(([externalId, wallet]) => ({
      externalId,
      name: externalId,
      wallets: [wallet],
    })),
  };
}

export async function startGatedApi(
  controlPlane: TestControlPlane,
  options: Partial<GateOptions> = {},
  work: Partial<CreditsOptions<Request>> = {},
): Promise<GatedApi> {
  let balanceCalls = 0;
  const client = createClient({
    baseUrl: controlPlane.baseUrl,
    apiKey: controlPlane.apiKey,
    fetch: (input, init) => {
      if (String(input).includes("/wallet/balance")) balanceCalls++;
      return fetch(input, init);
    },
  });
  const registry = createRegistry();
  const gate = createGate({
    client,
    currency: "ai_credits",
    wallet: "prepaid",
    registry,
    ...options,
  } as GateOptions);
  const api: { handler: RequestHandler } = { handler: (_request, response) => response.json({}) };
  const app = express();
  app.use(
    requireCredits(gate, {
      customer: (request) => request.get("x-customer"),
      agentId: "chat",
      indicator: "message",
      hold: 1,
      ...work,
    }),
  );
  app.post("/", (request, response, next) => {
    request.credits.report({ provider: "local", model: "words", inputTokens: 1, outputTokens: 1 });
    return api.handler(request, response, next);
  });
  // Thousands connect at once, and a busy process accepts them late.
  const server = createServer(app).listen({ port: 0, host: "127.0.0.1", backlog: 4_096 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(api, {
    gate,
    balanceCalls: () => balanceCalls,
    post: (customer: string) =>
      fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers: { "x-customer": customer } }),
    async stop() {
      server.closeAllConnections();
      server.close();
      await gate.close({ graceMs: 1_000 });
    },
  });
}
