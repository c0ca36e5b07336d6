import { sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";

/** An endpoint of an organisation. */
export interface EndpointKey {
  readonly orgId: bigint;
  readonly endpointId: string;
}

/**
 * Queues events for an endpoint, those that it has had, or that were given up, again; resolves how many there are. What
 * waits already is not queued twice, and not locked: a sender may be noting an attempt of it.
 */
export async function queueAgain(
  transaction: DatabaseTransaction,
  { orgId, endpointId }: EndpointKey,
  eventIds: readonly string[],
  at: Date,
): Promise<number> {
  const { rows } = await sql<{ replayed: bigint }>`
    with chosen as (select event_id from unnest(${eventIds}::uuid[]) as one (event_id)),
         again as (
           update webhook_deliveries as delivery
              set status = 'pending', attempts = 0
             from chosen
            where delivery.org_id = ${orgId} and endpoint_id = ${endpointId}
              and delivery.event_id = chosen.event_id and status <> 'pending'
           returning customer_id, currency),
         first as (
           insert into webhook_deliveries (org_id, endpoint_id, event_id, sequence, type, customer_id, currency, created_at)
           select org_id, ${endpointId}, event_id, sequence, type, customer_id, currency, created_at
             from webhook_events join chosen using (event_id)
            where org_id = ${orgId}
               on conflict (org_id, endpoint_id, event_id) do nothing
           returning customer_id, currency),
         queued as (select * from again union all select * from first),
         streams as (
           insert into webhook_streams as stream (org_id, endpoint_id, customer_id, currency, waiting, due_at)
           select ${orgId}, ${endpointId}, customer_id, currency, count(*), ${at}::timestamptz
             from queued group by customer_id, currency order by customer_id, currency
               on conflict (org_id, endpoint_id, customer_id, currency)
               do update set waiting = stream.waiting + excluded.waiting,
                             due_at = case when stream.waiting = 0 then excluded.due_at else stream.due_at end)
    select count(*) as replayed from queued`.execute(transaction);
  return Number(rows[0]?.replayed ?? 0n);
}

/** Has what waits for an endpoint tried at once. What a sender has under way is left to it. */
export async function tryNow(
  transaction: DatabaseTransaction,
  { orgId, endpointId }: EndpointKey,
  at: Date,
): Promise<void> {
  await sql`
    update webhook_streams as stream set due_at = ${at}
      from (select customer_id, currency from webhook_streams
             where org_id = ${orgId} and endpoint_id = ${endpointId} and waiting > 0 and claim is null and due_at > ${at}
               for no key update skip locked) as later
     where stream.org_id = ${orgId} and stream.endpoint_id = ${endpointId}
       and (stream.customer_id, stream.currency) = (later.customer_id, later.currency)`.execute(transaction);
}
