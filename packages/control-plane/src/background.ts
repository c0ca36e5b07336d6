import { type SettlementWorker, startSettlementWorker } from "./billing/settlement-worker.ts";
import type { Clock } from "./clock.ts";
import type { Database } from "./database/connection.ts";
import type { Metrics } from "./metrics/metrics.ts";

export interface BackgroundOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** How often to look for what other processes have accepted. */
  readonly pollMs?: number;
  readonly onError: (error: unknown) => void;
}

/** The work that nobody waits for; any number of processes may do it on one database. */
export function startBackground({ metrics, ...options }: BackgroundOptions): SettlementWorker {
  return startSettlementWorker({
    ...options,
    onSettled(events) {
      const now = options.clock.now();
      for (const { outcome, receivedAt } of events) {
        metrics.settled.add(1, { outcome });
        metrics.settlementLag.observe(Math.max(0, now - receivedAt.getTime()) / 1_000);
      }
    },
  });
}
