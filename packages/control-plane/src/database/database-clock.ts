import { sql } from "kysely";
import type { Clock } from "../time/clock.ts";
import { startPolling } from "../time/polling.ts";
import type { Database } from "./connection.ts";

export interface RunningClock extends Clock {
  stop(): Promise<void>;
}

const pollMs = 10_000;
const reportMs = 5_000;

/**
 * The given clock, else the time of the database, which all replicas share: by its own clock, a replica whose clock
 * is wrong would settle and close periods early or late. During an outage of the database, the time goes on from the
 * last reading.
 */
export async function startClock(
  given: Clock | undefined,
  database: Database,
  onNotice: (line: string) => void = () => undefined,
): Promise<RunningClock> {
  if (given !== undefined) return { now: () => given.now(), stop: async () => undefined };
  let lastTime = 0;
  let readAt = 0;
  let isWrong = false;

  const read = async (): Promise<void> => {
    const start = performance.now();
    const time = await databaseTime(database);
    const end = performance.now();
    lastTime = time;
    // The database answers somewhere between: half way is the best guess.
    readAt = (start + end) / 2;
    const aheadMs = Date.now() - (time + end - readAt);
    const wasWrong = isWrong;
    isWrong = Math.abs(aheadMs) > reportMs;
    if (isWrong && !wasWrong) onNotice(describe(aheadMs));
  };
  await read();
  const polling = startPolling(read, { pollMs, onError: undefined });
  return { now: () => Math.round(lastTime + performance.now() - readAt), stop: polling.stop };
}

/** Milliseconds since the epoch, by the database's clock. */
export async function databaseTime(database: Database): Promise<number> {
  const { rows } = await sql<{ time: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as time`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error("The database did not report the time.");
  return row.time;
}

function describe(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return `clock: this machine's is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the database's, which is used. Set both by NTP`;
}
