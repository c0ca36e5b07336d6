import { afterAll, beforeAll, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { migrate, migrations } from "../src/database/migrate.ts";
import type { Migration } from "../src/database/migration.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";
import { acme } from "./fixture.ts";
import { creditgate, openWorkplace, type Program, type Workplace } from "./serve-process.ts";
import { startLoad } from "./upgrade-load.ts";

/** Requests in each phase of the upgrade, to each server; `npm run test:upgrade` has more, and rows to migrate. */
const requests = Number(process.env.CREDITGATE_UPGRADE_REQUESTS ?? "25");
const rows = Number(process.env.CREDITGATE_UPGRADE_ROWS ?? "2000");

/** A step of each kind, on the tables that are written most. */
const steps: readonly Migration[] = [
  {
    version: 198,
    name: "columns",
    sql: `alter table wallets add column more int not null default 0;
          alter table usage_reports add column more int;
          alter table ledger_entries add column more int`,
  },
  {
    version: 199,
    name: "index",
    online: [
      `select format('create index concurrently if not exists %1$I on %2$s (org_id, amount)', relname || '_amount', pg_class.oid::regclass)
         from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'usage_reports'::regclass`,
      "create index if not exists usage_reports_amount on usage_reports (org_id, amount)",
    ],
  },
];

let database: TestDatabase;
let connection: Connection;
let workplace: Workplace;
const running = new Set<Program>();
beforeAll(async () => {
  [database, workplace] = await Promise.all([createMigratedDatabase(), openWorkplace()]);
  connection = connect(database.databaseUrl, 2);
});
afterAll(async () => {
  for (const { process, exit } of running) {
    process.kill("SIGKILL");
    await exit;
  }
  await connection.close();
  await Promise.all([database.drop(), workplace.remove()]);
});

/** Starts a server, which answers and settles, and waits until it is ready. */
async function start(drainDelayMs: number): Promise<Program & { readonly baseUrl: string }> {
  const options = ["--port", "0", "--settlement-delay", "0", "--rate-limit", "0"];
  const server = creditgate(
    ["serve", ...options, "--drain-delay", String(drainDelayMs), "--fixture", workplace.fixture],
    { DATABASE_URL: database.databaseUrl },
  );
  running.add(server);
  const [, baseUrl = ""] = await server.printed(/^creditgate listening on (\S+) /m);
  return { ...server, baseUrl };
}

async function stop(server: Program): Promise<void> {
  server.process.kill("SIGTERM");
  expect(await server.exit).toMatchObject({ code: 0, stderr: "" });
  running.delete(server);
}

/** Settled usage from before, in no sum, for what the migration has to read. */
async function fill(): Promise<void> {
  await connection.pool.query(
    `with report as (
       insert into usage_reports (org_id, usage_id, request_hash, agent_id, indicator, customer_id, raw_usage,
                                  currency, amount, received_at)
       select org_id, gen_random_uuid(), repeat('0', 64), 'chat', 'gift', 'alice', '{}',
              'ai_credits', 0, now() - interval '1 day' - n * interval '1 minute'
         from organizations, generate_series(1, $1) as n
       returning *)
     insert into usage_outcomes (org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at,
                                 settled_at, outcome)
     select org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, received_at, 'free'
       from report`,
    [rows],
  );
}

const column = async (query: string): Promise<unknown[]> =>
  (await connection.pool.query<[unknown]>({ text: query, rowMode: "array" })).rows.flat();
const count = async (rows: string): Promise<number> =>
  Number((await column(`select count(*) from ${rows}`))[0]);

it("a migration fails no request: servers go on before, during and after it", {
  timeout: 600_000,
}, async () => {
  // The load asks /ready again and again, on a machine that is busy.
  const leaving = await start(2_000);
  const staying = await start(0);
  await fill();
  const load = startLoad(acme.organization.apiKey ?? "");
  load.add(leaving.baseUrl);
  load.add(staying.baseUrl);
  await load.answered(requests);

  // Nothing is left to do for it, under load; a deployment runs it before each start.
  const { exit } = creditgate(["migrate"], { DATABASE_URL: database.databaseUrl });
  expect(await exit).toMatchObject({ code: 0, stdout: "creditgate schema up to date\n" });
  expect(await column("select version from creditgate_migrations order by 1")).toEqual(
    migrations.map(({ version }) => version),
  );
  await load.answered(requests);
  await migrate(connection.pool, [...migrations, ...steps]);
  await load.answered(requests);

  const stopped = stop(leaving);
  await load.leave(leaving.baseUrl);
  await stopped;
  await load.answered(requests);
  const { failures, requests: answered, usage } = await load.stop();
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThanOrEqual(5 * requests);

  await expect.poll(() => count("usage_due"), { timeout: 60_000 }).toBe(0);
  await stop(staying);
  expect(await count("ledger_entries where cause = 'usage'")).toBe(usage.size);
  // The rows that fill wrote are in no sum: they go before verify, past the triggers that refuse changes.
  await connection.pool.query(
    `set local session_replication_role = replica;
     delete from usage_outcomes where indicator = 'gift';
     delete from usage_reports where indicator = 'gift'`,
  );
  expect(await count("usage_reports")).toBe(usage.size);
  // Debited from prepaid wallets, accrued in postpaid ones.
  const settled = `select distinct kind from ledger_entries join wallets using (org_id, customer_id, currency)
                    where cause = 'usage' order by 1`;
  expect(await column(settled)).toEqual(["postpaid", "prepaid"]);
  expect((await verify(connection.database)).differences).toEqual([]);
});
