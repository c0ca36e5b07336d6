import { createAdminClient } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { createGate, createRegistry, type Gate } from "@creditgate/core";
import { createLeasedLedger, type SharedStore } from "@creditgate/fleet";
import { createPostgresStore } from "@creditgate/postgres";
import { createRedisStore } from "@creditgate/redis";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noRedis } from "../../packages/redis/test/redis-server.ts";
import { startPostgresStore } from "./fleet/postgres-stores.ts";
import { startRedisStore } from "./fleet/redis-stores.ts";
import type { Connection } from "./fleet/spender.ts";
import type { FragileServer } from "./fleet/store-server.ts";
import { fixtureOf } from "./gated-api.ts";

const stores = { Redis: startRedisStore, PostgreSQL: startPostgresStore };
const gatesEach = 4;
const adminToken = "an-administrator-of-tests";

/** A connection of its own, as each process has one. */
function connect(connection: Connection, fleet: string): { store: SharedStore; close(): Promise<void> } {
  if (connection.kind === "redis") {
    const redis = new Redis(connection.url);
    return {
      store: createRedisStore({ redis, name: fleet }),
      close: async () => redis.disconnect(),
    };
  }
  if (connection.kind !== "postgres") throw new Error(`no ${connection.kind} here`);
  const sql = new pg.Pool({ connectionString: connection.url, max: 2 });
  sql.on("error", () => {});
  return { store: createPostgresStore({ sql, schema: fleet }), close: () => sql.end() };
}

describe.skipIf(noRedis).each(Object.entries(stores))("gates that share balances on %s", (_, start) => {
  let controlPlane: TestControlPlane;
  let server: FragileServer;
  const gates: Gate[] = [];
  const closing: (() => Promise<void>)[] = [];
  let asked = 0;

  /** Another process. */
  function startGate(apiKey: string): Gate {
    const client = createClient({
      baseUrl: controlPlane.baseUrl,
      apiKey,
      fetch(input, init) {
        if (String(input).includes("/wallet/balance")) asked++;
        return fetch(input, init);
      },
    });
    const { store, close } = connect(server.connection, "balances");
    const ledger = createLeasedLedger(store);
    // A machine that is busy with other tests must not make the answer 503.
    const options = { client, currency: "ai_credits", wallet: "prepaid", checkTimeoutMs: 30_000 } as const;
    const gate = createGate({ ...options, ledger, registry: createRegistry() });
    gates.push(gate);
    closing.push(close);
    return gate;
  }

  beforeAll(async () => {
    const wallet = (available: number) => ({ kind: "prepaid", currency: "ai_credits", available }) as const;
    const wallets = { poor: wallet(0), rich: wallet(1_000), paying: wallet(0), loyal: wallet(100) };
    controlPlane = await startControlPlane({ fixture: fixtureOf(wallets), adminToken });
    server = await start();
    await server.init("balances");
    for (let process = 0; process < gatesEach; process++) startGate(controlPlane.apiKey);
  });
  afterAll(async () => {
    await Promise.all(gates.map((gate) => gate.close({ graceMs: 0 })));
    await Promise.all(closing.map((close) => close()));
    await server?.stop();
    await controlPlane?.stop();
  });

  const ask = (gate: Gate, customerId: string, hold: number) =>
    gate.authorize({ customerId, agentId: "chat", indicator: "message", hold });
  /** What all gates answer to requests that come at once. */
  async function askAll(customerId: string, each: number) {
    const requests = gates.flatMap((gate) => Array.from({ length: each }, () => ask(gate, customerId, 1)));
    return Promise.all(requests);
  }

  it("let a customer in who comes to all of them at once, by a balance that was read for all of them together", async () => {
    // Connected, they know the time of the store well.
    await askAll("poor", 1);
    asked = 0;
    const decisions = await askAll("rich", 25);
    expect(decisions.every(({ allowed }) => allowed)).toBe(true);
    expect(asked).toBeLessThanOrEqual(2);
  });

  it("deny a hundred requests at once by balances that were read for all of them together", async () => {
    await askAll("poor", 1);
    asked = 0;
    const decisions = await askAll("poor", 25);
    expect(decisions.map((decision) => !decision.allowed && decision.denial.status)).toEqual(
      Array(100).fill(402),
    );
    // A second one where the first may have left before the last request came.
    expect(asked).toBeLessThanOrEqual(2);
  });

  it("let in at all of them a customer whose top-up one of them has seen, and ask no more", async () => {
    for (const decision of await askAll("paying", 1)) expect(decision.allowed).toBe(false);
    const { baseUrl, apiKey } = controlPlane;
    const { wallets } = createClient({ baseUrl, apiKey });
    const topUp = { customer_id: "paying", top_ups: [{ credit_currency_key: "ai_credits", credits: 100 }] };
    await wallets.topUp(topUp, { idempotencyKey: "top-up" });
    const [first, ...others] = gates;
    expect(first && (await ask(first, "paying", 1)).allowed).toBe(true);
    asked = 0;
    for (const gate of others) expect((await ask(gate, "paying", 1)).allowed).toBe(true);
    expect(asked).toBe(0);
  });

  it("spend one wallet with the old and the new key of a rotation", async () => {
    const { baseUrl } = controlPlane;
    const { apiKeys } = await createAdminClient({ baseUrl, adminToken }).organizationNamed("Acme");
    const [old] = await apiKeys.list();
    const { apiKey } = await apiKeys.rotate(old?.keyId ?? "");
    const [first] = gates;
    const rotated = startGate(apiKey);
    expect(first && (await ask(first, "loyal", 60)).allowed).toBe(true);
    expect(await ask(rotated, "loyal", 60)).toMatchObject({ denial: { code: "insufficient_credits" } });
    expect((await ask(rotated, "loyal", 40)).allowed).toBe(true);
  });
});
