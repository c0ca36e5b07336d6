import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { unlessLocked } from "../database/partitions.ts";
import { dayMs } from "./tallies.ts";

/**
 * Makes the partitions of usage for this month and the next two, and drops those that every organisation lets go by its
 * `usage_kept_months`. What they take the locks of is held for a moment: where it is not had in time, it is tried again
 * with the next call. Any number of processes may do so at once.
 */
export async function keepUsagePartitions(database: Database, now: Date): Promise<void> {
  await unlessLocked(async () => {
    await makeUsagePartitions(database, now);
    while ((await dropUsagePartition(database, now)) !== undefined);
    await forgetKeysAtTurn(database, now);
  });
}

/** Resolves the names of those that were made. */
export async function makeUsagePartitions(database: Database, now: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from make_usage_partitions(${now}::timestamptz) as name`.execute(database);
  return rows.map(({ name }) => name);
}

/** Drops the oldest, if all of it may go; resolves its name. */
export async function dropUsagePartition(database: Database, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`
    select drop_usage_partition(${now}::timestamptz) as name`.execute(database);
  return rows[0]?.name ?? undefined;
}

/** Past the turn of a month its keys are in an index again that both sides find. */
async function forgetKeysAtTurn(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - dayMs);
  await sql`delete from usage_keys_at_turn where received_at < ${before}`.execute(database);
}

/** The span in which these were received: the months without any of them are not read. A `Date` has no microseconds. */
export function receivedWith(events: readonly { readonly receivedAt: Date }[]): RawBuilder<boolean> {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { receivedAt } of events) {
    first = Math.min(first, receivedAt.getTime());
    last = Math.max(last, receivedAt.getTime());
  }
  if (events.length === 0) return sql<boolean>`false`;
  return sql<boolean>`received_at >= ${new Date(first)}::timestamptz and received_at < ${new Date(last + 1)}::timestamptz`;
}
