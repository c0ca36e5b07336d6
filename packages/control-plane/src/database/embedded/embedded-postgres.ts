import path from "node:path";
import { withDatabase } from "../connection.ts";
import { postgresAccount } from "./account.ts";
import { lendBinaries, locateBinaries } from "./binaries.ts";
import { prepareDataDirectory, prepareFolder, superuser } from "./data-directory.ts";
import { claim, type Ownership } from "./owner.ts";
import { createPostgresProcess } from "./postgres-process.ts";
import { socketAddress } from "./socket.ts";

/** Where and how PostgreSQL is to run. */
export interface EmbeddedPostgresOptions {
  /** The folder in which PostgreSQL's own folder is made. */
  readonly data: string;
  /** Settings of the server beyond our own, by their PostgreSQL names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Told when PostgreSQL has died and cannot be started again yet; it goes on trying. @default nothing is told */
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
