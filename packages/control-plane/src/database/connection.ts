import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { errorCode } from "../error-code.ts";
import type { Tables } from "./tables.ts";

export type Database = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;

export interface Connection {
  readonly database: Database;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** Amounts and ids come as `bigint`. Per pool, because pg's own registry belongs to the whole process. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === pg.types.builtins.INT8 && format !== "binary") return (text: string) => BigInt(text);
    return format === undefined ? pg.types.getTypeParser(oid) : pg.types.getTypeParser(oid, "text");
  },
};

/** Connects lazily: nothing is sent until the first query. */
export function connect(databaseUrl: string, maxConnections = 10): Connection {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    types,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    application_name: "creditgate",
    keepAlive: true,
  });
  // A connection that breaks fails its query, if it has one, and is replaced. Unheard, the events end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    database,
    pool,
    close: () => (pool.ended ? Promise.resolve() : pool.end()),
  };
}

/** The same server, another database. */
export function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Class 08 is the connection, 57P a server that stops or starts, 53300 one without a free connection. */
const unavailable =
  /^(08...|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/;
const unavailableMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** Whether an error says that PostgreSQL cannot be reached now, as opposed to a query that is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (unavailable.test(errorCode(error) ?? "")) return true;
  return unavailableMessages.test(error.message);
}
