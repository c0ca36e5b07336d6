import type pg from "pg";
import { ControlPlaneError, errorCode } from "../errors/control-plane-error.ts";
import { grantedTables } from "./app-role.ts";
import {
  type Connection,
  connect,
  type DatabaseTimeouts,
  isUnavailable,
  unavailableReason,
} from "./connection.ts";
import { hasSchema, type MigrateOptions, migrate, migrations, missingSteps } from "./migrate.ts";
import type { Migration } from "./migration.ts";

/**
 * Connects to a database that is Creditgate's already; a `ControlPlaneError` refuses one of something else, or one of an
 * older version, in which nothing is changed.
 */
export async function openExisting(databaseUrl: string, maxConnections: number): Promise<Connection> {
  await setUp(databaseUrl, async (pool) => {
    if (!(await hasSchema(pool))) {
      throw new ControlPlaneError(
        "config_invalid",
        "DATABASE_URL or --data: expected a database of creditgate, received one without its tables. Name the one that creditgate serve uses; serve and migrate create the tables.",
      );
    }
    const steps = await missingSteps(pool);
    if (steps.length > 0) throw older(steps);
  });
  return connect(databaseUrl, maxConnections);
}

function older(steps: readonly Migration[]): ControlPlaneError {
  const versions = steps.map(({ version }) => version).join(", ");
  return new ControlPlaneError(
    "database_older",
    `database: expected a schema that is up to date, received one without version ${versions}. Run creditgate migrate (or start creditgate serve) of this version first, or this command of the version that serves`,
  );
}

export interface OpenOptions extends Pick<MigrateOptions, "signal" | "onWait"> {
  readonly timeouts?: DatabaseTimeouts;
}

/** Connects to a database and brings its schema up to date. Throws a `ControlPlaneError` if it cannot be reached. */
export async function openDatabase(
  databaseUrl: string,
  maxConnections?: number,
  { timeouts, ...waiting }: OpenOptions = {},
): Promise<Connection> {
  await setUp(databaseUrl, async (pool) => {
    await migrate(pool, migrations, waiting);
    await checkRights(pool);
  });
  return connect(databaseUrl, maxConnections, timeouts);
}

/** Without timeouts: a step may take any time. */
async function setUp(databaseUrl: string, step: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const setup = connect(databaseUrl, 1);
  try {
    await greet(setup.pool);
    await step(setup.pool);
  } catch (cause) {
    if (cause instanceof ControlPlaneError) throw cause;
    if (errorCode(cause) === insufficientPrivilege) throw mayNotMigrate(cause);
    if (!isUnavailable(cause)) throw cause;
    throw new ControlPlaneError(
      "database_unreachable",
      `DATABASE_URL: expected a PostgreSQL that can be reached, received: ${unavailableReason(cause)}`,
      { cause },
    );
  } finally {
    await setup.close();
  }
}

/** What a refused connection shows about the URL. */
const refusals: Readonly<Record<string, readonly [expected: string, fix: string]>> = {
  "3D000": ["a database that exists", "Create it first, or name another."],
  "28000": ["a role that may connect", "Name one that may, or let it in by pg_hba.conf."],
  "28P01": ["the role's password", "Correct it."],
  "22023": ["parameters with values that PostgreSQL takes", "Correct the part after the ? of the URL."],
  "42704": ["parameters that PostgreSQL knows", "Correct the part after the ? of the URL."],
};

/** Makes the first connection: what is refused here is the URL's fault, and not that of a later statement. */
async function greet(pool: pg.Pool): Promise<void> {
  try {
    await pool.query("select");
  } catch (cause) {
    const refusal = refusals[errorCode(cause) ?? ""];
    if (refusal === undefined) throw cause;
    const [expected, fix] = refusal;
    throw new ControlPlaneError(
      "config_invalid",
      `DATABASE_URL: expected ${expected}, received: ${unavailableReason(cause)}. ${fix}`,
      { cause },
    );
  }
}

/** A table that came with a migration, and that the role got no rights on, would fail requests and settlement later. */
async function checkRights(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    "select name from unnest($1::text[]) as name where has_table_privilege(to_regclass(name), 'select') is not true",
    [grantedTables],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(", ");
  throw new ControlPlaneError(
    "database_older",
    `DATABASE_URL: expected a role that may use the tables, received one that may not read ${names}. ${grantFirst}`,
  );
}

const grantFirst = "Run creditgate migrate --app-role ROLE first, with the DATABASE_URL of the owner.";

const insufficientPrivilege = "42501";

function mayNotMigrate(cause: unknown): ControlPlaneError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ControlPlaneError(
    "database_older",
    `DATABASE_URL: expected a schema that is up to date, or a role that may change it, received: ${why}. ${grantFirst}`,
    { cause },
  );
}
