import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createTransport } from "@creditgate/client";
import { createGate, createRegistry, type Gate, type GateEventMap, type GateOptions } from "@creditgate/core";
import { noPauses } from "@creditgate/core/testing";
import express from "express";
import { afterEach } from "vitest";

// Installed as an alias; its API is the same as far as it is used here.
const express4: typeof express = createRequire(import.meta.url)("express4");

export const frameworks: readonly (readonly [string, typeof express])[] = [
  ["Express 5", express],
  ["Express 4", express4],
];

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  // What was started last first: a gate delivers while its control plane still listens.
  for (const end of endings.splice(0).reverse()) await end();
});

/** Listens on a free port until the test is over. */
export async function listen(
  listener: RequestListener,
): Promise<{ url: string; port: number; server: Server }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  endings.push(() => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    return closed;
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, server };
}

export interface ControlPlane {
  readonly url: string;
  readonly apiKey: string;
  /** Prepaid credits by customer. */
  readonly credits: Map<string, number>;
  readonly balanceRequests: string[];
  /** The models of the reports that were taken. */
  readonly billed: unknown[];
  /** What it lists as its agents; 404 without it. */
  agents: readonly unknown[] | undefined;
  /** How often it was asked for them. */
  listed: number;
  /** The status of answers to usage. */
  usageStatus: number;
  /** Balance requests wait for it. */
  gateOpens: Promise<void>;
}

/** A control plane on a real socket: balances, and usage that it remembers. */
export async function startControlPlane(): Promise<ControlPlane> {
  const plane = {
    url: "",
    // Its own: the port may have been that of another test file, whose gate still sends.
    apiKey: randomUUID(),
    credits: new Map([["alice", 100]]),
    balanceRequests: [] as string[],
    billed: [] as unknown[],
    agents: undefined as readonly unknown[] | undefined,
    listed: 0,
    usageStatus: 200,
    gateOpens: Promise.resolve(),
  };
  const app = express();
  app.use((request, response, next) => {
    if (request.get("service-api-key") === plane.apiKey) next();
    else response.status(401).json({});
  });
  app.get("/api/v1/wallet/balance", async (request, response) => {
    const customer = String(request.query.customer_id);
    plane.balanceRequests.push(customer);
    await plane.gateOpens;
    const available = plane.credits.get(customer);
    if (available === undefined) return void response.status(404).json({ code: "customer_unknown" });
    const zero = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
    response.json({ balances: { ai_credits: { available, ...zero } } });
  });
  app.get("/api/v1/agents", (request, response) => {
    plane.listed++;
    if (plane.agents === undefined) return void response.status(404).json({});
    response.json({ agents: plane.agents, limit: Number(request.query.limit) });
  });
  app.post("/api/v2/usage", express.json(), (request, response) => {
    if (plane.usageStatus === 200) plane.billed.push(request.body.rawUsage.model);
    response.status(plane.usageStatus).set("idempotency-key", request.get("idempotency-key")).json({});
  });
  plane.url = (await listen(app)).url;
  return plane;
}

/** A gate on that control plane. */
export function gateOn(plane: ControlPlane, options: Partial<GateOptions> = {}): Gate {
  const gate = createGate({
    client: createTransport({ baseUrl: plane.url, apiKey: plane.apiKey }),
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    checkTimeoutMs: 5_000,
    minRefreshMs: 0,
    random: noPauses,
    ...options,
  } as GateOptions);
  endings.push(() => gate.close({ graceMs: 0 }));
  return gate;
}

/** Resolves with the next event of this name. */
export function next<Name extends keyof GateEventMap>(gate: Gate, name: Name): Promise<GateEventMap[Name]> {
  return new Promise((resolve) => {
    const off = gate.on(name, (event) => {
      off();
      resolve(event);
    });
  });
}

/** A promise that the test resolves. */
export function signal(): { readonly promise: Promise<void>; give(): void } {
  let give = () => {};
  const promise = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { promise, give: () => give() };
}
