import type { Database } from "../database/connection.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import type { Clock } from "../time/clock.ts";
import { type Polling, startPolling } from "../time/polling.ts";
import { describeFailure, type PeriodFailure } from "./failures.ts";
import { closePeriods } from "./period.ts";
import type { PeriodSettings } from "./settings.ts";

export interface PeriodWorkerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly defaults: PeriodSettings;
  /** How often to look for periods that have ended. @default 15000 */
  readonly pollMs?: number;
  /**
   * How long after its end a period is closed at the earliest. A request takes less from its arrival to its commit; the
   * usage of one that takes longer is on the next invoice. @default 15000
   */
  readonly graceMs?: number;
  /** Called once per row of failures, and once for each period that cannot be invoiced, until it can. */
  readonly onError?: (error: unknown) => void;
}

/** Closes billing periods as they end. Any number of replicas may do so at once. */
export function startPeriodWorker(options: PeriodWorkerOptions): Polling {
  const { database, clock, defaults, pollMs = 15_000, graceMs = 15_000, onError } = options;
  let reported: ReadonlySet<string> = new Set();

  const pass = async (): Promise<void> => {
    const failures = new Set<string>();
    const onFailure = (failure: PeriodFailure): void => {
      const line = describeFailure(failure);
      if (!reported.has(line)) onError?.(new ControlPlaneError("operator_needed", line));
      failures.add(line);
    };
    const now = new Date(clock.now());
    await closePeriods({ database, defaults, now, graceMs, actor: "period-worker", onFailure });
    reported = failures;
  };
  return startPolling(pass, { pollMs, onError });
}
