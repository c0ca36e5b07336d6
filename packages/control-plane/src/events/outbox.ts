import type { WebhookEventType } from "@creditgate/admin";
import { sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import { timedId } from "../database/timed-id.ts";
import { type JsonObject, stringify } from "../http/json.ts";

/** An event, for webhook endpoints. */
export interface Event {
  readonly orgId: bigint;
  readonly type: WebhookEventType;
  readonly customerId: string;
  /** Of the wallet whose event it is; without one it is the customer's. Events of one wallet are sent in order. */
  readonly currency?: string | undefined;
  readonly data: JsonObject;
}

/**
 * Writes events in the transaction of the change that they tell of: there is none without the other. What no endpoint of
 * the organisation asks for is not kept. Events of one wallet come in the order in which its lock was held; one statement
 * locks what waits for endpoints in one order, so that two transactions do not deadlock.
 */
export async function writeEvents(
  transaction: DatabaseTransaction,
  events: readonly Event[],
  at: Date,
): Promise<void> {
  if (events.length === 0) return;
  const timestamp = at.toISOString();
  const bodies = events.map(({ type, data }) => stringify({ type, timestamp, data }));
  await sql`
    with written as (
           insert into webhook_events (org_id, event_id, type, customer_id, currency, body, created_at)
           select org_id, event_id, type, customer_id, currency, body, ${at}::timestamptz
             from unnest(${events.map(({ orgId }) => orgId)}::bigint[],
                         ${events.map(() => timedId(at))}::uuid[],
                         ${events.map(({ type }) => type)}::text[],
                         ${events.map(({ customerId }) => customerId)}::text[],
                         ${events.map(({ currency = "" }) => currency)}::text[],
                         ${bodies}::text[])
                  with ordinality
               as event (org_id, event_id, type, customer_id, currency, body, position)
            where exists (select from webhook_endpoints as endpoint
                           where endpoint.org_id = event.org_id and ${isWanted})
            order by position
           returning org_id, event_id, sequence, type, customer_id, currency, created_at),
         queued as (
           insert into webhook_deliveries (org_id, endpoint_id, event_id, sequence, type, customer_id, currency, created_at)
           select org_id, endpoint_id, event_id, sequence, type, customer_id, currency, event.created_at
             from written as event join webhook_endpoints as endpoint using (org_id)
            where disabled_at is null and ${isWanted}
           returning org_id, endpoint_id, customer_id, currency)
    insert into webhook_streams as stream (org_id, endpoint_id, customer_id, currency, waiting, due_at)
    select org_id, endpoint_id, customer_id, currency, count(*), ${at}::timestamptz
      from queued
     group by org_id, endpoint_id, customer_id, currency
     order by org_id, endpoint_id, customer_id, currency
        on conflict (org_id, endpoint_id, customer_id, currency)
        do update set waiting = stream.waiting + excluded.waiting,
                      due_at = case when stream.waiting = 0 then excluded.due_at else stream.due_at end`.execute(
    transaction,
  );
}

const isWanted = sql`(endpoint.events is null or event.type = any(endpoint.events))`;
