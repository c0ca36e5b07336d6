import type { UsageSumsBy } from "@creditgate/client/admin";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { customerSums } from "./customer-sums.ts";
import { dayName, type Sum, type SumSelection } from "./sum-selection.ts";

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
             from (${counted(selection)} union all ${uncounted(selection)}) as usage
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
  return sql`${counted(selection, more)} union all ${uncounted(selection, more)}`;
}

/** What is counted: by hour, by day, or where customers matter by customer and day. */
function counted(selection: SumSelection, more: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  const { by, from, to, customerId } = selection;
  if (by === "hour" && customerId !== undefined) return eventsIn(selection, sql`counted`);
  if (by === "hour") return sql`${ofHour} where hour >= ${from} and hour < ${to} and ${filter(selection)}`;
  const days = sql`day >= ${dayName(from)}::date and day < ${dayName(to)}::date`;
  const table = by === "customer" || customerId !== undefined ? ofCustomer : ofDay;
  return sql`${table} where ${days} and ${filter(selection)} and ${more}`;
}

function uncounted(selection: SumSelection, more: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  return eventsIn(selection, sql`counted is null and ${more}`);
}

/** Of one customer the hours are summed out of the events: there are no sums of both. */
export function eventsIn(selection: SumSelection, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const { by, from, to } = selection;
  const unit = sql.lit(by === "hour" ? "hour" : "day");
  return sql`
    select date_trunc(${unit}, received_at, 'UTC') as at, customer_id, agent_id, indicator,
           coalesce(currency, '') as currency, 1 as events, amount::numeric as credits
      from usage_reports
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
