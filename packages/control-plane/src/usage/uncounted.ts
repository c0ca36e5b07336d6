import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { receivedWith } from "./partitions.ts";
import { type CountedEvent, countEvents } from "./tallies.ts";

interface Uncounted extends CountedEvent {
  readonly usageId: string;
}

/**
 * Counts usage that was settled and not counted: by a replica of the version before, or before there were sums. Resolves
 * how many events. Any number of processes may do so at once.
 */
export function countMissed(database: Database, limit = 2_000): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<Uncounted>`
      select org_id as "orgId", usage_id as "usageId", customer_id as "customerId", agent_id as "agentId", indicator,
             currency, amount, received_at as "receivedAt"
        from usage_reports
       where counted is null and settled_at is not null
       order by org_id, received_at
       limit ${limit}
         for no key update skip locked`.execute(transaction);
    if (rows.length === 0) return 0;
    await countEvents(transaction, rows);
    await sql`
      update usage_reports set counted = true
       where ${receivedWith(rows)}
         and (org_id, usage_id) in (select * from unnest(${rows.map(({ orgId }) => orgId)}::bigint[],
                                                         ${rows.map(({ usageId }) => usageId)}::uuid[]))`.execute(
      transaction,
    );
    return rows.length;
  });
}

/** Batches in one go, so that a process that is to end need not wait for the whole history. */
const mostBatches = 10;

/** Counts what has been missed, batch after batch, for a moment. */
export async function countMissedUsage(database: Database): Promise<void> {
  for (let batch = 0; batch < mostBatches; batch += 1) if ((await countMissed(database)) === 0) return;
}
