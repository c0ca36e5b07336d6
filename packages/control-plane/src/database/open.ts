import { ControlPlaneError } from "../control-plane-error.ts";
import { errorCode } from "../error-code.ts";
import { type Connection, connect, isUnavailable } from "./connection.ts";
import { migrate } from "./migrate.ts";

/** Connects to a database and brings its schema up to date; a `ControlPlaneError` tells that it cannot be reached. */
export async function openDatabase(databaseUrl: string, maxConnections?: number): Promise<Connection> {
  const connection = connect(databaseUrl, maxConnections);
  try {
    await migrate(connection.pool);
    return connection;
  } catch (cause) {
    await connection.close();
    if (!isUnavailable(cause)) throw cause;
    const why = errorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    throw new ControlPlaneError(
      "database_unreachable",
      `DATABASE_URL: expected a PostgreSQL that can be reached, received: ${why}`,
      { cause },
    );
  }
}
