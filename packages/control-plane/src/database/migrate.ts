import type pg from "pg";
import { ControlPlaneError } from "../control-plane-error.ts";
import { walletsAndUsage } from "./migrations/0001-wallets-and-usage.ts";
import { ordersAndAdministration } from "./migrations/0002-orders-and-administration.ts";
import { prices } from "./migrations/0003-prices.ts";
import { voice } from "./migrations/0005-voice.ts";
import { closingPeriods } from "./migrations/0010-closing-periods.ts";
import { unbilledUsage } from "./migrations/0011-unbilled-usage.ts";
import { lists } from "./migrations/0012-lists.ts";
import { settlementFailures } from "./migrations/0013-settlement-failures.ts";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** In order, forward only: what has been released is never edited. */
export const migrations: readonly Migration[] = [
  walletsAndUsage,
  ordersAndAdministration,
  prices,
  voice,
  closingPeriods,
  unbilledUsage,
  lists,
  settlementFailures,
];

/** Any number, as long as every replica of every version uses the same. */
const lock = 7_236_401_975n;

/**
 * Brings the schema up to date. The lock ends with the transaction, so replicas that start at once wait for the first
 * one, and a replica that dies half way leaves nothing behind. A schema that is up to date is only read, so that a role
 * that may not change it will do.
 */
export async function migrate(pool: pg.Pool, steps: readonly Migration[] = migrations): Promise<void> {
  const client = await pool.connect();
  try {
    if ((await missing(client, steps)).length === 0) return;
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1)", [lock]);
    await client.query(
      "create table if not exists creditgate_migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())",
    );
    // Not all above the newest: steps that are written side by side may land the later one first.
    for (const step of await missing(client, steps)) {
      await client.query(step.sql);
      await client.query("insert into creditgate_migrations (version, name) values ($1, $2)", [
        step.version,
        step.name,
      ]);
    }
    await client.query("commit");
  } catch (error) {
    // A connection that has failed cannot roll back either; the server does it then.
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Whether the database is one of Creditgate's, of whatever version. */
export async function hasSchema(database: Pick<pg.ClientBase, "query"> | pg.Pool): Promise<boolean> {
  const { rows } = await database.query<{ there: boolean }>(
    "select to_regclass('creditgate_migrations') is not null as there",
  );
  return rows[0]?.there === true;
}

/** The steps that the schema lacks. */
async function missing(client: pg.PoolClient, steps: readonly Migration[]): Promise<readonly Migration[]> {
  if (!(await hasSchema(client))) return steps;
  const { rows } = await client.query<{ version: number }>("select version from creditgate_migrations");
  const applied = new Set(rows.map(({ version }) => version));
  const current = Math.max(0, ...applied);
  const latest = Math.max(0, ...steps.map((step) => step.version));
  if (current > latest) {
    throw new ControlPlaneError(
      "database_newer",
      `database: expected schema version ${latest} or older, received version ${current}. It was written by a newer creditgate: run that version or a later one.`,
    );
  }
  return steps.filter(({ version }) => !applied.has(version));
}
