import { invalidOption } from "@creditgate/core/adapter";

/** A pool of `pg`, or anything else with this method of it. */
export interface PgPool {
  query(text: string, values?: string[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** What `postgres()` of postgres.js returns. */
export interface PostgresJs {
  unsafe(text: string, values?: string[]): PromiseLike<readonly unknown[]>;
}

/** A row as the database gives it: columns by name. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Runs one statement, or several without values, in a transaction of their own. Values are text, which every driver sends as it
 * is; a statement has no name and needs no session, so that a pooler may give each to another connection.
 */
export type Query = (text: string, values?: readonly string[]) => Promise<readonly Row[]>;

/** The one way in which both drivers are called. Throws `invalid_option` for what is neither. */
export function queryOf(sql: PgPool | PostgresJs): Query {
  if (has(sql, "unsafe")) {
    return async (text, values) =>
      (await (values === undefined ? sql.unsafe(text) : sql.unsafe(text, [...values]))).map(row);
  }
  if (has(sql, "query")) {
    return async (text, values) => {
      const { rows } = await (values === undefined ? sql.query(text) : sql.query(text, [...values]));
      return rows.map(row);
    };
  }
  return invalidOption("sql", "a Pool of pg, or what postgres() of postgres.js returns", sql);
}

/** Whether this is what the option `sql` takes. */
export function isDriver(value: unknown): boolean {
  return has(value, "unsafe") || has(value, "query");
}

function has<Name extends string>(value: unknown, name: Name): value is { [Key in Name]: unknown } {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && typeof (value as Readonly<Record<string, unknown>>)[name] === "function";
}

/** The boundary at which what a driver has answered becomes a row. */
function row(answer: unknown): Row {
  return typeof answer === "object" && answer !== null ? (answer as Row) : {};
}
