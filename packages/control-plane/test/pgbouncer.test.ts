import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pgbouncerMissing, startPgbouncer } from "../../postgres/test/pgbouncer.ts";
import type { Connection } from "../src/database/connection.ts";
import { openDatabase } from "../src/database/open.ts";
import { startServer, startWorker } from "../src/index.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";
import { acme } from "./fixture.ts";
import { startLoad } from "./upgrade-load.ts";

let database: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await createMigratedDatabase();
  // As OPERATIONS.md says: not through the pooler, which gives a session to several.
  connection = await openDatabase(database.databaseUrl, 2);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

describe.skipIf(pgbouncerMissing)(
  "through PgBouncer in transaction mode, with two connections for all",
  () => {
    it("a server and a worker answer and settle all that comes, exactly once", async () => {
      const pgbouncer = await startPgbouncer(database.databaseUrl, [
        "statement_timeout",
        "lock_timeout",
        "idle_in_transaction_session_timeout",
      ]);
      const failures: unknown[] = [];
      const onError = (error: unknown) => failures.push(error);
      const options = { databaseUrl: pgbouncer.url, settlementDelayMs: 0, onError };
      const server = await startServer({
        ...options,
        port: 0,
        settlement: false,
        rateLimitPerSecond: 0,
        fixture: acme,
      });
      const worker = await startWorker({ ...options, metricsPort: 0 });
      try {
        const load = startLoad(acme.organization.apiKey ?? "");
        load.add(server.url);
        await load.answered(150);
        const { failures: failed, usage } = await load.stop();
        expect(failed).toEqual([]);
        await worker.settled();
        expect(await (await fetch(`${worker.metricsUrl}/metrics`)).text()).toContain(
          "\ncreditgate_database_up 1\n",
        );
        const { rows } = await connection.pool.query<{ events: bigint }>(
          "select count(*) as events from usage_settlements where outcome in ('debited', 'accrued') and usage_id is not null",
        );
        expect(Number(rows[0]?.events)).toBe(usage.size);
        expect((await verify(connection.database)).differences).toEqual([]);
        expect(failures).toEqual([]);
      } finally {
        await Promise.all([server.stop(), worker.stop()]);
        await pgbouncer.stop();
      }
    });
  },
);
