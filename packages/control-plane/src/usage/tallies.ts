import { type RawBuilder, sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";

/** An event that goes into the sums. */
export interface CountedEvent {
  readonly orgId: bigint;
  readonly customerId: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly currency: string | null;
  readonly amount: bigint;
  readonly receivedAt: Date;
}

interface Tally extends Omit<CountedEvent, "amount" | "receivedAt"> {
  /** The beginning of the hour, the day or the month. */
  readonly at: string;
  events: bigint;
  credits: bigint;
}

export const hourMs: number = 60 * 60 * 1_000;
export const dayMs: number = 24 * hourMs;

/** Which sum an event is added to. */
type Key = Pick<Tally, "customerId" | "at" | "agentId" | "indicator">;

/**
 * Adds events to the sums of hours, of days, and of customers' days and months. Each is to be noted as counted in the same
 * transaction. Rows are locked in one order by all, after those of wallets: two who count the same do not deadlock.
 */
export async function countEvents(
  transaction: DatabaseTransaction,
  events: readonly CountedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const hours = tallies(events, (event) => [{ ...event, customerId: "", at: hourOf(event) }]);
  const days = tallies(events, (event) => [{ ...event, customerId: "", at: dayOf(event) }]);
  const customers = tallies(events, (event) => [{ ...event, at: dayOf(event) }]);
  // Of each agent and indicator, and of all together.
  const months = tallies(events, (event) => {
    const month = { ...event, at: monthOf(event) };
    return [month, { ...month, agentId: "", indicator: "" }];
  });
  await sql`
    insert into usage_hours as tally (org_id, hour, agent_id, indicator, currency, events, credits)
    select org_id, at::timestamptz, agent_id, indicator, currency, events, credits from ${rowsOf(hours)}
        on conflict (org_id, hour, agent_id, indicator, currency) do update set ${added}`.execute(
    transaction,
  );
  await sql`
    insert into usage_days as tally (org_id, day, agent_id, indicator, currency, events, credits)
    select org_id, at::date, agent_id, indicator, currency, events, credits from ${rowsOf(days)}
        on conflict (org_id, day, agent_id, indicator, currency) do update set ${added}`.execute(transaction);
  await sql`
    insert into customer_usage_days as tally (org_id, customer_id, day, agent_id, indicator, currency, events, credits)
    select org_id, customer_id, at::date, agent_id, indicator, currency, events, credits from ${rowsOf(customers)}
        on conflict (org_id, customer_id, day, agent_id, indicator, currency) do update set ${added}`.execute(
    transaction,
  );
  await sql`
    insert into customer_usage_months as tally (org_id, customer_id, month, agent_id, indicator, currency, events, credits)
    select org_id, customer_id, at::date, agent_id, indicator, currency, events, credits from ${rowsOf(months)}
        on conflict (org_id, agent_id, indicator, currency, month, customer_id) do update set ${added}`.execute(
    transaction,
  );
}

const added = sql`events = tally.events + excluded.events, credits = tally.credits + excluded.credits`;

const hourOf = ({ receivedAt }: CountedEvent): string => `${receivedAt.toISOString().slice(0, 13)}:00:00Z`;
const dayOf = ({ receivedAt }: CountedEvent): string => receivedAt.toISOString().slice(0, 10);
const monthOf = ({ receivedAt }: CountedEvent): string => `${receivedAt.toISOString().slice(0, 7)}-01`;

function tallies(
  events: readonly CountedEvent[],
  keysOf: (event: CountedEvent) => readonly Key[],
): readonly Tally[] {
  const found = new Map<string, Tally>();
  for (const event of events) {
    const { orgId, currency, amount } = event;
    for (const { customerId, at, agentId, indicator } of keysOf(event)) {
      // None of the names has a control character in it.
      const name = [orgId, customerId, at, agentId, indicator, currency ?? ""].join("\n");
      const tally = found.get(name);
      if (tally === undefined)
        found.set(name, { orgId, customerId, at, agentId, indicator, currency, events: 1n, credits: amount });
      else {
        tally.events += 1n;
        tally.credits += amount;
      }
    }
  }
  const names = [...found.keys()].sort();
  return names.flatMap((name) => found.get(name) ?? []);
}

function rowsOf(rows: readonly Tally[]): RawBuilder<unknown> {
  return sql`unnest(${rows.map(({ orgId }) => orgId)}::bigint[],
                    ${rows.map(({ customerId }) => customerId)}::text[],
                    ${rows.map(({ at }) => at)}::text[],
                    ${rows.map(({ agentId }) => agentId)}::text[],
                    ${rows.map(({ indicator }) => indicator)}::text[],
                    ${rows.map(({ currency }) => currency ?? "")}::text[],
                    ${rows.map(({ events }) => events)}::bigint[],
                    ${rows.map(({ credits }) => credits)}::numeric[])
             with ordinality as tallied (org_id, customer_id, at, agent_id, indicator, currency, events, credits, position)
             order by position`;
}
