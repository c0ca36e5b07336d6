import type { Counter } from "prom-client";
import type { Database } from "../database/connection.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import type { Clock } from "../time/clock.ts";
import { type Polling, startPolling } from "../time/polling.ts";
import { reportingFailures, type WalletFailure } from "../wallets/due.ts";
import { orderTopUps } from "./order.ts";

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
  const pass = async (onFailure: (failure: WalletFailure) => void): Promise<void> => {
    const count = (failure: WalletFailure): void => {
      orders.inc({ outcome: "failed" });
      onFailure(failure);
    };
    const made = await orderTopUps(database, { defaults, now: new Date(clock.now()) }, count);
    if (made === 0) return;
    orders.inc({ outcome: "ordered" }, made);
    onOrdered();
  };
  return startPolling(reportingFailures("auto top-up: nothing is ordered", pass, onError), {
    pollMs,
    onError,
  });
}
