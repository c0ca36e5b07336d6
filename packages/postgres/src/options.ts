import { checkNames, invalidOption } from "@creditgate/core/adapter";
import { isDriver, type PgPool, type PostgresJs, type Query, queryOf } from "./sql.ts";

/** Where the tables are. */
export interface PostgresOptions {
  /** A Pool of `pg`, or what `postgres()` of postgres.js returns. It stays yours: it is not closed here. */
  readonly sql: PgPool | PostgresJs;
  /**
   * The schema of the tables, created if it is missing: one for each fleet, and not the name of a role, whose other tables would go
   * there. 1 to 48 letters, digits and _. @default "creditgate_fleet"
   */
  readonly schema?: string;
}

export interface PostgresSettings {
  readonly query: Query;
  readonly schema: string;
}

/** For {@link checkOptions}. */
export const placeNames: Readonly<Record<keyof PostgresOptions, true>> = { sql: true, schema: true };

/** Refuses what is no object of these options; of a driver in their place it says where that goes. */
export function checkOptions(
  factory: string,
  options: unknown,
  names: Readonly<Record<string, true>>,
): asserts options is object {
  if (isDriver(options)) invalidOption("options", `an object: ${factory}({ sql })`, "sql itself");
  if (typeof options !== "object" || options === null) invalidOption("options", "an object", options);
  checkNames(options, names);
}

export function postgresSettings(options: PostgresOptions): PostgresSettings {
  checkOptions("a function of this package", options, placeNames);
  const { sql, schema = "creditgate_fleet" } = options;
  if (typeof schema !== "string" || !/^[A-Za-z_][A-Za-z0-9_]{0,47}$/.test(schema)) {
    invalidOption("schema", "1 to 48 letters, digits and _", schema);
  }
  return { query: queryOf(sql), schema };
}
