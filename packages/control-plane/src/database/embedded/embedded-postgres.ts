import { existsSync } from "node:fs";
import path from "node:path";
import { ControlPlaneError } from "../../errors/control-plane-error.ts";
import { withDatabase } from "../connection.ts";
import { postgresAccount } from "./account.ts";
import { lendBinaries, locateBinaries } from "./binaries.ts";
import { prepareDataDirectory, prepareFolder, superuser } from "./data-directory.ts";
import { claim, type Ownership } from "./owner.ts";
import { createPostgresProcess, socketAddress } from "./postgres-process.ts";

/** Where and how PostgreSQL is to run. */
export interface EmbeddedPostgresOptions {
  /** The folder in which PostgreSQL's own folder is made. */
  readonly data: string;
  /** Settings of the server beyond our own, by their PostgreSQL names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when PostgreSQL has died and cannot be restarted yet. It is retried. @default nothing is reported */
  readonly onError?: (error: unknown) => void;
}

/** A PostgreSQL that runs. */
export interface EmbeddedPostgres {
  /** Reaches it through a socket which only its account and root can open. */
  readonly databaseUrl: string;
  /** Resolves when PostgreSQL has written everything out and ended. */
  stop(): Promise<void>;
  /** Asks PostgreSQL to stop, without waiting: for a process that is about to end. */
  abandon(): void;
}

const restartDelayMs = 500;

/**
 * Starts a PostgreSQL of our own, or takes over the one that a killed creditgate has left running. It is stopped only
 * by us: it runs in a session of its own, so that a Ctrl-C reaches us only. If it dies it is started again.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const data = path.resolve(options.data);
  const installed = await locateBinaries();
  const account = await postgresAccount(data);
  await prepareFolder(data, account);
  const binaries = await lendBinaries(installed, data, account);
  const dataDirectory = await prepareDataDirectory(data, binaries, account);
  const address = await socketAddress(dataDirectory, superuser);
  const databaseUrl = withDatabase(address.url, "postgres");
  const server = createPostgresProcess({
    binary: binaries.postgres,
    dataDirectory,
    log: path.join(data, "postgres.log"),
    account,
    databaseUrl,
    settings: options.settings ?? {},
  });

  let stopping = false;
  let ownership: Ownership;
  try {
    await server.ensureRunning();
    ownership = await claim(databaseUrl, data);
  } catch (error) {
    await address.release();
    throw error;
  }

  const supervise = async (): Promise<void> => {
    while (!stopping) {
      await ownership.lost;
      if (stopping) return;
      try {
        await server.ensureRunning();
        ownership = await claim(databaseUrl, data);
      } catch (error) {
        options.onError?.(error);
        await new Promise((resolve) => setTimeout(resolve, restartDelayMs).unref());
      }
    }
  };
  const supervision = supervise();

  return {
    databaseUrl,
    async stop() {
      if (stopping) return;
      stopping = true;
      await ownership.release();
      await supervision;
      await server.stop();
      await address.release();
    },
    abandon: () => server.signal("SIGINT"),
  };
}

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
