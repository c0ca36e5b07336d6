import type { UsageSumsBy } from "@creditgate/admin";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { dayMs } from "./tallies.ts";

/**
 * Sums of usage: of what is counted already, and of the events that are not, in one statement, so that none is in neither
 * or in both.
 */
export async function readSums(database: Database, selection: SumSelection): Promise<readonly Sum[]> {
  const isOfMany = selection.by === "customer" && selection.customerId === undefined;
  const query = isOfMany ? customerSums(selection) : slotSums(selection);
  return (await query.execute(database)).rows;
}

const keys: Readonly<Record<UsageSumsBy, RawBuilder<readonly string[]>>> = {
  hour: sql`array[to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')]`,
  day: sql`array[to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')]`,
  agent: sql`array[agent_id]`,
  indicator: sql`array[agent_id, indicator]`,
  customer: sql`array[customer_id]`,
};

/** Everything in the span that passes the filter is added up, and the part cut out of that: there are few keys. */
function slotSums(selection: SumSelection) {
  const { by, limit } = selection;
  return sql<Sum>`
    with found as (
           select ${keys[by]} as key, currency, sum(events)::bigint as events, sum(credits)::text as credits
             from (${usageIn(selection)}) as usage
            where ${afterOf(selection)}
            group by 1, 2)
    select found.* from found
     where key in (select distinct key from found order by key limit ${limit})
     order by key, currency`;
}

function afterOf({ by, after }: SumSelection): RawBuilder<unknown> {
  if (after === undefined) return sql`true`;
  const [first, second] = after;
  switch (by) {
    case "hour":
    case "day":
      return sql`at > ${first}::timestamptz`;
    case "agent":
      return sql`agent_id > ${first}`;
    case "indicator":
      return sql`(agent_id, indicator) > (${first}, ${second})`;
    case "customer":
      return sql`customer_id > ${first}`;
  }
}

const ofHour = sql`select hour as at, null as customer_id, agent_id, indicator, currency, events, credits from usage_hours`;
const ofDay = sql`select day::timestamp at time zone 'UTC' as at, null as customer_id, agent_id, indicator, currency, events, credits from usage_days`;
const ofCustomer = sql`select day::timestamp at time zone 'UTC' as at, customer_id, agent_id, indicator, currency, events, credits from customer_usage_days`;

/** All usage of a selection, where it is of days also of some only: what is counted, and what is not yet. */
export function usageIn(selection: SumSelection, more: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  if (selection.by === "hour" && selection.customerId !== undefined) return eventsIn(selection, more);
  return sql`${counted(selection, more)} union all ${uncounted(selection, more)}`;
}

/** What is counted: by hour, by day, or where customers matter by customer and day. */
function counted(selection: SumSelection, more: RawBuilder<unknown>): RawBuilder<unknown> {
  const { by, from, to, customerId } = selection;
  if (by === "hour") return sql`${ofHour} where hour >= ${from} and hour < ${to} and ${filter(selection)}`;
  const days = sql`day >= ${dayName(from)}::date and day < ${dayName(to)}::date`;
  const table = by === "customer" || customerId !== undefined ? ofCustomer : ofDay;
  return sql`${table} where ${days} and ${filter(selection)} and ${more}`;
}

function uncounted(selection: SumSelection, more: RawBuilder<unknown>): RawBuilder<unknown> {
  return eventsIn(selection, sql`not counted and ${more}`, "usage_due");
}

/** Of one customer the hours are summed out of the events: there are no sums of both. */
export function eventsIn(
  selection: SumSelection,
  condition: RawBuilder<unknown>,
  table: "usage_reports" | "usage_due" = "usage_reports",
): RawBuilder<unknown> {
  const { by, from, to } = selection;
  const unit = sql.lit(by === "hour" ? "hour" : "day");
  return sql`
    select date_trunc(${unit}, received_at, 'UTC') as at, customer_id, agent_id, indicator,
           coalesce(currency, '') as currency, 1 as events, amount::numeric as credits
      from ${sql.table(table)}
     where received_at >= ${from} and received_at < ${to} and ${filter(selection)} and ${condition}`;
}

function filter({ orgId, customerId, agentId, indicator, currency }: SumSelection): RawBuilder<unknown> {
  const conditions = [sql`org_id = ${orgId}`];
  if (customerId !== undefined) conditions.push(sql`customer_id = ${customerId}`);
  if (agentId !== undefined) conditions.push(sql`agent_id = ${agentId}`);
  if (indicator !== undefined) conditions.push(sql`indicator = ${indicator}`);
  if (currency !== undefined) conditions.push(sql`currency = ${currency}`);
  return sql.join(conditions, sql` and `);
}

/** Which sums, and from which on. */
export interface SumSelection {
  readonly orgId: bigint;
  readonly by: UsageSumsBy;
  /** Whole days; by hour, whole hours. */
  readonly from: Date;
  readonly to: Date;
  readonly customerId: string | undefined;
  readonly agentId: string | undefined;
  readonly indicator: string | undefined;
  readonly currency: string | undefined;
  /** Only what comes after; of an hour or a day its beginning. */
  readonly after: readonly string[] | undefined;
  /** Of what is summed by, at most; each has all its currencies. */
  readonly limit: number;
}

export interface Sum {
  /** The beginning of the hour or the day, the agent, the agent and the indicator, or the customer. */
  readonly key: readonly string[];
  /** Empty where it is not in CREDITS. */
  readonly currency: string;
  readonly events: bigint;
  /** Micro-credits as text: a sum may be more than a column of amounts holds. */
  readonly credits: string;
}

function dayName(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/**
 * The next customers and their sums. There may be a million of them. Each whole month of the span, and each remaining
 * day, reads its next customers from an index, at most as many as the answer has. The usage of the first of all these
 * is summed; the usage of the others is not read.
 */
function customerSums(selection: SumSelection): RawBuilder<Sum> {
  const { months, days } = slotsOf(selection);
  const { orgId, from, to, currency, agentId, indicator, limit } = selection;
  const next = customersAfter(selection);
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
         -- Where no month says who is next: from the index alone.
         of_days as (
           select stored.customer_id from asked, unnest(${months.length === 0 ? days : []}::date[]) as slot (day), lateral (
                  select distinct customer_id from customer_usage_days
                   where ${ofDay} and ${next} order by customer_id limit ${limit}) as stored),
         by_day as (
           select tally.* from asked, unnest(${days}::date[]) as slot (day), lateral (
                  select customer_id, currency, sum(events), sum(credits) from customer_usage_days
                   where ${ofDay} and ${next} and customer_id <= ${lastOf(selection)}
                   group by customer_id, currency order by customer_id limit ${limit}) as tally),
         uncounted as (
           select customer_id, coalesce(currency, ''), count(*), sum(amount)
             from usage_due
            where received_at >= ${from} and received_at < ${to} and not counted
              and ${sql.join(filter, sql` and `)} and ${next}
            group by 1, 2),
         found as (
           select customer_id, currency, sum(events)::bigint as events, sum(credits)::text as credits
             from (select * from by_month union all select * from by_day union all select * from uncounted) as stored
            group by 1, 2)
    select array[customer_id] as key, currency, events, credits from found
     where customer_id in (select distinct customer_id from found order by customer_id limit ${limit})
     order by customer_id, currency`;
}

/** The last customer that the answer can contain. */
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

function customersAfter({ after }: SumSelection): RawBuilder<unknown> {
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
