import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../database/connection.ts";

/** The events of one wallet for one endpoint. Only the first of them is tried. */
export interface Stream {
  readonly orgId: bigint;
  readonly endpointId: string;
  readonly customerId: string;
  readonly currency: string;
}

/** A stream that no other sender takes from until its lease is over, with its first event. */
export interface Claimed extends Stream {
  readonly claim: string;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  readonly createdAt: Date;
  /** Before this one. */
  readonly attempts: number;
  readonly url: string;
  readonly secrets: readonly string[];
  readonly failingSince: Date | null;
}

export interface ClaimOptions {
  readonly now: Date;
  /** From when on others may claim again what was claimed and not released. */
  readonly until: Date;
  /** How many streams at most. */
  readonly limit: number;
  /** And of all endpoints that fail. */
  readonly failingLimit: number;
  /** And of one endpoint, with those under way; one of an endpoint that fails. */
  readonly perEndpoint: number;
  /** How many of its streams are under way already, by endpoint. */
  readonly underWay: ReadonlyMap<string, number>;
}

/**
 * Claims streams that are due, the longest due first. Any number of senders may do so at once: each skips what another
 * one locks. From endpoint to endpoint one row of an index is read, however much waits for each.
 */
export async function claimDue(database: Database, options: ClaimOptions): Promise<readonly Claimed[]> {
  const { now, until, limit, failingLimit, perEndpoint, underWay } = options;
  const claim = randomUUID();
  const next = sql`select org_id, endpoint_id from webhook_streams where waiting > 0`;
  const { rows } = await sql<Stream & { waiting: number }>`
    with recursive waiting as (
           (${next} order by org_id, endpoint_id limit 1)
            union all
           select following.* from waiting, lateral (
             ${next} and (org_id, endpoint_id) > (waiting.org_id, waiting.endpoint_id)
              order by org_id, endpoint_id limit 1) as following),
         found as (
           select first.*, failing_since is not null as is_failing
             from waiting
             join webhook_endpoints as endpoint using (org_id, endpoint_id)
             left join unnest(${[...underWay.keys()]}::uuid[], ${[...underWay.values()]}::integer[])
                  as busy (endpoint_id, streams) using (endpoint_id),
                  lateral (
                    select org_id, endpoint_id, customer_id, currency, due_at
                      from webhook_streams as stream
                     where stream.org_id = waiting.org_id and stream.endpoint_id = waiting.endpoint_id
                       and waiting > 0 and due_at <= ${now}
                     order by due_at
                     limit greatest(0, case when failing_since is null then ${perEndpoint}::integer else 1 end
                                       - coalesce(busy.streams, 0))
                       for no key update skip locked) as first
            where disabled_at is null),
         due as (
           select *
             from (select *, row_number() over (partition by is_failing order by due_at) as place from found) as placed
            where not is_failing or place <= ${failingLimit}
            order by due_at
            limit ${limit})
    update webhook_streams as stream set claim = ${claim}, due_at = ${until}
      from due
     where (stream.org_id, stream.endpoint_id, stream.customer_id, stream.currency)
         = (due.org_id, due.endpoint_id, due.customer_id, due.currency)
    returning stream.org_id as "orgId", stream.endpoint_id as "endpointId", stream.customer_id as "customerId",
              stream.currency, waiting`.execute(database);
  return rows.length === 0 ? [] : readFirst(database, claim, rows, now);
}

async function readFirst(
  database: Database,
  claim: string,
  streams: readonly Stream[],
  now: Date,
): Promise<readonly Claimed[]> {
  const { rows } = await sql<Claimed>`
    select stream.org_id as "orgId", stream.endpoint_id as "endpointId", stream.customer_id as "customerId",
           stream.currency, ${claim}::text as claim, event_id as "eventId", first.type, body, event.created_at as "createdAt", attempts,
           url, failing_since as "failingSince",
           array(select secret from webhook_secrets as own
                  where (own.org_id, own.endpoint_id) = (stream.org_id, stream.endpoint_id)
                    and (ends_at is null or ends_at > ${now})
                  order by own.created_at desc) as secrets
      from unnest(${streams.map(({ orgId }) => orgId)}::bigint[],
                  ${streams.map(({ endpointId }) => endpointId)}::uuid[],
                  ${streams.map(({ customerId }) => customerId)}::text[],
                  ${streams.map(({ currency }) => currency)}::text[])
           as stream (org_id, endpoint_id, customer_id, currency)
      join webhook_endpoints using (org_id, endpoint_id),
           lateral (select event_id, type, attempts from webhook_deliveries as delivery
                     where (delivery.org_id, delivery.endpoint_id, delivery.customer_id, delivery.currency)
                         = (stream.org_id, stream.endpoint_id, stream.customer_id, stream.currency)
                       and status = 'pending'
                     order by sequence limit 1) as first
      join webhook_events as event using (event_id)
     where event.org_id = stream.org_id`.execute(database);
  return rows;
}
