import { type RawBuilder, sql } from "kysely";
import { dayName, type Sum, type SumSelection } from "./sum-selection.ts";
import { dayMs } from "./tallies.ts";

/**
 * The next customers and their sums. There may be a million of them: each whole month of the span, and each day of what is
 * left of it, tells its next customers from an index, as many as the answer has at most; what the first of all these have
 * used is added up. What the others have used is not read.
 */
export function customerSums(selection: SumSelection): RawBuilder<Sum> {
  const { months, days } = slotsOf(selection);
  const { orgId, from, to, currency, agentId, indicator, limit } = selection;
  const next = afterOf(selection);
  const filter = [
    sql`org_id = ${orgId}`,
    ...(agentId === undefined ? [] : [sql`agent_id = ${agentId}`]),
    ...(indicator === undefined ? [] : [sql`indicator = ${indicator}`]),
    ...(currency === undefined ? [] : [sql`currency = ${currency}`]),
  ];
  const ofDay = sql`
    org_id = ${orgId} and currency = asked.currency and day = slot.day
    ${agentId === undefined ? sql`` : sql`and agent_id = asked.agent_id and indicator = asked.indicator`}`;
  return sql<Sum>`
    with recursive ${seriesOf(selection)},
         asked as (
           select * from series
            where indicator = ${indicator ?? sql`indicator`} and currency = ${currency ?? sql`currency`}),
         by_month as (
           select tally.* from asked, unnest(${months}::date[]) as slot (month), lateral (
                  select customer_id, currency, events, credits from customer_usage_months
                   where org_id = ${orgId} and agent_id = asked.agent_id and indicator = asked.indicator
                     and currency = asked.currency and month = slot.month and ${next}
                   order by customer_id limit ${limit}) as tally),
         -- Where no month tells who is next: from the index alone.
         of_days as (
           select told.customer_id from asked, unnest(${months.length === 0 ? days : []}::date[]) as slot (day), lateral (
                  select distinct customer_id from customer_usage_days
                   where ${ofDay} and ${next} order by customer_id limit ${limit}) as told),
         by_day as (
           select tally.* from asked, unnest(${days}::date[]) as slot (day), lateral (
                  select customer_id, currency, sum(events), sum(credits) from customer_usage_days
                   where ${ofDay} and ${next} and customer_id <= ${lastOf(selection)}
                   group by customer_id, currency order by customer_id limit ${limit}) as tally),
         uncounted as (
           select customer_id, coalesce(currency, ''), count(*), sum(amount)
             from usage_reports
            where received_at >= ${from} and received_at < ${to} and counted is null
              and ${sql.join(filter, sql` and `)} and ${next}
            group by 1, 2),
         found as (
           select customer_id, currency, sum(events)::bigint as events, sum(credits)::text as credits
             from (select * from by_month union all select * from by_day union all select * from uncounted) as told
            group by 1, 2)
    select array[customer_id] as key, currency, events, credits from found
     where customer_id in (select distinct customer_id from found order by customer_id limit ${limit})
     order by customer_id, currency`;
}

/** Customers after as many as the answer has at most, of those that are told first, are not in the answer. */
function lastOf({ orgId, limit }: SumSelection): RawBuilder<unknown> {
  return sql`(
    select coalesce(
      (select max(customer_id) from (
         select customer_id from by_month union select customer_id from of_days order by customer_id limit ${limit}) as next
        having count(*) = ${limit}),
      (select max(external_id) from customers where org_id = ${orgId})))`;
}

/** In what there are months: of all agents together, or of each indicator of one; from one to the next by the index. */
function seriesOf({ orgId, agentId = "" }: SumSelection): RawBuilder<unknown> {
  const one = (condition: RawBuilder<unknown>) => sql`
    select agent_id, indicator, currency from customer_usage_months
     where org_id = ${orgId} and agent_id = ${agentId} ${condition}
     order by indicator, currency limit 1`;
  return sql`series as (
    (${one(sql``)})
     union all
    select next.* from series, lateral (
      ${one(sql`and (indicator, currency) > (series.indicator, series.currency)`)}) as next)`;
}

function afterOf({ after }: SumSelection): RawBuilder<unknown> {
  return after === undefined ? sql`true` : sql`customer_id > ${after[0]}`;
}

interface Slots {
  readonly months: readonly string[];
  readonly days: readonly string[];
}

/** The whole months of a span, and the days before and after them. */
function slotsOf({ from, to }: Pick<SumSelection, "from" | "to">): Slots {
  const months: string[] = [];
  const days: string[] = [];
  for (let at = from.getTime(); at < to.getTime(); ) {
    const end = nextMonth(at);
    const isMonth = new Date(at).getUTCDate() === 1 && end <= to.getTime();
    (isMonth ? months : days).push(dayName(new Date(at)));
    at = isMonth ? end : at + dayMs;
  }
  return { months, days };
}

function nextMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
