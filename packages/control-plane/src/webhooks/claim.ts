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

/** What a process has under way for an endpoint, and whether it knows the endpoint as slow. */
export interface EndpointLoad {
  readonly endpointId: string;
  readonly attempts: number;
  readonly isSlow: boolean;
}

/** What a process has under way for an organisation, of slow endpoints or of others. */
export interface OrganizationLoad {
  readonly orgId: bigint;
  readonly attempts: number;
  readonly isSlow: boolean;
}

export interface ClaimOptions {
  readonly now: Date;
  /** From when on others may claim again what was claimed and not released. */
  readonly until: Date;
  /** How many streams at most. */
  readonly limit: number;
  /** The same of endpoints that fail or are slow. */
  readonly slowLimit: number;
  /** How many streams of one endpoint, with those under way; one of an endpoint that fails or is slow. */
  readonly perEndpoint: number;
  readonly endpoints: readonly EndpointLoad[];
  readonly organizations: readonly OrganizationLoad[];
}

/**
 * Claims pending streams, those of organisations in turn, the oldest of each first. An organisation gets no more attempts
 * than stay free for others. Any number of senders may claim at once: each skips what another one locks. Per endpoint the
 * query reads a few rows of an index, however much is pending.
 */
export async function claimDue(database: Database, options: ClaimOptions): Promise<readonly Claimed[]> {
  const { now, until, limit, slowLimit, perEndpoint, endpoints, organizations } = options;
  const claim = randomUUID();
  const next = sql`select org_id, endpoint_id from webhook_streams where waiting > 0`;
  const { rows } = await sql<Stream>`
    with recursive waiting as (
           (${next} order by org_id, endpoint_id limit 1)
            union all
           select following.* from waiting, lateral (
             ${next} and (org_id, endpoint_id) > (waiting.org_id, waiting.endpoint_id)
              order by org_id, endpoint_id limit 1) as following),
         judged as (
           select org_id, endpoint_id, coalesce(attempts, 0) as attempts,
                  failing_since is not null or coalesce(load.is_slow, false) as is_slow
             from waiting
             join webhook_endpoints using (org_id, endpoint_id)
             left join unnest(${endpoints.map(({ endpointId }) => endpointId)}::uuid[],
                              ${endpoints.map(({ attempts }) => attempts)}::integer[],
                              ${endpoints.map(({ isSlow }) => isSlow)}::boolean[])
                  as load (endpoint_id, attempts, is_slow) using (endpoint_id)
            where disabled_at is null),
         found as (
           select first.*, is_slow,
                  row_number() over (partition by judged.org_id, is_slow order by due_at) as place_of_organization
             from judged, lateral (
                    select org_id, endpoint_id, customer_id, currency, due_at
                      from webhook_streams as stream
                     where stream.org_id = judged.org_id and stream.endpoint_id = judged.endpoint_id
                       and waiting > 0 and due_at <= ${now}
                     order by due_at
                     limit greatest(0, case when is_slow then 1 else ${perEndpoint}::integer end - attempts)
                       for no key update skip locked) as first),
         placed as (
           select *, row_number() over (partition by is_slow order by turn, due_at) as place
             from (select found.*, place_of_organization + coalesce(attempts, 0) as turn
                     from found
                     left join unnest(${organizations.map(({ orgId }) => orgId)}::bigint[],
                                      ${organizations.map(({ attempts }) => attempts)}::integer[],
                                      ${organizations.map(({ isSlow }) => isSlow)}::boolean[])
                          as load (org_id, attempts, is_slow) using (org_id, is_slow)) as in_turn),
         -- Of the attempts that are free before it takes its turn, an organisation has at most as many.
         due as (
           select * from placed
            where place + turn <= 1 + case when is_slow then ${slowLimit}::integer else ${limit}::integer end)
    update webhook_streams as stream set claim = ${claim}, due_at = ${until}
      from due
     where (stream.org_id, stream.endpoint_id, stream.customer_id, stream.currency)
         = (due.org_id, due.endpoint_id, due.customer_id, due.currency)
    returning stream.org_id as "orgId", stream.endpoint_id as "endpointId", stream.customer_id as "customerId",
              stream.currency`.execute(database);
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
