import { sql } from "kysely";
import type { Database } from "../database/connection.ts";

/** What waits to be settled, in one currency; without one it is not in CREDITS. */
export interface WaitingRow {
  readonly currency: string | null;
  readonly events: bigint;
  /** Micro-credits as text. */
  readonly credits: string;
  readonly due: Date;
}

/** Counted are the oldest `most` reports. Those that have failed wait for an administrator. */
export async function readWaiting(
  database: Database,
  orgId: bigint,
  most: number,
): Promise<readonly WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select currency, count(*) as events, sum(amount)::text as credits, min(due_at) as due
      from (select currency, amount, due_at from usage_reports as report
             where org_id = ${orgId} and settled_at is null
               and not exists (select from settlement_failures as failure
                                where (failure.org_id, failure.usage_id) = (report.org_id, report.usage_id))
             order by received_at, usage_id limit ${most}) as waiting
     group by 1`.execute(database);
  return rows;
}
