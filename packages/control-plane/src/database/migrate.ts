import { setTimeout } from "node:timers/promises";
import { backOffMs } from "@creditgate/client";
import pg from "pg";
import { ControlPlaneError, errorCode } from "../errors/control-plane-error.ts";
import { baseline, type Migration, type OnlineMigration, type TransactionalMigration } from "./migration.ts";

/** In order, forward only: what has been released is never edited. The baseline has not been: its SQL is edited in place. */
export const migrations: readonly Migration[] = [baseline];

/** Any number, as long as every replica of every version uses the same. */
const lock = 7_236_401_975n;

export interface MigrateOptions {
  /** Ends the waiting and the step under way; `migrate` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with what is waited for, when that changes. */
  readonly onWait?: ((waiting: ControlPlaneError) => void) | undefined;
  /**
   * How long a statement waits for a lock until all is undone and tried again, in milliseconds. Below the second after
   * which PostgreSQL ends one of those that wait for each other: that would be a request which waits for a table that is
   * migrated already. @default 200
   */
  readonly lockTimeoutMs?: number;
  /** Returns a number from 0 up to but without 1. @default Math.random */
  readonly random?: () => number;
}

/**
 * Pauses between two attempts. The statements that have queued behind the one that waited get their turn; another replica that
 * migrates is done in a moment, as a rule.
 */
const pauses = { locked_out: { firstMs: 1_000, longestMs: 4_000 }, busy: { firstMs: 100, longestMs: 1_000 } };

/**
 * Brings the schema up to date. The lock ends with the connection, so replicas that start at once wait for the first
 * one, and of a replica that dies half way the next one takes the steps that are left. A schema that is up to date is only
 * read, so that a role that may not change it will do. No lock that others need is waited for long: behind a statement
 * that waits for one, as during a backup, all statements of the replicas that serve would wait too.
 */
export async function migrate(
  pool: pg.Pool,
  steps: readonly Migration[] = migrations,
  options: MigrateOptions = {},
): Promise<void> {
  const { signal, onWait, lockTimeoutMs = 200, random = Math.random } = options;
  const client = await pool.connect();
  // Cuts the connection: the server undoes what is under way.
  const cut = (): void => void (client instanceof pg.Client && client.end().catch(() => undefined));
  signal?.addEventListener("abort", cut);
  try {
    let lastMessage = "";
    for (let failures = 1; ; failures++) {
      const attempt = await tryToMigrate(client, steps, lockTimeoutMs);
      if (attempt === "done") return;
      if (attempt === "locked_out") {
        const waiting = await describeWaiting(client);
        if (waiting.message !== lastMessage) onWait?.(waiting);
        lastMessage = waiting.message;
      }
      await setTimeout(
        backOffMs(failures, { ...pauses[attempt], random }),
        undefined,
        signal === undefined ? {} : { signal },
      );
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener("abort", cut);
    client.release(signal?.aborted);
  }
}

/**
 * `locked_out` where a lock was not had in time, or two were in each other's way: the step under way is undone then.
 * `busy` where another replica migrates.
 */
async function tryToMigrate(
  client: pg.PoolClient,
  steps: readonly Migration[],
  lockTimeoutMs: number,
): Promise<"done" | "locked_out" | "busy"> {
  if ((await missingSteps(client, steps)).length === 0) return "done";
  // Not waited for: building an index waits for all who have a statement under way, as one that waits has.
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
    lock,
  ]);
  if (rows[0]?.locked !== true) return "busy";
  try {
    await client.query(
      "create table if not exists creditgate_migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())",
    );
    // Not all above the newest: steps that are written side by side may land the later one first.
    const missing = await missingSteps(client, steps);
    if (missing.length === steps.length) {
      await runTogether(client, missing.map(atOnce), lockTimeoutMs);
      return "done";
    }
    // Each by itself: while it waits for a table, others wait for those that it has locked.
    for (const step of missing) {
      if ("online" in step) await runOnline(client, step, lockTimeoutMs);
      else await runTogether(client, [step], lockTimeoutMs);
    }
    return "done";
  } catch (error) {
    if (/^(55P03|40P01)$/.test(errorCode(error) ?? "")) return "locked_out";
    throw error;
  } finally {
    // A connection that has failed has let go already.
    await client.query("select pg_advisory_unlock($1)", [lock]).catch(() => undefined);
  }
}

/** A database that is new has nothing to write to, and is made whole or not at all. */
function atOnce(step: Migration): TransactionalMigration {
  if (!("online" in step)) return step;
  const { version, name, first = "", online } = step;
  const statements = online.filter((text) => !isQuestion(text));
  const later = statements.map((text) => text.replace(" concurrently", "")).join(";\n");
  return { version, name, sql: `${first}${later}` };
}

function runTogether(
  client: pg.PoolClient,
  steps: readonly TransactionalMigration[],
  lockTimeoutMs: number,
): Promise<void> {
  return inTransaction(client, lockTimeoutMs, async () => {
    for (const step of steps) {
      await client.query(step.sql);
      await note(client, step);
    }
  });
}

async function inTransaction(
  client: pg.PoolClient,
  lockTimeoutMs: number,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await client.query("begin");
    await client.query("select set_config('lock_timeout', $1, true)", [String(lockTimeoutMs)]);
    await work();
    await client.query("commit");
  } catch (error) {
    // A connection that has failed cannot roll back either; the server does it then.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** Waits for locks as long as it takes: no reading or writing waits behind it. */
async function runOnline(client: pg.PoolClient, step: OnlineMigration, lockTimeoutMs: number): Promise<void> {
  const { first } = step;
  if (first !== undefined) await inTransaction(client, lockTimeoutMs, () => client.query(first));
  for (const text of step.online) {
    const statements = isQuestion(text) ? await statementsOf(client, text) : [text];
    for (const statement of statements) {
      const [, index] = /^create (?:unique )?index concurrently if not exists (\w+)/.exec(statement) ?? [];
      if (index !== undefined) await dropUnfinished(client, index);
      await client.query(statement);
    }
  }
  await note(client, step);
}

function isQuestion(statement: string): boolean {
  return statement.startsWith("select ");
}

async function statementsOf(client: pg.PoolClient, question: string): Promise<readonly string[]> {
  const { rows } = await client.query<[string]>({ text: question, rowMode: "array" });
  return rows.map(([statement]) => statement);
}

/** An interruption leaves an index behind that slows writing down and serves nothing. */
async function dropUnfinished(client: pg.PoolClient, index: string): Promise<void> {
  const { rowCount } = await client.query(
    "select from pg_index where indexrelid = to_regclass($1) and not indisvalid",
    [index],
  );
  if (rowCount !== 0) await client.query(`drop index concurrently ${index}`);
}

async function note(client: pg.PoolClient, { version, name }: Migration): Promise<void> {
  await client.query("insert into creditgate_migrations (version, name) values ($1, $2)", [version, name]);
}

/** The oldest transaction that holds what a migration needs. */
async function describeWaiting(client: pg.PoolClient): Promise<ControlPlaneError> {
  const { rows } = await client.query<{ holder: string }>(
    `select format('process %s of PostgreSQL (%s, %s since %s: %s)', pid, coalesce(nullif(application_name, ''), 'no name'),
                   state, to_char(xact_start, 'HH24:MI:SS'), left(query, 100)) as holder
       from pg_stat_activity
      where pid <> pg_backend_pid() and datname = current_database() and xact_start is not null
        and exists (select from pg_locks
                     where pg_locks.pid = pg_stat_activity.pid and granted
                       and (locktype = 'advisory' or relation in (
                             select oid from pg_class where relnamespace = current_schema()::regnamespace)))
      order by xact_start limit 1`,
  );
  const holder = rows[0]?.holder ?? "a transaction that has ended meanwhile";
  return new ControlPlaneError(
    "migration_waits",
    `database: the migration waits for a lock that another transaction holds; the oldest one is ${holder}. It is tried again until it gets it: let that backup, migration or session end, or end it with pg_terminate_backend(pid)`,
  );
}

/** Whether the database is one of Creditgate's, of whatever version. */
export async function hasSchema(database: Pick<pg.ClientBase, "query"> | pg.Pool): Promise<boolean> {
  const { rows } = await database.query<{ there: boolean }>(
    "select to_regclass('creditgate_migrations') is not null as there",
  );
  return rows[0]?.there === true;
}

/** The steps that the schema lacks. */
export async function missingSteps(
  database: Pick<pg.ClientBase, "query"> | pg.Pool,
  steps: readonly Migration[] = migrations,
): Promise<readonly Migration[]> {
  if (!(await hasSchema(database))) return steps;
  const { rows } = await database.query<{ version: number }>("select version from creditgate_migrations");
  const applied = new Set(rows.map(({ version }) => version));
  const current = Math.max(0, ...applied);
  const versions = steps.map(({ version }) => version);
  const [oldest, latest] = [Math.min(...versions), Math.max(...versions)];
  if (applied.size > 0 && current < oldest) {
    throw new ControlPlaneError(
      "database_older",
      `database: expected schema version ${oldest} or newer, received version ${current}. This version cannot upgrade it: name an empty database, or run the version of creditgate that wrote this one.`,
    );
  }
  if (current > latest) {
    throw new ControlPlaneError(
      "database_newer",
      `database: expected schema version ${latest} or older, received version ${current}. It was written by a newer creditgate: run that version or a later one.`,
    );
  }
  return steps.filter(({ version }) => !applied.has(version));
}
