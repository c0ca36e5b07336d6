import type { Database } from "../database/connection.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import { startPeriodWorker } from "../periods/worker.ts";
import { type SettlementWorker, startSettlementWorker } from "../settlement/worker.ts";
import type { Clock } from "../time/clock.ts";
import { startPolling } from "../time/polling.ts";
import { startVoiceSweep } from "../voice/sweep.ts";
import { noteMissedOpenings } from "../wallets/missing-wallets.ts";

export interface BackgroundOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** When billing periods end, for organisations that have no settings of their own. */
  readonly periodSettings: PeriodSettings;
  /** How often to look for what other processes have accepted. */
  readonly pollMs?: number;
  readonly onError: (error: unknown) => void;
}

/** How often to look for usage that waits for a wallet which was opened unnoted. */
const reopenMs = 60_000;

/** The work that no request waits for; any number of processes may do it on one database. */
export function startBackground(options: BackgroundOptions): SettlementWorker {
  const { database, clock, metrics, periodSettings, onError } = options;
  const periods = startPeriodWorker({ database, clock, defaults: periodSettings, onError });
  const calls = startVoiceSweep({ database, clock, onError });
  const settlement = startSettlementWorker({
    ...options,
    onSettled(events) {
      const now = clock.now();
      for (const { outcome, receivedAt } of events) {
        metrics.settled.add(1, { outcome });
        metrics.settlementLag.observe(Math.max(0, now - receivedAt.getTime()) / 1_000);
      }
    },
  });
  const reopening = startPolling(
    async () => {
      if (await noteMissedOpenings(database)) settlement.wake(new Date(0));
    },
    { pollMs: reopenMs, onError },
  );
  return {
    ...settlement,
    async stop() {
      await Promise.all([settlement.stop(), periods.stop(), calls.stop(), reopening.stop()]);
    },
  };
}
