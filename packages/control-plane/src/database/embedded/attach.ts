import path from "node:path";
import { ControlPlaneError } from "../../control-plane-error.ts";
import { withDatabase } from "../connection.ts";
import { superuser } from "./data-directory.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { socketAddress } from "./socket.ts";

/** The PostgreSQL of a data directory for a moment: the one that `creditgate serve` runs there now, or one of ours. */
export async function attachEmbeddedPostgres(
  data: string,
  onError: (error: unknown) => void,
): Promise<Pick<EmbeddedPostgres, "databaseUrl" | "stop">> {
  try {
    return await startEmbeddedPostgres({ data, onError });
  } catch (error) {
    const isServed = error instanceof ControlPlaneError && error.code === "data_directory_in_use";
    if (!isServed) throw error;
    const address = await socketAddress(path.join(path.resolve(data), "postgres"), superuser);
    return { databaseUrl: withDatabase(address.url, "postgres"), stop: address.release };
  }
}
