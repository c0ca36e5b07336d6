import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
  type Transaction,
} from "kysely";
import pg from "pg";
import { errorCode } from "../errors/control-plane-error.ts";
import type { Clock } from "../time/clock.ts";
import { type Polling, startPolling } from "../time/polling.ts";
import type { Tables } from "./tables.ts";

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

const endsSession = /^(08...|25006|25P03|57P0[1-5])$/;

/**
 * A connection for one user of the pool. It is not used again where it may still be busy with the last query, where the
 * server has ended its session, whose socket closes only later, or where its session can only read: after a failover the
 * next one may reach the new primary.
 */
function lease(client: pg.PoolClient): PostgresPoolClient {
  let isUnusable = false;

  async function run(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      isUnusable ||= isReadTimeout(error) || endsSession.test(errorCode(error) ?? "");
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

/**
 * SQLSTATEs of what passes: 08 the connection, 25006 a server that can only read, as after a failover, 40001 and 40P01
 * transactions in each other's way, 53 no memory, disk or connections, 55P03 a lock that is not had in time, 57014 a
 * statement that takes too long, 57P a server that stops or starts, 58030 a disk that fails; 28000, 28P01 and 3D000 a
 * connection that is refused, until an operator has mended that. Then those of the network, and of TLS: a certificate that
 * has expired, or that is not trusted.
 */
const passing =
  /^(08...|25006|25P03|28000|28P01|3D000|40001|40P01|53...|55P03|57014|57P0[1-5]|58030|ECONNREFUSED|ECONNRESET|ECONNABORTED|EHOSTUNREACH|ENETUNREACH|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPROTO|ERR_TLS_CERT_ALTNAME_INVALID|CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

/**
 * What pg says without a code, or with one of many meanings: 55000, and 23514 of a row whose partition was made while it was
 * on its way to the default one. The last two: a process that is being stopped.
 */
const passingMessages =
  /violates partition constraint|Connection terminated|The server does not support SSL connections|is not currently accepting connections|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Client was closed and is not queryable|Cannot use a pool after calling end|driver has already been destroyed/;

/** Whether an error says that PostgreSQL cannot do it now, as opposed to a query that is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (passing.test(errorCode(error) ?? "")) return true;
  return passingMessages.test(error.message);
}

/** Whether a lock was not had in time, or a statement took too long: it may be about one row, as opposed to an outage. */
export function tookTooLong(error: unknown): boolean {
  return /^(55P03|57014)$/.test(errorCode(error) ?? "");
}

/** Why PostgreSQL cannot do it, in one line: its own words, or the code of the network. */
export function unavailableReason(error: unknown): string {
  const code = errorCode(error);
  if (!(error instanceof Error)) return String(error);
  if (code === undefined) return error.message;
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? `${error.message} (${code})` : code;
}

/** Whether PostgreSQL has not answered in time: its connection may still be busy with the query. */
function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** Remembers that PostgreSQL could not write, which reading does not show. */
export interface WriteFailures {
  /** Takes any error, and notes those of a disk. */
  note(error: unknown): void;
  /** What PostgreSQL said last, if that is a few seconds ago at most. */
  recent(): string | undefined;
}

/** 53100 a disk that is full, 58030 one that fails. */
const ofDisk = new Set(["53100", "58030"]);
/** Longer than from one check of a load balancer to the next. */
const rememberedMs = 5_000;

export function createWriteFailures(clock: Clock): WriteFailures {
  let last: { readonly at: number; readonly message: string } | undefined;
  return {
    note(error) {
      if (!(error instanceof Error) || !ofDisk.has(errorCode(error) ?? "")) return;
      last = { at: clock.now(), message: error.message };
    },
    recent() {
      return last !== undefined && clock.now() - last.at < rememberedMs ? last.message : undefined;
    },
  };
}

/** How often the database is asked whether it is in reach. */
const watchMs = 1_000;

/** Reports once that the database is out of reach, and once that it is back. */
export function watchDatabase(database: Database, clock: Clock, onNotice: (line: string) => void): Polling {
  let since: number | undefined;
  const pass = async (): Promise<void> => {
    try {
      await sql`select`.execute(database);
    } catch (error) {
      if (since !== undefined) return;
      since = clock.now();
      onNotice(`database: out of reach, requests are answered 503: ${unavailableReason(error)}`);
      return;
    }
    if (since === undefined) return;
    onNotice(`database: back after ${Math.round((clock.now() - since) / 1_000)} s`);
    since = undefined;
  };
  return startPolling(pass, { pollMs: watchMs, onError: undefined });
}
