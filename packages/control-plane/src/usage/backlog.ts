import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { Clock } from "../time/clock.ts";

/** How far settlement is behind. All replicas see the same: it is read from the queue. */
export interface Backlog {
  /**
   * How long reports beyond the next batch have been due, in milliseconds: 0 where settlement keeps up. Answers with what
   * was read last, and reads again behind that where it is a while ago.
   */
  ageMs(): number;
}

export interface BacklogOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Measures how old a reading is, in milliseconds. */
  readonly elapsed: Clock;
}

/** So many may wait before any is late: settlement takes them in one batch. */
const batch = 1_000;
const renewMs = 150;

/**
 * Reports that have been due for longer say nothing of the pace: another transaction may hold their wallet, for which no
 * other usage waits.
 */
const longestMs = 10_000;

export function createBacklog({ database, clock, elapsed }: BacklogOptions): Backlog {
  let ageMs = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  let isReading = false;

  const read = async (): Promise<void> => {
    const now = clock.now();
    // Both bounds, so that it is read from the index by which settlement takes them.
    const { rows } = await sql<{ due: Date }>`
      select due_at as due from usage_due
       where failed_at is null and due_at > ${new Date(now - longestMs)} and due_at <= ${new Date(now)}
       order by due_at offset ${batch} limit 1`.execute(database);
    ageMs = rows[0] === undefined ? 0 : now - rows[0].due.getTime();
    readAt = elapsed.now();
  };

  return {
    ageMs() {
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
      return sinceMs < 8 * renewMs ? ageMs : 0;
    },
  };
}
