import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type Transaction,
} from "kysely";
import pg from "pg";
import { errorCode } from "../errors/control-plane-error.ts";
import type { Tables } from "./tables.ts";
import { isReadTimeout } from "./unavailable.ts";

export type Database = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;

export interface Connection {
  readonly database: Database;
  readonly pool: pg.Pool;
  /** Resolves when the queries under way have ended; after `graceMs` their connections are cut. */
  close(graceMs?: number): Promise<void>;
}

/** How long PostgreSQL may take, in milliseconds. Parameters of the same names in the URL go first. */
export interface DatabaseTimeouts {
  /** A statement. */
  readonly statement_timeout: number;
  /** The wait of a statement for a lock. */
  readonly lock_timeout: number;
  /** A transaction between two statements. */
  readonly idle_in_transaction_session_timeout: number;
}

/** For what a client waits for. */
export const requestTimeouts: DatabaseTimeouts = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};

/** For work that no request waits for. */
export const backgroundTimeouts: DatabaseTimeouts = {
  statement_timeout: 60_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 60_000,
};

/** How long the answer to a statement may be overdue until its connection counts as dead. */
const overdueMs = 2_000;

/** PostgreSQL may compile a query, which takes a second where the query takes some milliseconds and looks expensive. */
const withoutCompilation = "set jit = off";

/** How long to wait for a connection, a free one or a new one. */
const connectionTimeoutMs = 3_000;

/** Amounts and ids come as `bigint`. Per pool, because pg's own registry belongs to the whole process. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === pg.types.builtins.INT8 && format !== "binary") return (text: string) => BigInt(text);
    return format === undefined ? pg.types.getTypeParser(oid) : pg.types.getTypeParser(oid, "text");
  },
};

/** Connects lazily: nothing is sent until the first query. Without timeouts a query may take any time. */
export function connect(databaseUrl: string, maxConnections = 10, timeouts?: DatabaseTimeouts): Connection {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    types,
    max: maxConnections,
    connectionTimeoutMillis: connectionTimeoutMs,
    application_name: "creditgate",
    keepAlive: true,
    onConnect: async (client) => void (await client.query(withoutCompilation)),
    ...timeouts,
    ...(timeouts === undefined ? {} : answerTimeout(databaseUrl, timeouts)),
  });
  const clients = new Set<pg.PoolClient>();
  // A connection that breaks fails its query, if it has one, and is replaced. Unheard, the events end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    clients.add(client);
    client.on("error", () => undefined);
  });
  pool.on("remove", (client) => clients.delete(client));
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { connect: async () => lease(await pool.connect()), end: () => pool.end() },
    }),
  });
  let ended: Promise<void> | undefined;
  return {
    database,
    pool,
    async close(graceMs) {
      if (pool.ended) return;
      ended ??= pool.end();
      const cut = () => clients.forEach(destroy);
      const timer = graceMs === undefined ? undefined : setTimeout(cut, graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/**
 * A connection for one user of the pool. It is not used again where it may still be busy with the last query, or where
 * its session can only read: after a failover the next one may reach the new primary.
 */
function lease(client: pg.PoolClient): PostgresPoolClient {
  let isUnusable = false;

  async function run(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      isUnusable ||= isReadTimeout(error) || errorCode(error) === "25006";
      // A rollback would wait behind the query that does not end.
      if (isReadTimeout(error)) destroy(client);
      throw error;
    }
  }
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(text: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
    if (typeof text === "string") return run(text, values);
    throw new TypeError("Expected a query, received a cursor, which is not used here.");
  }

  return { query, release: () => client.release(isUnusable) };
}

/** Cuts the connection where a query is under way. */
function destroy(client: pg.PoolClient): void {
  if (client instanceof pg.Client) client.end().catch(() => undefined);
}

/** PostgreSQL ends a statement itself, unless its host or the network hangs. */
function answerTimeout(databaseUrl: string, timeouts: DatabaseTimeouts): { readonly query_timeout?: number } {
  const asked = new URL(databaseUrl).searchParams.get("statement_timeout");
  const statementMs = asked === null ? timeouts.statement_timeout : Number(asked);
  return statementMs > 0 ? { query_timeout: statementMs + overdueMs } : {};
}

/** The same server, another database. */
export function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
