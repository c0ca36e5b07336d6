import { ControlPlaneError } from "../control-plane-error.ts";
import { errorCode } from "../error-code.ts";
import { type Connection, connect, type DatabaseTimeouts } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { isUnavailable } from "./unavailable.ts";

/** Connects to a database and brings its schema up to date; a `ControlPlaneError` tells that it cannot be reached. */
export async function openDatabase(
  databaseUrl: string,
  maxConnections?: number,
  timeouts?: DatabaseTimeouts,
): Promise<Connection> {
  // A migration may take any time, and so may the one of another replica that it waits for.
  const setup = connect(databaseUrl, 1);
  try {
    await migrate(setup.pool);
    return connect(databaseUrl, maxConnections, timeouts);
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
