import { sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import type { Difference } from "./difference.ts";

/**
 * The sums of budgets are those of the reports that name them and were debited. If reports of a period are dropped, the sum is as much
 * at least, or dropped too; a report that came before a month ended may count in the next period, which a month may go by until.
 */
export async function budgetSums(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with gone as (select coalesce(max(until), '-infinity') + interval '32 days' as until from dropped_usage),
         debited as (
           select report.org_id, report.customer_id, report.currency, one ->> 0 as key, (one ->> 1)::timestamptz as period,
                  sum(report.amount) as used
             from usage_reports as report
             left join usage_due as due using (org_id, received_at, usage_id)
             left join usage_outcomes as outcome using (org_id, received_at, usage_id),
                  jsonb_array_elements(report.budgets) as one
            where report.budgets is not null and one ->> 1 is not null
              and due.usage_id is null and outcome.usage_id is null
            group by 1, 2, 3, 4, 5)
    select 'budget' as what, org_id as "orgId", jsonb_build_array(customer_id, currency, key, period)::text as subject,
           concat(case when period < gone.until then 'at least ' end, coalesce(debited.used, 0)) as expected,
           coalesce(sums.used::text, 'none') as received
      from debited full join budget_sums as sums using (org_id, customer_id, currency, key, period), gone
     where case when period < gone.until then sums.used < debited.used
                else debited.used is distinct from sums.used end
     order by org_id, subject`.execute(transaction);
  return rows;
}
