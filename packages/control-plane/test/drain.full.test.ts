import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { caller, usageOf } from "./caller.ts";
import { waitsForLock } from "./database-activity.ts";
import { acme } from "./fixture.ts";
import { ask, keepAliveAgent } from "./load.ts";
import { creditgate } from "./serve-process.ts";
import { lockTable } from "./table-lock.ts";

let database: TestDatabase;
let hand: Connection;
let unforeseen: unknown[];
beforeEach(async () => {
  database = await createMigratedDatabase();
  hand = connect(database.databaseUrl);
  unforeseen = [];
});
afterEach(async () => {
  await hand.close();
  await database.drop();
});

const start = (drainDelayMs: number): Promise<RunningServer> =>
  startServer({
    databaseUrl: database.databaseUrl,
    port: 0,
    fixture: acme,
    metricsPort: 0,
    drainDelayMs,
    onError: (error) => unforeseen.push(error),
  });

const headers = { "service-api-key": "cg_test_local" };

describe("a server that is being stopped", () => {
  it("is not ready at once, and goes on answering: each answer ends its connection", async () => {
    const server = await start(500);
    const agent = keepAliveAgent();
    expect((await ask(`${server.url}/api/v1/agents`, { agent, headers })).connection).toBe("keep-alive");
    const stopped = server.stop();
    for (const url of [server.url, server.metricsUrl]) {
      const ready = await ask(`${url}/ready`, {});
      expect(ready.status).toBe(503);
      expect(ready.body).toContain("process: expected one that goes on running");
    }
    expect(await ask(`${server.url}/api/v1/agents`, { agent, headers })).toMatchObject({
      status: 200,
      connection: "close",
    });
    await stopped;
    await expect(ask(`${server.url}/health`, {})).rejects.toThrow("ECONNREFUSED");
    agent.destroy();
  });

  it("loses no request of clients that keep their connections", async () => {
    const server = await start(500);
    const agent = keepAliveAgent();
    let isRunning = false;
    /** Until an answer says that the connection ends: the next request would go to another server. */
    const client = async (): Promise<number> => {
      for (let answered = 1; ; answered++) {
        const { status, connection } = await ask(`${server.url}/api/v1/agents`, { agent, headers });
        expect(status).toBe(200);
        isRunning = true;
        if (connection === "close") return answered;
      }
    };
    const clients = Array.from({ length: 20 }, client);
    await expect.poll(() => isRunning, { interval: 1 }).toBe(true);
    await server.stop();
    for (const answered of await Promise.all(clients)) expect(answered).toBeGreaterThan(0);
    agent.destroy();
  });

  it("answers what has arrived before the end of the delay, though its process comes to it later", async () => {
    const server = await start(50);
    const agent = keepAliveAgent();
    await ask(`${server.url}/api/v1/agents`, { agent, headers });
    const stopped = server.stop();
    const asked = ask(`${server.url}/api/v1/agents`, { agent, headers });
    // The request is on its way; then the process does nothing until the delay is over.
    for (let tick = 0; tick < 5; tick++) await new Promise<void>((resolve) => process.nextTick(resolve));
    for (const end = performance.now() + 200; performance.now() < end; );
    expect(await asked).toMatchObject({ status: 200, connection: "close" });
    await stopped;
    agent.destroy();
  });

  it("reports nothing of requests whose clients have gone", async () => {
    const server = await start(0);
    const call = caller({ baseUrl: server.url, apiKey: "cg_test_local" });
    await call("GET", "/api/v1/agents");
    const unlock = await lockTable(hand.pool, "customers");
    const gone = new AbortController();
    const url = `${server.url}/api/v1/wallet/balance?customer_id=alice`;
    const answer = fetch(url, { headers, signal: gone.signal }).catch(() => "gone");
    await expect.poll(() => waitsForLock(hand.pool), { interval: 5 }).toBe(1);
    gone.abort();
    expect(await answer).toBe("gone");
    const stopped = server.stop();
    await expect.poll(() => ask(`${server.url}/health`, {}).catch(String)).toContain("ECONNREFUSED");
    // Its first query ends, and its second one finds the connections closed.
    await unlock();
    await stopped;
    expect(unforeseen).toEqual([]);
  });
});

describe("creditgate serve on SIGTERM", () => {
  it("ends in its time though the database holds a request and a batch, and says nothing of it", async () => {
    const patient = `${database.databaseUrl}?lock_timeout=600000&statement_timeout=600000`;
    await (await start(0)).stop();
    const args = ["serve", "--port", "0", "--settlement-delay", "0", "--stop-timeout", "1500"];
    const program = creditgate(args, { DATABASE_URL: patient });
    const [, baseUrl = ""] = await program.printed(/^creditgate listening on (\S+) /m);
    const call = caller({ baseUrl, apiKey: "cg_test_local" });
    expect((await call("GET", "/api/v1/agents")).status).toBe(200);
    const unlock = await lockTable(hand.pool, "wallets");
    expect((await call("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(202);
    const cut = call("GET", "/api/v1/wallet/balance?customer_id=alice").catch(() => "cut");
    await expect.poll(() => waitsForLock(hand.pool), { interval: 5 }).toBe(2);
    program.process.kill("SIGTERM");
    // The lock is held all the while.
    expect(await program.exit).toMatchObject({ code: 0, stderr: "" });
    expect(await cut).toBe("cut");
    await unlock();
  });
});
