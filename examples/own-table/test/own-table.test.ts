import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { testService } from "@creditgate/conformance";
import { usePostgres } from "@creditgate/control-plane/testing";
import type { ServiceReport } from "@creditgate/core";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startStuckProxy } from "../../../packages/control-plane/test/stuck-proxy.ts";
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

  it("serves again soon after a failover that leaves its connections open and silent", async () => {
    const { databaseUrl } = await usePostgres();
    const own = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
    const proxy = await startStuckProxy(own);
    const child = spawn(process.execPath, [join(import.meta.dirname, "../start.mjs")], {
      env: { ...process.env, DATABASE_URL: proxy.databaseUrl, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await proxy.close();
    });
    let url = "";
    child.stdout.on("data", (text) => {
      url ||= /http:\S+\/chat/.exec(`${text}`)?.[0] ?? "";
    });
    await vi.waitUntil(() => url !== "", 30_000);
    // Nobody has a wallet: each request reads the table, so that many use all connections of the pool.
    const post = async () => {
      const headers = { "x-customer": randomUUID() };
      return fetch(url, { method: "POST", headers }).then(({ status }) => status);
    };
    const all = () => Promise.all(Array.from({ length: 40 }, post)).then((statuses) => new Set(statuses));
    expect(await all()).toEqual(new Set([402]));
    proxy.failOver();
    // Those that find a silent connection; others may come after it was given up.
    expect(await all()).toContain(503);
    await expect.poll(all, { timeout: 20_000 }).toEqual(new Set([402]));
  }, 60_000);

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
