import type pg from "pg";
import { packageVersion } from "../server/version.ts";
import { databaseGauges } from "./database-gauges.ts";
import {
  createDatabaseReadings,
  type DatabaseReadings,
  type DatabaseReadingsOptions,
} from "./database-readings.ts";
import { type Counter, createExposition, type Exposition, type Histogram } from "./exposition.ts";

/** What a process of the control plane tells of its work. */
export interface Metrics {
  readonly accepted: Counter;
  readonly settled: Counter;
  readonly refusedRequests: Counter;
  readonly refusedConnections: Counter;
  readonly webhookAttempts: Counter;
  readonly autoTopUps: Counter;
  readonly listReads: Counter;
  /** Seconds. */
  readonly settlementLag: Histogram;
  /** Seconds. */
  readonly requestDuration: Histogram;
  /** Prometheus' text format. What the database cannot be asked for is left out. */
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
  const exposition = createExposition();
  const read = createDatabaseReadings(options);
  let readings: DatabaseReadings = { isUp: false, values: new Map() };
  tellProcess(exposition, options.pools);
  exposition.gauge(
    "creditgate_database_up",
    "1 if the database answered what this scrape asked of it, in time, else 0.",
    () => [{ value: readings.isUp ? 1 : 0 }],
  );
  for (const { name, help } of databaseGauges) {
    exposition.gauge(name, help, () => readings.values.get(name) ?? []);
  }
  return {
    accepted: exposition.counter(
      "creditgate_usage_accepted_total",
      "Usage events that this process has stored, calls of voice included.",
    ),
    settled: exposition.counter(
      "creditgate_usage_settled_total",
      "Usage events that this process has settled, by outcome.",
    ),
    refusedRequests: exposition.counter(
      "creditgate_requests_refused_total",
      "Requests, and reports of batches, that this process has answered with an error, by its code and status.",
    ),
    refusedConnections: exposition.counter(
      "creditgate_connections_refused_total",
      "Connections of clients that were closed as they came, by whose were too many: those of an address, or all.",
    ),
    webhookAttempts: exposition.counter(
      "creditgate_webhook_attempts_total",
      "Attempts of this process to tell an endpoint of an event: delivered, failed, or failed and given up.",
    ),
    autoTopUps: exposition.counter(
      "creditgate_auto_top_ups_total",
      "Tries of this process to order credits for a wallet below its threshold: ordered, or failed.",
    ),
    listReads: exposition.counter(
      "creditgate_list_reads_total",
      "Lists and sums that this process has read beside a replica: from the replica, or from the primary, which has more.",
    ),
    settlementLag: exposition.histogram(
      "creditgate_settlement_lag_seconds",
      "From accepting a usage event to settling it.",
      lagBounds,
    ),
    requestDuration: exposition.histogram(
      "creditgate_http_request_duration_seconds",
      "From the head of a request to the end of its answer, by route.",
      durationBounds,
    ),
    async render() {
      readings = await read();
      return exposition.render();
    },
  };
}

/** What is told without the database. */
function tellProcess(exposition: Exposition, pools: MetricsOptions["pools"]): void {
  const build = { version: packageVersion(), node: process.versions.node };
  exposition.gauge("creditgate_build_info", "1, with the versions of this process.", () => [
    { value: 1, labels: build },
  ]);
  const startedAt = Math.round(performance.timeOrigin) / 1_000;
  exposition.gauge(
    "process_start_time_seconds",
    "When this process started, in seconds since the Unix epoch.",
    () => [{ value: startedAt }],
  );
  exposition.gauge("process_resident_memory_bytes", "Memory of this process, in bytes.", () => [
    { value: process.memoryUsage.rss() },
  ]);
  exposition.gauge(
    "creditgate_database_connections",
    "Connections of this process to PostgreSQL, and who waits for one, by what they are for.",
    () =>
      Object.entries(pools).flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
        { value: totalCount - idleCount, labels: { pool, state: "busy" } },
        { value: idleCount, labels: { pool, state: "idle" } },
        { value: waitingCount, labels: { pool, state: "waiting" } },
      ]),
  );
  exposition.gauge(
    "creditgate_database_connections_max",
    "Connections to PostgreSQL that this process opens at most, by what they are for.",
    () => Object.entries(pools).map(([pool, { options }]) => ({ value: options.max, labels: { pool } })),
  );
}
