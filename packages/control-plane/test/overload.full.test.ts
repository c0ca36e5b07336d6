import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startServer } from "../src/index.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";
import { ask } from "./load.ts";
import { creditgate, type Program } from "./serve-process.ts";

const otherKey = "cg_test_other_org";
const mebibyte = 1024 * 1024;

let database: TestDatabase;
let program: Program;
let baseUrl: string;
let neighbour: RunningServer;
beforeAll(async () => {
  database = await createMigratedDatabase();
  const { databaseUrl } = database;
  for (const organization of [acme.organization, { name: "Other", apiKey: otherKey }]) {
    neighbour = await startServer({ databaseUrl, port: 0, fixture: { ...acme, organization } });
    await neighbour.stop();
  }
  // More clients than connect here: bodies are what is to be refused.
  program = creditgate(["serve", "--port", "0", "--max-clients", "4000"], { DATABASE_URL: databaseUrl });
  [, baseUrl = ""] = await program.printed(/^creditgate listening on (\S+) /m);
});
afterAll(async () => {
  program.process.kill("SIGTERM");
  await program.exit;
  await database.drop();
});

/** The most memory that the process has had, in MiB. */
async function peakMemory(): Promise<number> {
  const status = await readFile(`/proc/${program.process.pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** On a connection of its own: one that was kept may be closed by the server as the next request begins. */
function post(body: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
  const all = { "service-api-key": "cg_test_local", "content-type": "application/json", ...headers };
  return ask(`${baseUrl}/api/v2/usage`, { method: "POST", agent: false, headers: all }, body);
}

const reportOf = (quotes: number) => JSON.stringify(usageOf({ rawUsage: { x: '\\"'.repeat(quotes) } }));

describe("creditgate serve under a load of large bodies", () => {
  it("refuses 300 reports of 1 MB at once, takes another organisation's, and stays below 512 MB", async () => {
    const body = reportOf(255_000);
    const flood = Promise.all(Array.from({ length: 300 }, () => post(body)));
    const other = caller({ baseUrl, apiKey: otherKey });
    expect((await other("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(202);
    expect(new Set((await flood).map(({ status }) => status))).toEqual(new Set([413]));
    expect((await other("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(202);
    expect(await peakMemory()).toBeLessThan(512);
  });

  it("takes on as many of the largest reports at once as it has room for, and answers the others 429", async () => {
    const body = reportOf(3_900);
    const answers = await Promise.all(Array.from({ length: 900 }, () => post(body)));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 202 && status !== 429)).toEqual([]);
    expect(statuses).toContain(202);
    const refused = answers.filter(({ status }) => status === 429);
    expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(
      new Set(refused.length > 0 ? ["1"] : []),
    );
    expect(await peakMemory()).toBeLessThan(512);
  });

  it("unpacks no more than a body may have", async () => {
    const bomb = gzipSync(JSON.stringify(usageOf({ rawUsage: { x: "x".repeat(64 * mebibyte) } })));
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post(bomb.subarray(0, 16_000), { "content-encoding": "gzip" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]));
    expect(await peakMemory()).toBeLessThan(512);
  });

  it("is not brought down by bodies of which it is not told the length", async () => {
    const body = reportOf(255_000);
    const headers = { "transfer-encoding": "chunked" };
    const answers = await Promise.all(Array.from({ length: 300 }, () => post(body, headers)));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 413 && status !== 429)).toEqual([]);
    expect(await peakMemory()).toBeLessThan(512);
  });
});
