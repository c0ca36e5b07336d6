import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { migrations } from "../src/database/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";
import { acme } from "./fixture.ts";
import { buildOlderVersion, missingHistory, type OlderVersion } from "./older-version.ts";
import { creditgate, openWorkplace, type Program, type Workplace } from "./serve-process.ts";
import { startLoad } from "./upgrade-load.ts";

/** Requests in each phase of the upgrade, to each server; `npm run test:upgrade` has more, and rows to migrate. */
const requests = Number(process.env.CREDITGATE_UPGRADE_REQUESTS ?? "25");
const rows = Number(process.env.CREDITGATE_UPGRADE_ROWS ?? "2000");
const missing = await missingHistory(process.env.CREDITGATE_UPGRADE_REQUESTS !== undefined);
if (missing !== undefined) console.warn(`the test of an upgrade is left out: ${missing}`);

let older: OlderVersion;
let database: TestDatabase;
let connection: Connection;
let workplace: Workplace;
const running = new Set<Program>();
beforeAll(async () => {
  if (missing !== undefined) return;
  [older, database, workplace] = await Promise.all([
    buildOlderVersion(),
    createTestDatabase(),
    openWorkplace(),
  ]);
  connection = connect(database.databaseUrl, 2);
  await writeFile(workplace.fixture, JSON.stringify(fixture));
});
afterAll(async () => {
  for (const { process, exit } of running) {
    process.kill("SIGKILL");
    await exit;
  }
  await connection?.close();
  await Promise.all([older?.remove(), database?.drop(), workplace?.remove()]);
});

/** Acme without the prices that the older version does not know. */
const [chat] = acme.agents ?? [];
const indicators = chat?.indicators?.filter(({ name }) => name !== "parts") ?? [];
const fixture = { ...acme, agents: chat === undefined ? [] : [{ ...chat, indicators }] };

/** Starts a server of either version, which answers and settles, and waits until it is ready. */
async function start(
  drainDelayMs: number,
  program?: string,
): Promise<Program & { readonly baseUrl: string }> {
  const options = [
    "--port",
    "0",
    "--settlement-delay",
    "0",
    "--drain-delay",
    String(drainDelayMs),
    "--rate-limit",
    "0",
    "--fixture",
    workplace.fixture,
  ];
  const environment = { DATABASE_URL: database.databaseUrl };
  const server = creditgate(["serve", ...options], environment, undefined, program);
  running.add(server);
  const [, baseUrl = ""] = await server.printed(/^creditgate listening on (\S+) /m);
  return { ...server, baseUrl };
}

async function stopped(server: Program): Promise<void> {
  expect(await server.exit).toMatchObject({ code: 0, stderr: "" });
  running.delete(server);
}

/** Settled usage from before, for what the migration has to read: indexes and sums. */
async function fill(): Promise<void> {
  await connection.pool.query(
    `insert into usage_events (org_id, usage_id, request_hash, agent_id, indicator, customer_id, raw_usage,
                               currency, amount, received_at, due_at, settled_at, outcome)
     select org_id, gen_random_uuid(), repeat('0', 64), 'chat', 'gift', 'alice', '{}',
            'ai_credits', 0, at, at, at, 'free'
       from organizations, generate_series(1, $1) as n,
            lateral (select now() - interval '1 day' - n * interval '1 minute' as at) as time`,
    [rows],
  );
}

const versions = async (): Promise<number[]> =>
  (
    await connection.pool.query<{ version: number }>("select version from creditgate_migrations order by 1")
  ).rows.map(({ version }) => version);

describe.skipIf(missing !== undefined)("an upgrade from the version before", { timeout: 600_000 }, () => {
  it("fails no request: both versions serve one database, before, during and after the migration", async () => {
    // The load asks /ready again and again, on a machine that is busy.
    const before = await start(2_000, older.program);
    await fill();
    expect(Math.max(...(await versions()))).toBe(15);
    const load = startLoad(acme.organization.apiKey ?? "");
    load.add(before.baseUrl);
    await load.answered(requests);

    const { exit } = creditgate(["migrate"], { DATABASE_URL: database.databaseUrl });
    expect(await exit).toMatchObject({ code: 0, stdout: "creditgate schema up to date\n" });
    expect(await versions()).toEqual(migrations.map(({ version }) => version));
    await load.answered(requests);

    // It is stopped when there is no load.
    const after = await start(0);
    load.add(after.baseUrl);
    await load.answered(requests);
    before.process.kill("SIGTERM");
    await load.leave(before.baseUrl);
    await stopped(before);
    await load.answered(requests);
    const { failures, requests: answered, usage } = await load.stop();
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThanOrEqual(5 * requests);

    await expect.poll(unsettled, { timeout: 60_000 }).toBe(0);
    after.process.kill("SIGTERM");
    await stopped(after);
    const { rows: billed } = await connection.pool.query<{ outcome: string; events: bigint }>(
      "select outcome, count(*) as events from usage_events where indicator <> 'gift' group by 1 order by 1",
    );
    const count = billed.reduce((sum, { events }) => sum + Number(events), 0);
    expect(billed.map(({ outcome }) => outcome)).toEqual(["accrued", "debited"]);
    expect(count).toBe(usage.size);
    expect((await verify(connection.database)).differences).toEqual([]);
  });
});

async function unsettled(): Promise<number> {
  const { rows } = await connection.pool.query<{ events: bigint }>(
    "select count(*) as events from usage_events where settled_at is null",
  );
  return Number(rows[0]?.events);
}
