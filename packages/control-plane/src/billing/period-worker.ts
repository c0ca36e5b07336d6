import type { Clock } from "../clock.ts";
import type { Database } from "../database/connection.ts";
import { closePeriods } from "./billing-period.ts";
import { describeFailure, type PeriodFailure } from "./period-failures.ts";
import type { PeriodSettings } from "./period-settings.ts";

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
  /** Told once per row of failures, and once of each period that cannot be invoiced, until it can. */
  readonly onError?: (error: unknown) => void;
}

export interface PeriodWorker {
  /** Resolves when the closing under way is done. */
  stop(): Promise<void>;
}

/** Closes billing periods as they end. Any number of replicas may do so at once. */
export function startPeriodWorker(options: PeriodWorkerOptions): PeriodWorker {
  const { database, clock, defaults, pollMs = 15_000, graceMs = 15_000, onError } = options;
  let stopping = false;
  let failing = false;
  let told: ReadonlySet<string> = new Set();
  let awake = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;

  const pass = async (): Promise<void> => {
    const failures = new Set<string>();
    const onFailure = (failure: PeriodFailure): void => {
      const line = describeFailure(failure);
      if (!told.has(line)) onError?.(new Error(line));
      failures.add(line);
    };
    const now = new Date(clock.now());
    await closePeriods({ database, defaults, now, graceMs, actor: "period-worker", onFailure });
    told = failures;
  };

  const run = async (): Promise<void> => {
    while (!stopping) {
      try {
        await pass();
        failing = false;
      } catch (error) {
        if (!failing) onError?.(error);
        failing = true;
      }
      if (stopping) return;
      await new Promise<void>((resolve) => {
        awake = resolve;
        timer = setTimeout(resolve, pollMs);
      });
    }
  };
  const running = run();

  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      awake();
      await running;
    },
  };
}
