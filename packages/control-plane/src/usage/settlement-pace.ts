import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { Clock } from "../time/clock.ts";

/** How late settlement is. */
export interface SettlementPace {
  /**
   * How long the last report was due when it was settled, in milliseconds: 0 where settlement keeps up, or no worker has reported
   * for a while. Answers with what was read last, and reads again behind that where it is a while ago.
   */
  lateMs(): number;
}

export interface SettlementPaceOptions {
  readonly database: Database;
  /** Measures how old a reading is, in milliseconds. */
  readonly elapsed: Clock;
}

const renewMs = 150;

/** Longer than a batch takes: a worker that has reported nothing for so long has stopped, and nobody needs to wait for it. */
const reportedForMs = 15_000;

/** Reports to all replicas how late settlement is. It waits for nothing, and a report that fails is none: settlement goes on. */
export function createPaceReports(database: Database): (lateMs: number) => void {
  let reported = 0;
  let next: number | undefined;
  let isReporting = false;

  const report = async (): Promise<void> => {
    isReporting = true;
    while (next !== undefined && next + reported > 0) {
      const lateMs = next;
      next = undefined;
      try {
        await sql`insert into settlement_pace (late_ms) values (${lateMs})
                  on conflict (id) do update set late_ms = excluded.late_ms, reported_at = now()`.execute(
          database,
        );
        reported = lateMs;
      } catch {
        // Replicas forget what was reported last, and the next batch reports again.
      }
    }
    isReporting = false;
  };

  return (lateMs) => {
    next = lateMs;
    if (!isReporting) void report();
  };
}

export function readPace({ database, elapsed }: SettlementPaceOptions): SettlementPace {
  let lateMs = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  let isReading = false;

  const read = async (): Promise<void> => {
    const { rows } = await sql<{ late: number }>`
      select late_ms as late from settlement_pace
       where abs(extract(epoch from now() - reported_at)) * 1000 < ${reportedForMs}`.execute(database);
    lateMs = rows[0]?.late ?? 0;
    readAt = elapsed.now();
  };

  return {
    lateMs() {
      const sinceMs = elapsed.now() - readAt;
      if (sinceMs >= renewMs && !isReading) {
        isReading = true;
        // A database that does not answer holds up intake by itself.
        read()
          .catch(() => undefined)
          .finally(() => {
            isReading = false;
          });
      }
      // What is older is of another time.
      return sinceMs < 8 * renewMs ? lateMs : 0;
    },
  };
}
