import { sql } from "kysely";
import type { Connection } from "../database/connection.ts";
import type { Clock } from "../time/clock.ts";
import { type Counter, createExposition, type Histogram } from "./exposition.ts";

/** What a process of the control plane tells of its work. */
export interface Metrics {
  readonly accepted: Counter;
  readonly settled: Counter;
  readonly refusedConnections: Counter;
  readonly webhookAttempts: Counter;
  /** Seconds. */
  readonly settlementLag: Histogram;
  /** Seconds. */
  readonly requestDuration: Histogram;
  /** Prometheus' text format. Rejects if the database cannot be asked. */
  render(): Promise<string>;
}

const lagBounds = [0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 300, 3600];
const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(
  { database, pool }: Pick<Connection, "database" | "pool">,
  clock: Clock,
): Metrics {
  const exposition = createExposition();
  exposition.gauge(
    "creditgate_settlement_queue_depth",
    "Usage events that are accepted and not settled, in the whole database.",
    async () => {
      const { rows } = await sql<{ depth: bigint }>`
        select count(*) as depth from usage_events where settled_at is null`.execute(database);
      return [{ value: Number(rows[0]?.depth ?? 0n) }];
    },
  );
  exposition.gauge(
    "creditgate_settlement_overdue_seconds",
    "How long the oldest usage event that is not settled, and has not failed, has been due, in the whole database.",
    async () => {
      const { rows } = await sql<{ due: Date | null }>`
        select min(due_at) as due from usage_events
         where settled_at is null
           and (org_id, usage_id) not in (select org_id, usage_id from settlement_failures)`.execute(
        database,
      );
      const due = rows[0]?.due?.getTime() ?? Number.POSITIVE_INFINITY;
      return [{ value: Math.max(0, clock.now() - due) / 1_000 }];
    },
  );
  exposition.gauge(
    "creditgate_settlement_failures",
    "Usage events that could not be settled when they were tried last, in the whole database.",
    async () => {
      const { rows } = await sql<{ failures: bigint }>`
        select count(*) as failures from settlement_failures`.execute(database);
      return [{ value: Number(rows[0]?.failures ?? 0n) }];
    },
  );
  exposition.gauge(
    "creditgate_usage_unbilled",
    "Usage events that were accepted and that no wallet has paid, by the reason, in the whole database.",
    async () => {
      const { rows } = await sql<{ reason: string; events: bigint }>`
        select outcome as reason, count(*) as events from usage_events
         where outcome in ('wallet_missing', 'out_of_range')
         group by outcome`.execute(database);
      return ["wallet_missing", "out_of_range"].map((reason) => ({
        value: Number(rows.find((row) => row.reason === reason)?.events ?? 0n),
        labels: { reason },
      }));
    },
  );
  exposition.gauge(
    "creditgate_voice_sessions_abandoned",
    "Voice calls with tracked usage that got no indicator and cannot be billed without one, in the whole database.",
    async () => {
      const { rows } = await sql<{ calls: bigint }>`
        select count(*) as calls from voice_sessions as session
         where closed_at is null and abandoned_at is not null
           and exists (select from voice_usage as part
                        where part.org_id = session.org_id and part.session_id = session.session_id)`.execute(
        database,
      );
      return [{ value: Number(rows[0]?.calls ?? 0n) }];
    },
  );
  exposition.gauge(
    "creditgate_period_failures",
    "Wallets and organisations whose period could not be invoiced when it was tried last, in the whole database.",
    async () => {
      const { rows } = await sql<{ failures: bigint }>`
        select count(*) as failures from period_failures`.execute(database);
      return [{ value: Number(rows[0]?.failures ?? 0n) }];
    },
  );
  exposition.gauge(
    "creditgate_webhook_queue_depth",
    "Events that endpoints have not been told of yet, once for each endpoint, in the whole database.",
    async () => {
      const { rows } = await sql<{ depth: bigint }>`
        select coalesce(sum(waiting), 0) as depth from webhook_streams where waiting > 0`.execute(database);
      return [{ value: Number(rows[0]?.depth ?? 0n) }];
    },
  );
  exposition.gauge(
    "creditgate_webhook_oldest_seconds",
    "How long ago the oldest event happened that an endpoint has not been told of, in the whole database.",
    async () => {
      const { rows } = await sql<{ oldest: Date | null }>`
        select min(created_at) as oldest from webhook_deliveries where status = 'pending'`.execute(database);
      const oldest = rows[0]?.oldest?.getTime() ?? Number.POSITIVE_INFINITY;
      return [{ value: Math.max(0, clock.now() - oldest) / 1_000 }];
    },
  );
  exposition.gauge(
    "creditgate_webhook_endpoints_disabled",
    "Endpoints that are disabled because they failed for days, or have answered 410, in the whole database.",
    async () => {
      const { rows } = await sql<{ endpoints: bigint }>`
        select count(*) as endpoints from webhook_endpoints where disabled_why in ('failing', 'gone')`.execute(
        database,
      );
      return [{ value: Number(rows[0]?.endpoints ?? 0n) }];
    },
  );
  exposition.gauge(
    "creditgate_database_connections",
    "Connections of this process to PostgreSQL, and requests that wait for one.",
    () => [
      { value: pool.totalCount - pool.idleCount, labels: { state: "busy" } },
      { value: pool.idleCount, labels: { state: "idle" } },
      { value: pool.waitingCount, labels: { state: "waiting" } },
    ],
  );
  return {
    accepted: exposition.counter(
      "creditgate_usage_accepted_total",
      "Usage events that this process has stored, calls of voice included.",
    ),
    settled: exposition.counter(
      "creditgate_usage_settled_total",
      "Usage events that this process has settled, by outcome.",
    ),
    refusedConnections: exposition.counter(
      "creditgate_connections_refused_total",
      "Connections of clients that were closed as they came, by whose were too many: those of an address, or all.",
    ),
    webhookAttempts: exposition.counter(
      "creditgate_webhook_attempts_total",
      "Attempts of this process to tell an endpoint of an event: delivered, failed, or failed and given up.",
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
    render: exposition.render,
  };
}
