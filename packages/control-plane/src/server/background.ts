import { startTopUpWorker } from "../auto-top-up/worker.ts";
import type { Database } from "../database/connection.ts";
import { keepPartitions } from "../database/partitions.ts";
import { forgetGates } from "../gates/heartbeat.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import { startPeriodWorker } from "../periods/worker.ts";
import { type SettlementWorker, startSettlementWorker } from "../settlement/worker.ts";
import type { Clock } from "../time/clock.ts";
import { startPolling } from "../time/polling.ts";
import { startVoiceSweep } from "../voice/sweep.ts";
import { reportingFailures } from "../wallets/due.ts";
import { settleGrants } from "../wallets/grants-due.ts";
import { keepHouse } from "../webhooks/housekeeping.ts";
import { startWebhookSender, type WebhookRules } from "../webhooks/sender.ts";

export interface BackgroundOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** When billing periods end, for organisations that have no settings of their own. */
  readonly periodSettings: PeriodSettings;
  readonly webhooks?: WebhookRules | undefined;
  /** How often to look for what other processes have accepted. */
  readonly pollMs?: number;
  readonly onError: (error: unknown) => void;
}

/** How often to look for events that will not be sent, or need not be kept. */
const houseMs = 10_000;

/** How often to look for grants that begin, expire or lapse. */
const grantMs = 1_000;

/** How often gates without heartbeats are deleted. */
const gateMs = 60_000;

/** How often to look whether partitions are to be made or dropped. */
const partitionMs = 60_000;

/** The work that no request waits for; any number of processes may do it on one database. */
export function startBackground(options: BackgroundOptions): SettlementWorker {
  const { database, clock, metrics, periodSettings, onError } = options;
  const periods = startPeriodWorker({ database, clock, defaults: periodSettings, onError });
  const calls = startVoiceSweep({ database, clock, onError });
  const sender = startWebhookSender({
    ...options.webhooks,
    database,
    clock,
    deliveries: metrics.webhookAttempts,
    onError,
  });
  const house = startPolling(() => keepHouse(database, new Date(clock.now())), { pollMs: houseMs, onError });
  const gates = startPolling(() => forgetGates(database, new Date(clock.now())), { pollMs: gateMs, onError });
  const topUps = startTopUpWorker({
    database,
    clock,
    defaults: periodSettings,
    orders: metrics.autoTopUps,
    onOrdered: () => sender.wake(),
    onError,
  });
  const settlement = startSettlementWorker({
    ...options,
    onSettled(events) {
      const now = clock.now();
      for (const { outcome, receivedAt } of events) {
        metrics.settled.inc({ outcome });
        metrics.settlementLag.observe(Math.max(0, now - receivedAt.getTime()) / 1_000);
      }
      topUps.wake();
      sender.wake();
    },
  });
  const grants = startPolling(
    reportingFailures(
      "grants: nothing begins or expires",
      (onFailure) => settleGrants(database, new Date(clock.now()), onFailure),
      onError,
    ),
    { pollMs: grantMs, onError },
  );
  const partitions = startPolling(() => keepPartitions(database, new Date(clock.now())), {
    pollMs: partitionMs,
    onError,
  });
  return {
    ...settlement,
    async stop() {
      const parts = [settlement, periods, calls, sender, house, topUps, grants, partitions, gates];
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
