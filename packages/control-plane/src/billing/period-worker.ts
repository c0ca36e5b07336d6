import type { Clock } from "../clock.ts";
import type { Database } from "../database/connection.ts";
import { closePeriods } from "./billing-period.ts";
import type { PeriodSettings } from "./period-settings.ts";

export interface PeriodWorkerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly defaults: PeriodSettings;
  /** How long after its end a period is closed at most. @default 60000 */
  readonly pollMs?: number;
  /** Told once per row of failures. */
  readonly onError?: (error: unknown) => void;
}

export interface PeriodWorker {
  /** Resolves when the closing under way is done. */
  stop(): Promise<void>;
}

/** Closes billing periods as they end. Any number of replicas may do so at once. */
export function startPeriodWorker(options: PeriodWorkerOptions): PeriodWorker {
  const { database, clock, defaults, pollMs = 60_000, onError } = options;
  let stopping = false;
  let failing = false;
  let awake = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    while (!stopping) {
      try {
        await closePeriods({ database, defaults, now: new Date(clock.now()), actor: "period-worker" });
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
