import { sql } from "kysely";
import type { Clock } from "../time/clock.ts";
import { type Polling, startPolling } from "../time/polling.ts";
import { type Database, unavailableReason } from "./connection.ts";

const pollMs = 1_000;

/** Reports once that the database is out of reach, and once that it is back. */
export function watchDatabase(database: Database, clock: Clock, onNotice: (line: string) => void): Polling {
  let since: number | undefined;
  const pass = async (): Promise<void> => {
    try {
      await sql`select`.execute(database);
    } catch (error) {
      if (since !== undefined) return;
      since = clock.now();
      onNotice(`database: out of reach, requests are answered 503: ${unavailableReason(error)}`);
      return;
    }
    if (since === undefined) return;
    onNotice(`database: back after ${Math.round((clock.now() - since) / 1_000)} s`);
    since = undefined;
  };
  return startPolling(pass, { pollMs, onError: undefined });
}
