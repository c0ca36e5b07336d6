import { sql } from "kysely";
import type { Database } from "../database/connection.ts";

/** How long settlement took, of what was received in a half hour. */
export interface SettlementAgeRow {
  readonly at: Date;
  readonly sampled: bigint;
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** Ten reports of each five minutes: by the index of their time, however many there are. */
export async function readSettlementAges(
  database: Database,
  orgId: bigint,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly SettlementAgeRow[]> {
  const { rows } = await sql<SettlementAgeRow>`
    select date_bin('30 minutes', step, ${from}) as at, count(*) as sampled,
           percentile_disc(0.5) within group (order by age) as "medianMs",
           percentile_disc(0.95) within group (order by age) as "p95Ms"
      from generate_series(${from}::timestamptz, ${to}::timestamptz - interval '5 minutes', interval '5 minutes') as step,
           lateral (select round(extract(epoch from coalesce(settled_at, ${to}) - received_at) * 1000)::float8 as age
                      from usage_reports
                     where org_id = ${orgId} and received_at >= step and received_at < step + interval '5 minutes'
                     order by received_at limit 10) as report
     group by 1 order by 1`.execute(database);
  return rows;
}
