import type { Counter } from "prom-client";
import type { Database } from "../database/connection.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import type { Clock } from "../time/clock.ts";
import { type Polling, startPolling } from "../time/polling.ts";
import { orderTopUps, type TopUpFailure } from "./due.ts";

export interface TopUpWorkerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly defaults: PeriodSettings;
  /** How often to look for what other processes have settled. @default 5000 */
  readonly pollMs?: number;
  /** Counts orders that were made, and tries that failed. */
  readonly orders: Counter;
  /** Called when orders were made. */
  readonly onOrdered: () => void;
  /** Called once per row of failures, and once for each wallet for which nothing can be ordered, until it can. */
  readonly onError?: (error: unknown) => void;
}

/** Orders credits for wallets as they fall below their threshold. Any number of replicas may do so at once. */
export function startTopUpWorker(options: TopUpWorkerOptions): Polling {
  const { database, clock, defaults, pollMs = 5_000, orders, onOrdered, onError } = options;
  let reported: ReadonlySet<string> = new Set();

  const pass = async (): Promise<void> => {
    const failures = new Set<string>();
    const onFailure = (failure: TopUpFailure): void => {
      orders.inc({ outcome: "failed" });
      const line = describe(failure);
      if (!reported.has(line)) onError?.(new ControlPlaneError("operator_needed", line));
      failures.add(line);
    };
    const made = await orderTopUps(database, { defaults, now: new Date(clock.now()) }, onFailure);
    reported = failures;
    if (made === 0) return;
    orders.inc({ outcome: "ordered" }, made);
    onOrdered();
  };
  return startPolling(pass, { pollMs, onError });
}

function describe({ wallet: { orgId, customerId, currency }, message }: TopUpFailure): string {
  return `auto top-up: nothing is ordered for wallet ${JSON.stringify([customerId, currency])} of organisation ${orgId}: ${message}`;
}
