import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { Stream } from "./claim.ts";
import { day } from "./schedule.ts";

/** How far back events can be sent again, in days. They are kept a day longer, so that none is taken away meanwhile. */
export const replayDays = 30;
const keptMs = (replayDays + 1) * day;

/** Rows at a time: what they are locked by must be short. */
const batchSize = 500;

/** Any number, as long as every replica of every version uses the same. */
const lock = 3_508_112_449n;

/** Gives up what waits for endpoints that are disabled or deleted, and forgets what is old. One process at a time. */
export async function keepHouse(database: Database, now: Date): Promise<void> {
  while ((await giveUpEnded(database)) === batchSize);
  while ((await forgetOld(database, now)) === batchSize);
  while ((await forgetIdle(database)) === batchSize);
}

/** Resolves for how many streams. What is queued for them meanwhile waits for the lock of its stream, and is found later. */
function giveUpEnded(database: Database): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<Stream & { why: string }>`
      select stream.org_id as "orgId", stream.endpoint_id as "endpointId", customer_id as "customerId", currency,
             case when url is null then 'the endpoint is deleted' else 'the endpoint is disabled' end as why
        from webhook_streams as stream
        left join webhook_endpoints as endpoint using (org_id, endpoint_id)
       where waiting > 0 and (url is null or disabled_at is not null)
       order by stream.org_id, stream.endpoint_id, customer_id, currency
       limit ${batchSize}
         for update of stream skip locked`.execute(transaction);
    if (rows.length === 0) return 0;
    const streams = sql`unnest(${rows.map(({ orgId }) => orgId)}::bigint[],
                               ${rows.map(({ endpointId }) => endpointId)}::uuid[],
                               ${rows.map(({ customerId }) => customerId)}::text[],
                               ${rows.map(({ currency }) => currency)}::text[],
                               ${rows.map(({ why }) => why)}::text[])
                        as ended (org_id, endpoint_id, customer_id, currency, why)`;
    await sql`
      update webhook_deliveries as delivery set status = 'given_up', error = why from ${streams}
       where (delivery.org_id, delivery.endpoint_id, delivery.customer_id, delivery.currency)
           = (ended.org_id, ended.endpoint_id, ended.customer_id, ended.currency)
         and status = 'pending'`.execute(transaction);
    await sql`
      delete from webhook_streams as stream using ${streams}
       where (stream.org_id, stream.endpoint_id, stream.customer_id, stream.currency)
           = (ended.org_id, ended.endpoint_id, ended.customer_id, ended.currency)`.execute(transaction);
    return rows.length;
  });
}

function forgetOld(database: Database, now: Date): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(${lock}) as locked`.execute(transaction);
    if (rows[0]?.locked !== true) return 0;
    const { numAffectedRows = 0n } = await sql`
      with old as (
             select org_id, event_id from webhook_events as event
              where created_at < ${new Date(now.getTime() - keptMs)}
                and not exists (select from webhook_deliveries as delivery
                                 where (delivery.org_id, delivery.event_id) = (event.org_id, event.event_id)
                                   and status = 'pending')
              order by created_at limit ${batchSize}),
           deliveries as (
             delete from webhook_deliveries as delivery using old
              where (delivery.org_id, delivery.event_id) = (old.org_id, old.event_id))
      delete from webhook_events as event using old
       where (event.org_id, event.event_id) = (old.org_id, old.event_id)`.execute(transaction);
    return Number(numAffectedRows);
  });
}

/** Streams from which all is sent. */
async function forgetIdle(database: Database): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_streams
     where (org_id, endpoint_id, customer_id, currency) in (
             select org_id, endpoint_id, customer_id, currency from webhook_streams
              where waiting = 0 order by due_at limit ${batchSize} for update skip locked)`.execute(database);
  return Number(numAffectedRows);
}
