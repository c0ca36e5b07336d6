import { randomUUID } from "node:crypto";
import { once } from "node:events";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunningServer, startServer } from "../src/index.ts";
import { createMigratedDatabase, type TestDatabase, usePostgres } from "../src/testing/index.ts";
import { caller } from "./caller.ts";
import { acme } from "./fixture.ts";
import { creditgate, type Program } from "./serve-process.ts";
import { queued } from "./usage-rows.ts";

const day = 86_400_000;

let database: TestDatabase;
let pool: pg.Pool;
const servers: RunningServer[] = [];
const programs: Program[] = [];
beforeEach(async () => {
  database = await createMigratedDatabase();
  pool = new pg.Pool({ connectionString: database.databaseUrl });
  // A connection that is cut when its database is dropped: end() does not wait for it to close.
  pool.on("error", () => undefined);
});
afterEach(async () => {
  for (const { process, exit } of programs.splice(0)) {
    process.kill("SIGTERM");
    await exit;
  }
  for (const server of servers.splice(0)) await server.stop();
  await pool.end();
  await database.drop();
});

/** A process whose clock, as Node.js tells it, is ahead. */
function skewed(args: readonly string[], aheadMs: number): Program {
  const code = `const at = Date; globalThis.Date = class extends at {
    constructor(...args) { super(...(args.length === 0 ? [at.now() + ${aheadMs}] : args)); }
    static now() { return at.now() + ${aheadMs}; }
  };`;
  const program = creditgate(args, {
    DATABASE_URL: database.databaseUrl,
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}`,
  });
  programs.push(program);
  return program;
}

/** A replica that settles nothing itself; resolves how it takes a report, which resolves its key. */
async function replica(settlementDelayMs: number): Promise<() => Promise<string>> {
  const { databaseUrl } = database;
  const server = await startServer({
    databaseUrl,
    port: 0,
    settlement: false,
    settlementDelayMs,
    fixture: acme,
  });
  servers.push(server);
  const call = caller({ baseUrl: server.url, apiKey: acme.organization.apiKey ?? "" });
  return async () => {
    const key = randomUUID();
    const body = { agentId: "chat", customerId: "alice", indicator: "speech", rawUsage: {} };
    const { status } = await call("POST", "/api/v2/usage", { body, headers: { "idempotency-key": key } });
    expect(status).toBe(202);
    return key;
  };
}

/** Looks until usage is settled: the worker is another process, which tells nothing of it. Resolves all that is. */
async function untilSettled(key: string): Promise<string[]> {
  for (;;) {
    const { rows } = await pool.query<{ key: string }>(
      "select idempotency_key as key from usage_reports join usage_settlements using (org_id, usage_id)",
    );
    if (rows.some((row) => row.key === key)) return rows.map((row) => row.key);
  }
}

describe("a replica whose clock is wrong", () => {
  it("settles what another has accepted when it is due, not early, and tells of its clock in a line", async () => {
    const [early, later] = [await replica(0), await replica(day)];
    await later();
    const worker = skewed(["worker"], 2 * day);
    const due = await early();
    expect(await untilSettled(due)).toEqual([due]);
    worker.process.kill("SIGTERM");
    expect((await worker.exit).stderr).toBe(
      "creditgate: clock: this machine's is 172800 s ahead of the database's, which is used. Set both by NTP\n",
    );
  });

  it("settles what another has accepted when it is due, not late", async () => {
    const report = await replica(0);
    skewed(["worker"], -2 * day);
    const due = await report();
    expect(await untilSettled(due)).toEqual([due]);
  });

  it("closes no period early by hand", async () => {
    const report = await replica(0);
    await report();
    const settling = skewed(["worker"], 0);
    await untilSettled(await report());
    settling.process.kill("SIGTERM");
    expect(await settling.exit).toMatchObject({ code: 0, stderr: "" });
    expect(await skewed(["close-period"], 40 * day).exit).toMatchObject({ code: 0, stdout: "0 invoices\n" });
  });
});

describe("usage that cannot be settled", () => {
  it("is told in one line by a worker", async () => {
    const report = await replica(0);
    await report();
    const first = skewed(["worker"], 0);
    await untilSettled(await report());
    first.process.kill("SIGTERM");
    await first.exit;
    // As after the restore of one table: its entry is in the ledger, and it is queued again.
    await pool.query(queued("usage_reports", { counted: true }));
    const second = skewed(["worker"], 0);
    if (second.process.stderr !== null) await once(second.process.stderr, "data");
    second.process.kill("SIGTERM");
    const { stderr } = await second.exit;
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^creditgate: settlement: usage .* cannot be settled/),
    ]);
  });
});

describe("a database that takes no connections", () => {
  it("is told by a worker in lines of its own, without a stack", async () => {
    const report = await replica(0);
    const worker = skewed(["worker"], 0);
    await untilSettled(await report());
    const name = new URL(database.databaseUrl).pathname.slice(1);
    const administrator = new pg.Pool({ connectionString: (await usePostgres()).databaseUrl, max: 1 });
    await administrator.query(`alter database ${name} allow_connections false`);
    const told = worker.process.stderr === null ? undefined : once(worker.process.stderr, "data");
    await administrator.query(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1",
      [name],
    );
    await administrator.end();
    await told;
    worker.process.kill("SIGTERM");
    const { stderr } = await worker.exit;
    for (const line of stderr.trim().split("\n")) {
      expect(line).toMatch(/^creditgate: PostgreSQL cannot be used now: /);
    }
  });
});
