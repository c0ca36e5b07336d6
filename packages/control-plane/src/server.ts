import type { RequestListener } from "node:http";
import { createApp } from "./app.ts";
import { startSettlementWorker } from "./billing/settlement-worker.ts";
import { type Clock, systemClock } from "./clock.ts";
import { ControlPlaneError } from "./control-plane-error.ts";
import { type Connection, connect, isUnavailable } from "./database/connection.ts";
import { migrate } from "./database/migrate.ts";
import { errorCode } from "./error-code.ts";
import type { Fixture } from "./fixture/fixture.ts";
import { loadFixture } from "./fixture/load.ts";
import { parseFixture } from "./fixture/schema.ts";
import { listen } from "./http/listener.ts";

/** How a control plane is started. */
export interface ServerOptions {
  /** The PostgreSQL database to keep everything in, as a `postgres://` URL. It is migrated at the start. */
  readonly databaseUrl: string;
  /** Address to listen on. @default "127.0.0.1" */
  readonly host?: string;
  /** Port to listen on, 0 to 65535; 0 takes a free one. @default 4000 */
  readonly port?: number;
  /** Milliseconds between accepting usage and settling it, from 0. @default 1000 */
  readonly settlementDelayMs?: number;
  /** Requests per second that each API key may make of this replica; 0 is no limit. @default 10000 */
  readonly rateLimitPerSecond?: number;
  /** An organisation with agents, customers and wallets that is there when the server is ready. */
  readonly fixture?: Fixture;
  /** Connections to PostgreSQL at most. @default 10 */
  readonly maxConnections?: number;
  /** Where the time comes from. @default the system's clock */
  readonly clock?: Clock;
  /** Told what was not foreseen. @default nobody */
  readonly onError?: (error: unknown) => void;
  /** Stands between the socket and the control plane. @default nothing does */
  readonly intercept?: (handler: RequestListener) => RequestListener;
}

/** A control plane that answers requests. */
export interface RunningServer {
  /** The base URL, with the port that was taken. */
  readonly url: string;
  /** The API key that was generated for a new organisation whose fixture has none; it is not shown again. */
  readonly generatedApiKey: string | undefined;
  /** Resolves when all accepted usage is settled; rejects if the server is stopped before. */
  settled(): Promise<void>;
  /**
   * Takes no new requests, answers those in flight (after `graceMs` they are cut off), ends the batch being settled and
   * closes the database. What is accepted and not settled is stored, and settled after the next start.
   */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Starts a control plane on a database that runs. Rejects with a `ControlPlaneError` if the fixture is wrong, the port
 * is taken, or the database cannot be reached or is newer than this version.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { clock = systemClock, onError = () => undefined, intercept = (handler) => handler } = options;
  const { host = "127.0.0.1", port = 4000, settlementDelayMs = 1_000, rateLimitPerSecond = 10_000 } = options;
  const fixture = options.fixture === undefined ? undefined : parseFixture(options.fixture);
  const connection = connect(options.databaseUrl, options.maxConnections);
  const { database } = connection;
  try {
    await prepare(connection);
    const loaded =
      fixture === undefined ? undefined : await loadFixture(database, fixture, new Date(clock.now()));
    const worker = startSettlementWorker({ database, clock, onError });
    try {
      const app = createApp({
        database,
        clock,
        settlementDelayMs,
        rateLimitPerSecond,
        onAccepted: worker.wake,
        onError,
      });
      const listener = await listen(intercept(app), { host, port });
      return {
        url: listener.url,
        generatedApiKey: loaded?.generatedApiKey,
        settled: worker.settled,
        async stop(graceMs = 10_000) {
          await listener.drain(graceMs);
          await worker.stop();
          await connection.close();
        },
      };
    } catch (error) {
      await worker.stop();
      throw error;
    }
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function prepare({ pool }: Connection): Promise<void> {
  try {
    await migrate(pool);
  } catch (cause) {
    if (!isUnavailable(cause)) throw cause;
    const why = errorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    throw new ControlPlaneError(
      "database_unreachable",
      `DATABASE_URL: expected a PostgreSQL that can be reached, received: ${why}`,
      { cause },
    );
  }
}
