import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { eventsIn, type SumSelection, usageIn } from "./sums.ts";

/** Which usage over time, in one currency. */
export interface SeriesSelection {
  readonly orgId: bigint;
  readonly unit: "hour" | "day";
  readonly currency: string;
  /** Whole days; by hour, whole hours. */
  readonly from: Date;
  readonly to: Date;
}

/** The usage of an hour or a day. */
export interface SeriesRow {
  /** An agent or a customer; `null` is all others, or all. */
  readonly id: string | null;
  /** The beginning of the hour or the day, in milliseconds. */
  readonly at: bigint;
  readonly events: bigint;
  /** Micro-credits as text. */
  readonly credits: string;
}

/** The usage of the agents that used most, each by itself, and of all others together. */
export async function readAgentSeries(
  database: Database,
  selection: SeriesSelection,
  top: number,
): Promise<readonly SeriesRow[]> {
  const { rows } = await sql<SeriesRow>`
    with usage as materialized (
           select at, agent_id, sum(events) as events, sum(credits) as credits
             from (${usageIn(sumsOf(selection))}) as usage group by 1, 2),
         leader as (select agent_id as id from usage group by 1 order by sum(credits) desc, 1 limit ${top})
    select id, ${milliseconds} as at, sum(events)::bigint as events, sum(credits)::text as credits
      from usage left join leader on id = agent_id group by 1, 2`.execute(database);
  return rows;
}

/** The usage of some customers, each by itself, and of all together, as of one instant. */
export async function readCustomerSeries(
  database: Database,
  selection: SeriesSelection,
  customerIds: readonly string[],
): Promise<readonly SeriesRow[]> {
  const isOne = sql`customer_id = any(${customerIds})`;
  const sums = sumsOf(selection);
  // Of an hour there are no sums by customer.
  const own = selection.unit === "hour" ? eventsIn(sums, isOne) : usageIn({ ...sums, by: "customer" }, isOne);
  const { rows } = await sql<SeriesRow>`
    select id, ${milliseconds} as at, sum(events)::bigint as events, sum(credits)::text as credits
      from (select null as id, at, events, credits from (${usageIn(sums)}) as whole
             union all
            select customer_id, at, events, credits from (${own}) as own) as usage
     group by 1, 2`.execute(database);
  return rows;
}

/** What was used in all of a span. */
export async function readTotal(
  database: Database,
  selection: SeriesSelection,
): Promise<Pick<SeriesRow, "events" | "credits">> {
  const { rows } = await sql<Pick<SeriesRow, "events" | "credits">>`
    select coalesce(sum(events), 0)::bigint as events, coalesce(sum(credits), 0)::text as credits
      from (${usageIn(sumsOf(selection))}) as usage`.execute(database);
  return rows[0] ?? { events: 0n, credits: "0" };
}

const milliseconds: RawBuilder<bigint> = sql`(extract(epoch from at) * 1000)::bigint`;

function sumsOf({ orgId, unit, currency, from, to }: SeriesSelection): SumSelection {
  const every = { customerId: undefined, agentId: undefined, indicator: undefined };
  return { orgId, by: unit, from, to, currency, ...every, after: undefined, limit: 0 };
}
