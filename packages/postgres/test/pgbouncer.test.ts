import type { SharedStore } from "@creditgate/fleet";
import { createPostgresStore } from "@creditgate/postgres";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "./database.ts";
import { pgbouncerMissing, startPgbouncer } from "./pgbouncer.ts";
import { connectPostgresJs } from "./postgres-js.ts";
import { requestOf, sync } from "./request.ts";

/** Each process says 20 syncs, all of them at once but in their order. */
async function syncTogether(store: SharedStore, account: string): Promise<number> {
  const process = async (id: string) => {
    for (let seq = 1; seq <= 20; seq++)
      await sync(store, account, requestOf(id, seq, { base: seq, keep: seq, claim: seq }));
  };
  await Promise.all(Array.from({ length: 10 }, (_, at) => process(`p${at}`)));
  return (await store.exchange(account, requestOf("last", 1))).out;
}

const { url } = await createTestDatabase();
const pgbouncer = pgbouncerMissing ? undefined : await startPgbouncer(url);
afterAll(() => pgbouncer?.stop());

describe.skipIf(pgbouncer === undefined)("through PgBouncer in transaction mode", () => {
  it("migrates, and does every step once, by either driver, with two connections for all", async () => {
    const through = pgbouncer?.url ?? "";
    const pool = new pg.Pool({ connectionString: through, max: 10 });
    pool.on("error", () => {});
    const sql = connectPostgresJs(through, 10);
    try {
      const stores = [createPostgresStore({ sql: pool }), createPostgresStore({ sql })];
      const outs = await Promise.all(stores.map((store, at) => syncTogether(store, `account ${at}`)));
      expect(outs).toEqual([200, 200]);
    } finally {
      await Promise.all([pool.end(), sql.end()]);
    }
  });
});
