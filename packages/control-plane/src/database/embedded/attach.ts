import { existsSync } from "node:fs";
import path from "node:path";
import { ControlPlaneError } from "../../errors/control-plane-error.ts";
import { withDatabase } from "../connection.ts";
import { superuser } from "./data-directory.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { socketAddress } from "./socket.ts";

/** The PostgreSQL of a data directory for a moment: the one that `creditgate serve` runs there now, or one of ours. */
export async function attachEmbeddedPostgres(
  data: string,
  onError: (error: unknown) => void,
): Promise<Pick<EmbeddedPostgres, "databaseUrl" | "stop">> {
  // A start would make the directory, and an empty database in it.
  if (!existsSync(path.join(data, "postgres"))) {
    throw new ControlPlaneError(
      "config_invalid",
      `--data: expected the data directory of a creditgate serve, received ${data}, which has no PostgreSQL in it. Name the directory, or set DATABASE_URL.`,
    );
  }
  try {
    return await startEmbeddedPostgres({ data, onError });
  } catch (error) {
    const isServed = error instanceof ControlPlaneError && error.code === "data_directory_in_use";
    if (!isServed) throw error;
    const address = await socketAddress(path.join(path.resolve(data), "postgres"), superuser);
    return { databaseUrl: withDatabase(address.url, "postgres"), stop: address.release };
  }
}
