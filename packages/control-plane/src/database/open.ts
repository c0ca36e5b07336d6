import type pg from "pg";
import { ControlPlaneError } from "../control-plane-error.ts";
import { errorCode } from "../error-code.ts";
import { type Connection, connect, type DatabaseTimeouts } from "./connection.ts";
import { hasSchema, migrate } from "./migrate.ts";
import { isUnavailable } from "./unavailable.ts";

/**
 * Connects to a database that is Creditgate's already; a `ControlPlaneError` refuses one of something else, in which
 * nothing is created.
 */
export async function openExisting(databaseUrl: string, maxConnections: number): Promise<Connection> {
  await setUp(databaseUrl, async (pool) => {
    if (await hasSchema(pool)) return;
    throw new ControlPlaneError(
      "config_invalid",
      "DATABASE_URL or --data: expected a database of creditgate, received one without its tables. Name the one that creditgate serve uses; serve and migrate create the tables.",
    );
  });
  return openDatabase(databaseUrl, maxConnections);
}

/** Connects to a database and brings its schema up to date; a `ControlPlaneError` tells that it cannot be reached. */
export async function openDatabase(
  databaseUrl: string,
  maxConnections?: number,
  timeouts?: DatabaseTimeouts,
): Promise<Connection> {
  await setUp(databaseUrl, migrate);
  return connect(databaseUrl, maxConnections, timeouts);
}

/** A step may take any time, and so may the migration of another replica that it waits for. */
async function setUp(databaseUrl: string, step: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const setup = connect(databaseUrl, 1);
  try {
    await step(setup.pool);
  } catch (cause) {
    if (errorCode(cause) === insufficientPrivilege) throw mayNotMigrate(cause);
    if (!isUnavailable(cause)) throw cause;
    const why = errorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    throw new ControlPlaneError(
      "database_unreachable",
      `DATABASE_URL: expected a PostgreSQL that can be reached, received: ${why}`,
      { cause },
    );
  } finally {
    await setup.close();
  }
}

const insufficientPrivilege = "42501";

function mayNotMigrate(cause: unknown): ControlPlaneError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ControlPlaneError(
    "database_older",
    `DATABASE_URL: expected a schema that is up to date, or a role that may change it, received: ${why}. Run creditgate migrate --app-role ROLE first, with the DATABASE_URL of the owner.`,
    { cause },
  );
}
