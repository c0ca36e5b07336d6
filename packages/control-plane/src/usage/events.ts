import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { NamedBudget } from "../budgets/reported.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { isAtTurnOfMonth, startOfMonth } from "../database/partitions.ts";
import type { UsageReportsTable } from "../database/tables.ts";
import { maxCredits, microCredits } from "../money/decimal.ts";
import { dayMs } from "./tallies.ts";

/** An event that is priced, and when it is due to be settled. */
export type UsageEvent = Omit<Insertable<UsageReportsTable>, "budgets"> & {
  readonly due_at: Date;
  /** Those that it names. */
  readonly budgets?: readonly NamedBudget[] | undefined;
};

/** No event may cost more, in micro-credits. */
export const largestAmount: bigint = microCredits(maxCredits) ?? 0n;

/** What an event has beside its report, in bytes, roughly. */
const fieldBytes = 1_000;

/** How much an event takes in a statement, in bytes, roughly. */
export function sizeOfUsage({ raw_usage }: UsageEvent): number {
  return raw_usage.length + fieldBytes;
}

/** For how many days a key is known again at least. The month in which it came first knows it for as long as it is there. */
const keyDays = 35;

/**
 * Stores events in one statement, and queues them to be settled; resolves the ids of those whose customer exists, and whose idempotency key was not
 * there before; of two with one key the first is stored. Each column goes as one text, a line for each event.
 */
export async function insertUsage(
  database: Database | DatabaseTransaction,
  events: readonly UsageEvent[],
): Promise<ReadonlySet<string>> {
  const timeText = createTimeText();
  const column = (type: string, textOf: (event: UsageEvent) => string) =>
    sql`string_to_array(${linesOf(events.map(textOf))}, chr(10), '')::${sql.raw(type)}[]`;
  const isAtTurn = events.some(({ received_at }) => isAtTurnOfMonth(received_at));
  const fresh = isAtTurn ? atTurn : sql`found as (select * from event)`;
  // Most statements have none, and no column for them.
  const isBudgeted = events.some(({ budgets }) => budgets !== undefined);
  const named = column("jsonb", ({ budgets }) => (budgets === undefined ? "" : JSON.stringify(budgets)));
  const ifBudgeted = (text: RawBuilder<unknown>) => (isBudgeted ? text : sql``);
  const { rows } = await sql<{ count: bigint; usage_ids: readonly string[] | null }>`
    with event as (
           select *
             from unnest(${column("bigint", (event) => String(event.org_id))},
                         ${column("uuid", (event) => event.usage_id)},
                         ${column("text", (event) => event.idempotency_key ?? "")},
                         ${column("text", (event) => event.request_hash)},
                         ${column("text", (event) => event.agent_id)},
                         ${column("text", (event) => event.indicator)},
                         ${column("text", (event) => event.customer_id)},
                         ${column("text", (event) => event.currency ?? "")},
                         ${column("bigint", (event) => String(event.amount))},
                         ${column("timestamptz", (event) => timeText(event.received_at))},
                         ${column("timestamptz", (event) => timeText(event.due_at))},
                         ${column("json", (event) => event.raw_usage)}${ifBudgeted(sql`, ${named}`)})
                  with ordinality
               as event (org_id, usage_id, idempotency_key, request_hash, agent_id, indicator, customer_id,
                         currency, amount, received_at, due_at, raw_usage${ifBudgeted(sql`, named`)}, position)
            where exists (select from customers
                           where (customers.org_id, external_id) = (event.org_id, event.customer_id))
              and not exists (select from usage_reports as earlier
                               where (earlier.org_id, earlier.idempotency_key) = (event.org_id, event.idempotency_key)
                                 and ${isOfOtherMonth(events)})),
         ${fresh},
         added as (
           insert into usage_reports (org_id, usage_id, idempotency_key, request_hash, agent_id, indicator, customer_id,
                                      currency, amount, received_at, raw_usage${ifBudgeted(sql`, budgets`)})
           select org_id, usage_id, idempotency_key, request_hash, agent_id, indicator, customer_id,
                  currency, amount, received_at, raw_usage${ifBudgeted(counted)}
             from found
            order by position
           on conflict do nothing
           returning usage_id${ifBudgeted(sql`, budgets`)}),
         queued as (
           insert into usage_due (org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, due_at${ifBudgeted(sql`, budgets`)})
           select org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, due_at${ifBudgeted(sql`, budgets`)}
             from found join added using (usage_id))
    select count(*), case when count(*) < ${events.length} then array_agg(usage_id::text) end as usage_ids
      from added`.execute(database);
  const [{ count, usage_ids } = { count: 0n, usage_ids: null }] = rows;
  // Nearly always all: their ids need not come back.
  if (count === BigInt(events.length)) return new Set(events.map(({ usage_id }) => usage_id));
  return new Set(usage_ids ?? []);
}

const counted = sql`, budgets_reported(org_id, customer_id, currency, named, received_at)`;

/** Of two statements that store under one key in two months, the second waits for the first, and finds its key here. */
const atTurn = sql`
         first as (
           select distinct on (org_id, idempotency_key) * from event where idempotency_key is not null
            order by org_id, idempotency_key, position),
         keyed as (
           insert into usage_keys_at_turn (org_id, idempotency_key, received_at)
           select org_id, idempotency_key, received_at from first
           on conflict do nothing
           returning org_id, idempotency_key),
         found as (
           select * from event where idempotency_key is null
            union all
           select first.* from first join keyed using (org_id, idempotency_key))`;

/**
 * Where a key is looked for that the index of the month does not tell of: in the months before, as far back as keys are
 * known, and in the next, which a clock may have written to that was ahead. A partition that need not be read is not even
 * planned for.
 */
function isOfOtherMonth(events: readonly UsageEvent[]): RawBuilder<boolean> {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { received_at } of events) {
    first = Math.min(first, received_at.getTime());
    last = Math.max(last, received_at.getTime());
  }
  const month = startOfMonth(new Date(last));
  const next = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));
  const [since, until] = [first - keyDays * dayMs, last + keyDays * dayMs].map((time) => new Date(time));
  return sql<boolean>`(earlier.received_at >= ${since}::timestamptz and earlier.received_at < ${month}::timestamptz
                       or earlier.received_at >= ${next}::timestamptz and earlier.received_at < ${until}::timestamptz)`;
}

/** With a line break in one of them, what others report would be stored for another customer. */
function linesOf(texts: readonly string[]): string {
  if (texts.some((text) => text.includes("\n"))) {
    throw new TypeError("expected usage without line breaks, received one");
  }
  return texts.join("\n");
}

/** Writes times; most in a row are the same, and to write one takes longer than all else of an event. */
function createTimeText(): (time: Date) => string {
  let last = Number.NaN;
  let text = "";
  return (time) => {
    if (time.getTime() !== last) {
      last = time.getTime();
      text = time.toISOString();
    }
    return text;
  };
}

export type StoredUsage = Pick<
  Selectable<UsageReportsTable>,
  "usage_id" | "request_hash" | "amount" | "currency" | "budgets"
>;

/** Reads in one statement what is stored under the keys of events, where there is anything. */
export async function findUsage(
  database: Database,
  events: readonly UsageEvent[],
): Promise<(event: UsageEvent) => StoredUsage | undefined> {
  const stored = new Map<string, StoredUsage>();
  if (events.length > 0) {
    const keys = JSON.stringify(
      events.map(({ org_id, idempotency_key }) => [String(org_id), idempotency_key]),
    );
    const { rows } = await sql<StoredUsage & { org_id: bigint; idempotency_key: string }>`
      select usage_reports.org_id, usage_reports.idempotency_key, usage_id, request_hash, amount, currency, budgets
        from json_array_elements(${keys}::json) as key
        join usage_reports on usage_reports.org_id = (key ->> 0)::bigint
                         and usage_reports.idempotency_key = key ->> 1`.execute(database);
    for (const row of rows) stored.set(nameOf(row), row);
  }
  return (event) => stored.get(nameOf(event));
}

function nameOf({ org_id, idempotency_key }: Pick<UsageEvent, "org_id" | "idempotency_key">): string {
  return `${org_id} ${idempotency_key}`;
}
