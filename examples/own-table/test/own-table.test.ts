import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { testService } from "@creditgate/conformance";
import { usePostgres } from "@creditgate/control-plane/testing";
import type { ServiceReport } from "@creditgate/core";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createApp } from "../src/app.ts";
import { schema, tableService } from "../src/table-service.ts";

let admin: pg.Pool;
let pool: pg.Pool;
const name = `own_table_${randomUUID().replaceAll("-", "")}`;

beforeAll(async () => {
  const { databaseUrl } = await usePostgres();
  admin = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  await admin.query(`create database ${name}`);
  pool = new pg.Pool({
    connectionString: Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href,
  });
  pool.on("error", () => {});
  await pool.query(schema);
});

afterAll(async () => {
  await pool.end();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

async function topUp(customerId: string, credits: number): Promise<void> {
  await pool.query(
    `insert into wallets as wallet values ($1, $2)
     on conflict (customer_id) do update set available = wallet.available + excluded.available`,
    [customerId, credits],
  );
}

async function available(customerId: string): Promise<number> {
  const { rows } = await pool.query("select available from wallets where customer_id = $1", [customerId]);
  return Number(rows[0].available);
}

testService("own-table", () => ({ service: tableService(pool), topUp, cost: 1 }), { describe, it });

/** The application; resolves to what posts a message as this customer, and to the status of the answer. */
async function start(database: pg.Pool = pool): Promise<(customerId: string) => Promise<number>> {
  const { app, gate } = createApp(database);
  const server: Server = createServer(app);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const agent = new Agent({ keepAlive: true, maxSockets: 300 });
  onTestFinished(async () => {
    await gate.close({ graceMs: 0 });
    agent.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (customerId) =>
    new Promise((resolve, reject) => {
      const headers = { "x-customer": customerId };
      const sent = request({ port, agent, headers, host: "127.0.0.1", path: "/chat", method: "POST" });
      sent.on("error", reject).on("response", (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
      });
      sent.end();
    });
}

describe("the application", () => {
  it("serves 77 of 300 requests that come at once on 77 credits, and a top-up at once", async () => {
    await topUp("alice", 77);
    const post = await start();
    const statuses = await Promise.all(Array.from({ length: 300 }, () => post("alice")));
    expect(statuses.filter((status) => status === 200)).toHaveLength(77);
    expect(statuses.filter((status) => status === 402)).toHaveLength(223);
    await expect.poll(() => available("alice")).toBe(0);
    await topUp("alice", 1);
    expect(await post("alice")).toBe(200);
    expect(await post("alice")).toBe(402);
  });

  it("denies a customer who has no wallet", async () => {
    expect(await (await start())("nobody")).toBe(402);
  });

  it("answers 503 while the table cannot be read", async () => {
    const gone = new pg.Pool({ connectionString: "postgres://127.0.0.1:1/gone" });
    expect(await (await start(gone))("alice")).toBe(503);
  });

  it("returns for a repeated key what it cost then, whatever it would cost now", async () => {
    await topUp("bob", 10);
    const { report } = tableService(pool);
    const first: ServiceReport = {
      ...{ key: randomUUID(), customerId: "bob", agentId: "chat", indicator: "message", currency: "credits" },
      usage: { inputTokens: 3_000 },
    };
    expect(await report([first])).toEqual([{ credits: 3 }]);
    expect(await report([{ ...first, usage: { inputTokens: 9_000 } }])).toEqual([{ credits: 3 }]);
    expect(await available("bob")).toBe(7);
  });
});
