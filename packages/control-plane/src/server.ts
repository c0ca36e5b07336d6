import type { RequestListener } from "node:http";
import { createApp } from "./app.ts";
import { startBackground } from "./background.ts";
import { defaultPeriodSettings, type PeriodSettings } from "./billing/period-settings.ts";
import { type Clock, systemClock } from "./clock.ts";
import { openDatabase } from "./database/open.ts";
import type { Fixture } from "./fixture/fixture.ts";
import { loadFixture } from "./fixture/load.ts";
import { parseFixture } from "./fixture/schema.ts";
import type { AdminToken } from "./http/admin-authentication.ts";
import { listen } from "./http/listener.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { createOperationsApp } from "./operations-app.ts";

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
  /** When billing periods end, where an organisation has no settings. @default the first of the month, UTC */
  readonly periodSettings?: PeriodSettings;
  /** Who may use `/admin/api`. @default nobody: it is not there then */
  readonly adminTokens?: readonly AdminToken[];
  /** Whether this process settles as well; without it `startWorker` must run elsewhere. @default true */
  readonly settlement?: boolean;
  /**
   * Port for `/health`, `/ready` and `/metrics`, 0 to 65535; 0 takes a free one. @default none: `/metrics` is on the
   * API's port then, where that is open to this machine only
   */
  readonly metricsPort?: number;
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
  /** Where the metrics are, if a port of their own was asked for. */
  readonly metricsUrl: string | undefined;
  /** The API key that was generated for a new organisation whose fixture has none; it is not shown again. */
  readonly generatedApiKey: string | undefined;
  /** Resolves when all accepted usage is settled; rejects if the server is stopped before, or settles nothing. */
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
  const {
    host = "127.0.0.1",
    port = 4000,
    metricsPort,
    settlement = true,
    settlementDelayMs = 1_000,
    rateLimitPerSecond = 10_000,
    periodSettings = defaultPeriodSettings,
    adminTokens = [],
  } = options;
  const fixture = options.fixture === undefined ? undefined : parseFixture(options.fixture);
  const connection = await openDatabase(options.databaseUrl, options.maxConnections);
  const { database } = connection;
  /** What has been started, the last one first. */
  const stops: ((graceMs: number) => Promise<void>)[] = [connection.close];
  const stop = async (graceMs = 10_000): Promise<void> => {
    for (const stopNext of stops) await stopNext(graceMs);
  };
  try {
    const now = new Date(clock.now());
    const loaded = fixture === undefined ? undefined : await loadFixture(database, fixture, now);
    const metrics = createMetrics(connection, clock);
    const background = settlement
      ? startBackground({ database, clock, metrics, periodSettings, onError })
      : undefined;
    if (background !== undefined) stops.unshift(() => background.stop());

    const onAccepted = (dueAt: Date): void => {
      metrics.accepted.add();
      background?.wake(dueAt);
    };
    const exposed = metricsPort !== undefined || !isLoopback(host);
    const app = createApp({
      database,
      clock,
      settlementDelayMs,
      rateLimitPerSecond,
      periodSettings,
      adminTokens,
      onAccepted,
      metrics,
      servesMetrics: !exposed,
      onError,
    });
    const listener = await listen(intercept(app), { host, port });
    stops.unshift((graceMs) => listener.drain(graceMs));
    let metricsUrl: string | undefined;
    if (metricsPort !== undefined) {
      const operations = createOperationsApp({ database, metrics, onError });
      const second = await listen(operations, { host, port: metricsPort });
      stops.unshift((graceMs) => second.drain(graceMs));
      metricsUrl = second.url;
    }
    return {
      url: listener.url,
      metricsUrl,
      generatedApiKey: loaded?.generatedApiKey,
      settled: () =>
        background?.settled() ?? Promise.reject(new Error("This server was started without settlement.")),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}
