import { setTimeout } from "node:timers/promises";
import { backgroundTimeouts, isUnavailable } from "../database/connection.ts";
import { startClock } from "../database/database-clock.ts";
import { openDatabase } from "../database/open.ts";
import { type Listener, listen } from "../http/listener.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { defaultPeriodSettings, type PeriodSettings } from "../periods/settings.ts";
import { type Clock, deadlineIn } from "../time/clock.ts";
import type { WebhookRules } from "../webhooks/sender.ts";
import { startBackground } from "./background.ts";
import { createOperationsApp } from "./operations-app.ts";

/** How a worker is started. */
export interface WorkerOptions {
  /** The PostgreSQL database, as a `postgres://` URL. It is migrated at the start. */
  readonly databaseUrl: string;
  /** Port for `/health`, `/ready` and `/metrics`, 0 to 65535; 0 takes a free one. @default none */
  readonly metricsPort?: number | undefined;
  /** Address to listen on, with `metricsPort`. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** Connections to PostgreSQL at most. @default 4 */
  readonly maxConnections?: number | undefined;
  /** When billing periods end, where an organisation has no settings. @default the first of the month, UTC */
  readonly periodSettings?: PeriodSettings | undefined;
  /** Where webhooks may go. @default by https to public addresses */
  readonly webhooks?: WebhookRules | undefined;
  /** Where the time comes from. @default the database's clock, which all replicas share; it is asked every 10 s */
  readonly clock?: Clock | undefined;
  /** Ends the start while a migration waits or runs, which rejects with its reason. @default nothing does */
  readonly signal?: AbortSignal | undefined;
  /** Called with unexpected errors. @default nothing is reported */
  readonly onError?: (error: unknown) => void;
  /** Called with one line for operators: a wrong clock. @default nothing is reported */
  readonly onNotice?: (line: string) => void;
}

/** A process that settles what others accept. */
export interface RunningWorker {
  /** Where health, readiness and metrics are, if a port was asked for. */
  readonly metricsUrl: string | undefined;
  /** Resolves when all accepted usage is settled; rejects if the worker is stopped before. */
  settled(): Promise<void>;
  /** Ends the batch under way and closes the database; after `graceMs`, 10000 by default, the batch is cut off. */
  stop(graceMs?: number): Promise<void>;
}

/** How long usage that is due waits for a worker that has nothing to do. */
const pollMs = 200;

/**
 * Starts a worker without an API: it does what is done in the background, and any number of them share it. Rejects with
 * a `ControlPlaneError` if the port is taken, or the database cannot be reached or is newer than this version.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { databaseUrl, host = "127.0.0.1", metricsPort, maxConnections = 4 } = options;
  const { periodSettings = defaultPeriodSettings, webhooks } = options;
  let isDraining = false;
  const onError = (error: unknown): void => {
    // A batch that is under way when the time to stop is over loses its connection.
    if (!(isDraining && isUnavailable(error))) options.onError?.(error);
  };
  const connection = await openDatabase(databaseUrl, maxConnections, {
    timeouts: backgroundTimeouts,
    signal: options.signal,
    onWait: onError,
  });
  const { database } = connection;
  const clock = await startClock(options.clock, database, options.onNotice).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const metrics = createMetrics({
    database,
    pools: { background: connection.pool },
    clock,
    periodSettings,
    onError,
  });
  let operations: Listener | undefined;
  try {
    if (metricsPort !== undefined) {
      const app = createOperationsApp({ database, metrics, isDraining: () => isDraining, onError });
      operations = await listen(app, { host, port: metricsPort });
    }
  } catch (error) {
    await clock.stop();
    await connection.close();
    throw error;
  }
  const background = startBackground({
    database,
    clock,
    metrics,
    periodSettings,
    webhooks,
    pollMs,
    onError,
  });
  return {
    metricsUrl: operations?.url,
    settled: background.settled,
    async stop(graceMs = 10_000) {
      const deadline = deadlineIn(graceMs);
      isDraining = true;
      const settled = Promise.all([background.stop(), clock.stop()]);
      await operations?.drain(0);
      // Ending the pool now would take the connection from between two steps of the batch.
      await Promise.race([settled, setTimeout(deadline.left(), undefined, { ref: false })]);
      await connection.close(deadline.left());
      await settled;
    },
  };
}
