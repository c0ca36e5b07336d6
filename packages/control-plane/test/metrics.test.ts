import { readFileSync } from "node:fs";
import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { type RunningServer, type RunningWorker, startServer, startWorker } from "../src/index.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { caller } from "./caller.ts";
import { acme } from "./fixture.ts";

describe("a server that leaves settlement to a worker", () => {
  let database: TestDatabase;
  let server: RunningServer;
  let worker: RunningWorker;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    const { databaseUrl } = database;
    const options = { databaseUrl, port: 0, metricsPort: 0, settlementDelayMs: 0, fixture: acme };
    server = await startServer({ ...options, settlement: false });
    const apiKey = acme.organization.apiKey ?? "";
    const client = createClient({ baseUrl: server.url, apiKey });
    const report = { agentId: "chat", customerId: "alice", indicator: "message", rawUsage: {} };
    const idempotencyKey = "counted-once";
    for (let count = 0; count < 2; count++) await client.usage.report(report);
    // One report, whose answer got lost twice.
    for (let count = 0; count < 3; count++) await client.usage.report(report, { idempotencyKey });
    await client.usage.report({ ...report, indicator: "gift" });
    await client.customers.createOrGet({ externalId: "x", name: "X" });
  });
  afterAll(async () => {
    await worker?.stop();
    await server.stop();
    await database.drop();
  });

  const metricsOf = async (url: string | undefined) => (await fetch(`${url}/metrics`)).text();

  it("accepts usage, counts a repeated report once, tells how much waits, and times its requests by route", async () => {
    const response = await fetch(`${server.metricsUrl}/metrics`);
    expect(response.headers.get("content-type")).toContain("version=0.0.4");
    const text = await response.text();
    expect(text).toContain("\ncreditgate_usage_accepted_total 4\n");
    expect(text).not.toContain("\ncreditgate_usage_settled_total");
    expect(text).toContain("\ncreditgate_settlement_queue_depth 4\n");
    expect(text).toMatch(/\ncreditgate_settlement_overdue_seconds \d/);
    const labels = 'method="POST",route="/api/v2/usage",status="202"';
    expect(text).toContain(`creditgate_http_request_duration_seconds_count{${labels}} 6\n`);
    await expect(server.settled()).rejects.toThrow("without settlement");
  });

  it("counts what it refuses by code, also a report of a batch, and tells its versions and pools", async () => {
    const apiKey = acme.organization.apiKey ?? "";
    const call = caller({ baseUrl: server.url, apiKey });
    await caller({ baseUrl: server.url, apiKey: "cg_test_wrong" })("POST", "/api/v2/usage", { body: {} });
    const report = { agentId: "chat", customerId: "nobody", indicator: "message", rawUsage: {}, key: "a" };
    await call("POST", "/api/v2/usage/batch", { body: { reports: [report, { ...report, key: "b" }] } });
    const text = await metricsOf(server.metricsUrl);
    expect(text).toContain('\ncreditgate_requests_refused_total{code="unauthorized",status="401"} 1\n');
    expect(text).toMatch(/\ncreditgate_requests_refused_total\{code="customer_unknown",status="\d+"\} 2\n/);
    expect(text).toMatch(/\ncreditgate_build_info\{version="\d+\.\d+\.\d+",node="\d+/);
    expect(text).toContain("\ncreditgate_database_up 1\n");
    expect(text).toContain('\ncreditgate_database_connections_max{pool="requests"} 10\n');
    expect(text).toMatch(/\ncreditgate_database_connections\{pool="keys",state="idle"\} [12]\n/);
  });

  it("makes no label of a path that somebody asks for", async () => {
    await fetch(`${server.url}/made/up`);
    const text = await metricsOf(server.metricsUrl);
    expect(text).not.toContain("made");
    expect(text).toContain('method="GET",route="other",status="404"');
  });

  it("has its usage settled by the worker, which tells lag and outcomes", async () => {
    worker = await startWorker({ databaseUrl: database.databaseUrl, metricsPort: 0 });
    await worker.settled();
    const text = await metricsOf(worker.metricsUrl);
    expect(text).toContain('\ncreditgate_usage_settled_total{outcome="debited"} 3\n');
    expect(text).toContain('\ncreditgate_usage_settled_total{outcome="free"} 1\n');
    expect(text).toContain("\ncreditgate_settlement_lag_seconds_count 4\n");
    // What alerts and the dashboard compute quantiles from.
    expect(text).toContain('\ncreditgate_settlement_lag_seconds_bucket{le="3600"} 4\n');
    expect(text).toContain("\ncreditgate_settlement_queue_depth 0\n");
    expect((await fetch(`${worker.metricsUrl}/ready`)).status).toBe(200);
  });

  it("tells with the worker what OPERATIONS.md lists, and that lists all of it", async () => {
    const operations = readFileSync(new URL("../OPERATIONS.md", import.meta.url), "utf8");
    const listed = [...operations.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name);
    for (const url of [server.metricsUrl, worker.metricsUrl]) {
      const told = [...(await metricsOf(url)).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
      expect(told.toSorted()).toEqual(listed.toSorted());
    }
  });

  it("keeps to the conventions of Prometheus: units and suffixes by the kind of metric", async () => {
    for (const [, name = "", type] of (await metricsOf(server.metricsUrl)).matchAll(
      /^# TYPE (\S+) (\S+)/gm,
    )) {
      expect(name).toMatch(/^(creditgate|process)_[a-z_]+$/);
      expect(name.endsWith("_total"), name).toBe(type === "counter");
      if (type === "histogram") expect(name).toMatch(/_seconds$/);
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|mb)(_|$)/);
    }
  });

  it("keeps metrics off the port of the API where they have one of their own", async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  });

  it("is not ready on a database whose schema is older", async () => {
    const { pool, close } = connect(database.databaseUrl);
    await pool.query("update creditgate_migrations set version = version + 1000");
    const response = await fetch(`${server.url}/ready`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "not_ready" });
    await pool.query("update creditgate_migrations set version = version - 1000");
    await close();
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  });
});

describe("/metrics", () => {
  it("is not on the port of the API, not even where only this machine can reach it", async () => {
    const database = await createMigratedDatabase();
    const server = await startServer({ databaseUrl: database.databaseUrl, port: 0 });
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    await server.stop();
    await database.drop();
  });
});
