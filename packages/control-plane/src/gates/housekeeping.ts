import type { Database } from "../database/connection.ts";
import { forgottenAfterMs } from "./heartbeat.ts";
import { spendingKeptMs } from "./separate-ledgers.ts";

/** As long as decisions can be asked for, and an hour, in milliseconds. */
const decisionsKeptMs = 25 * 3_600_000;

/** Forgets gates of which nothing is heard, ledgers that spend nothing, and decisions of before yesterday. Any number of processes may do so. */
export async function forgetGates(database: Database, now: Date): Promise<void> {
  await database
    .deleteFrom("gates")
    .where("heard_at", "<", new Date(now.getTime() - forgottenAfterMs))
    .execute();
  await database
    .deleteFrom("gate_decisions")
    .where("at", "<", new Date(now.getTime() - decisionsKeptMs))
    .execute();
  await database
    .deleteFrom("gate_wallets")
    .where("last_at", "<", new Date(now.getTime() - spendingKeptMs))
    .execute();
}
