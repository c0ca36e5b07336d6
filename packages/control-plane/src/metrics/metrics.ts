import type pg from "pg";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { type Database, isUnavailable, tookTooLong } from "../database/connection.ts";
import type { Clock } from "../time/clock.ts";
import { type DatabaseGauge, databaseGauges, type GaugeContext, type Reading } from "./database-gauges.ts";
import { packageVersion } from "./version.ts";

/** The metrics of one process of the control plane. Label values are ours or from a closed set, never from a request. */
export interface Metrics {
  readonly accepted: Counter;
  readonly settled: Counter;
  readonly refusedRequests: Counter;
  readonly refusedConnections: Counter;
  readonly webhookAttempts: Counter;
  readonly autoTopUps: Counter;
  /** Seconds. */
  readonly settlementLag: Histogram;
  /** Seconds. */
  readonly requestDuration: Histogram;
  /** The media type of what `render` returns. */
  readonly contentType: string;
  /** Renders Prometheus' text format, without the gauges that the database did not answer. */
  render(): Promise<string>;
}

export interface MetricsOptions extends DatabaseReadingsOptions {
  /** The connections of this process, by what they are for. */
  readonly pools: Readonly<Record<string, Pool>>;
}

type Pool = Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount" | "options">;

const lagBounds = [0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 300, 3600];
const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: readonly string[], read: () => Reading) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        if (labelNames.length === 0) this.remove();
        for (const { value, labels = {} } of read()) this.set(labels, value);
      },
    });

  const read = createDatabaseReadings(options);
  let readings: DatabaseReadings = { isUp: false, values: new Map() };
  declareProcessGauges(gauge, options.pools);
  gauge(
    "creditgate_database_up",
    "1 if the database answered what this scrape asked of it, in time, else 0.",
    [],
    () => [{ value: readings.isUp ? 1 : 0 }],
  );
  for (const { name, help, labelNames = [] } of databaseGauges) {
    gauge(name, help, labelNames, () => readings.values.get(name) ?? []);
  }
  return {
    accepted: counter(
      "creditgate_usage_accepted_total",
      "Usage events that this process has stored, calls of voice included.",
    ),
    settled: counter(
      "creditgate_usage_settled_total",
      "Usage events that this process has settled, by outcome.",
      "outcome",
    ),
    refusedRequests: counter(
      "creditgate_requests_refused_total",
      "Requests, and reports of batches, that this process has answered with an error, by its code and status.",
      "code",
      "status",
    ),
    refusedConnections: counter(
      "creditgate_connections_refused_total",
      "Connections of clients that were closed as they came, by whose were too many: those of an address, or all.",
      "reason",
    ),
    webhookAttempts: counter(
      "creditgate_webhook_attempts_total",
      "Attempts of this process to deliver an event to an endpoint: delivered, failed, or failed and given up.",
      "outcome",
    ),
    autoTopUps: counter(
      "creditgate_auto_top_ups_total",
      "Tries of this process to order credits for a wallet below its threshold: ordered, or failed.",
      "outcome",
    ),
    settlementLag: histogram(
      "creditgate_settlement_lag_seconds",
      "From accepting a usage event to settling it.",
      lagBounds,
    ),
    requestDuration: histogram(
      "creditgate_http_request_duration_seconds",
      "From the head of a request to the end of its answer, by route.",
      durationBounds,
      "method",
      "route",
      "status",
    ),
    contentType: registry.contentType,
    async render() {
      readings = await read();
      return registry.metrics();
    },
  };
}

type DeclareGauge = (name: string, help: string, labelNames: readonly string[], read: () => Reading) => void;

/** The gauges that need no database. */
function declareProcessGauges(gauge: DeclareGauge, pools: MetricsOptions["pools"]): void {
  const build = { version: packageVersion(), node: process.versions.node };
  gauge("creditgate_build_info", "1, with the versions of this process.", ["version", "node"], () => [
    { value: 1, labels: build },
  ]);
  const startedAt = Math.round(performance.timeOrigin) / 1_000;
  gauge(
    "process_start_time_seconds",
    "When this process started, in seconds since the Unix epoch.",
    [],
    () => [{ value: startedAt }],
  );
  gauge("process_resident_memory_bytes", "Memory of this process, in bytes.", [], () => [
    { value: process.memoryUsage.rss() },
  ]);
  gauge(
    "creditgate_database_connections",
    "Connections of this process to PostgreSQL, and who waits for one, by what they are for.",
    ["pool", "state"],
    () =>
      Object.entries(pools).flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
        { value: totalCount - idleCount, labels: { pool, state: "busy" } },
        { value: idleCount, labels: { pool, state: "idle" } },
        { value: waitingCount, labels: { pool, state: "waiting" } },
      ]),
  );
  gauge(
    "creditgate_database_connections_max",
    "Connections to PostgreSQL that this process opens at most, by what they are for.",
    ["pool"],
    () => Object.entries(pools).map(([pool, { options }]) => ({ value: options.max, labels: { pool } })),
  );
}

interface DatabaseReadingsOptions extends Pick<GaugeContext, "periodSettings"> {
  readonly database: Database;
  readonly clock: Clock;
  /** @default the control plane's gauges */
  readonly gauges?: readonly DatabaseGauge[] | undefined;
  /** How long all gauges may take together, in milliseconds. @default 5000: Prometheus waits for 10 s */
  readonly deadlineMs?: number | undefined;
  /** Called with a gauge that cannot be read, once until it can. An outage is reported elsewhere. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The last values read from the database. */
interface DatabaseReadings {
  /** Whether it answered, in time. */
  readonly isUp: boolean;
  /** By the name of the gauge. Those that could not be read are left out. */
  readonly values: ReadonlyMap<string, Reading>;
}

/**
 * Reads the gauges one after the other, once for all who ask meanwhile: settlement uses the same connections. Resolves
 * at the deadline at the latest, with what was read until then, and never rejects.
 */
function createDatabaseReadings(options: DatabaseReadingsOptions): () => Promise<DatabaseReadings> {
  const { database, clock, periodSettings, onError, gauges = databaseGauges, deadlineMs = 5_000 } = options;
  const reported = new Set<string>();
  let underWay: { readonly values: Map<string, Reading>; readonly isUp: Promise<boolean> } | undefined;

  /** Rejects where the database is out of reach. */
  const readOne = async ({ name, read }: DatabaseGauge, values: Map<string, Reading>): Promise<void> => {
    try {
      values.set(name, await read(database, { now: new Date(clock.now()), periodSettings }));
      reported.delete(name);
    } catch (error) {
      if (isUnavailable(error) && !tookTooLong(error)) throw error;
      if (!reported.has(name)) onError?.(error);
      reported.add(name);
    }
  };
  const readAll = async (values: Map<string, Reading>): Promise<boolean> => {
    try {
      for (const gauge of gauges) await readOne(gauge, values);
      return true;
    } catch {
      return false;
    } finally {
      underWay = undefined;
    }
  };

  return async () => {
    if (underWay === undefined) {
      const values = new Map<string, Reading>();
      underWay = { values, isUp: readAll(values) };
    }
    const { values, isUp } = underWay;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, deadlineMs, false);
    });
    try {
      return { isUp: await Promise.race([isUp, late]), values: new Map(values) };
    } finally {
      clearTimeout(timer);
    }
  };
}
