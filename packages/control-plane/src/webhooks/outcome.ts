import { sql } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import type { DeliveryStatus, DisabledWhy } from "../database/webhook-tables.ts";
import type { Claimed } from "./claim.ts";

/** What an attempt has come to. */
export interface Outcome {
  readonly status: DeliveryStatus;
  readonly at: Date;
  readonly durationMs: number;
  readonly responseStatus: number | undefined;
  /** The beginning of what the receiver has answered. */
  readonly response: string | undefined;
  readonly error: string | undefined;
  /** When the stream goes on. */
  readonly dueAt: Date;
}

/** An attempt that is over: what it has come to, `undefined` where it was cut off. */
export interface Ended {
  readonly claimed: Claimed;
  readonly outcome: Outcome | undefined;
}

/** Attempts whose end is noted, and those that are to be noted later: another transaction has locked their streams. */
export interface Recorded {
  readonly noted: readonly Ended[];
  readonly locked: readonly Ended[];
}

export interface RecordOptions {
  /** From when on a stream is due whose attempt was cut off. */
  readonly at: Date;
  /** Whether to wait for streams that are locked, as others then do. */
  readonly wait: boolean;
}

/**
 * Notes attempts and lets go of their streams, in one statement. Nothing is noted, and the attempt is in neither list, where
 * the lease was over and another sender has the stream: it tries the same event again.
 */
export async function recordOutcomes(
  database: Database,
  attempts: readonly Ended[],
  { at, wait }: RecordOptions,
): Promise<Recorded> {
  if (attempts.length === 0) return { noted: [], locked: [] };
  const claims = attempts.map(({ claimed }) => claimed);
  const outcomes = attempts.map(({ outcome }) => outcome);
  const isStream = sql`(stream.org_id, stream.endpoint_id, stream.customer_id, stream.currency)
                     = (ended.org_id, ended.endpoint_id, ended.customer_id, ended.currency)
                   and stream.claim = ended.claim`;
  const { rows } = await sql<{ place: bigint; isNoted: boolean }>`
    with ended as (
           select * from unnest(${claims.map(({ orgId }) => orgId)}::bigint[],
                                ${claims.map(({ endpointId }) => endpointId)}::uuid[],
                                ${claims.map(({ customerId }) => customerId)}::text[],
                                ${claims.map(({ currency }) => currency)}::text[],
                                ${claims.map(({ claim }) => claim)}::uuid[],
                                ${claims.map(({ eventId }) => eventId)}::uuid[],
                                ${outcomes.map((outcome) => outcome?.status ?? null)}::text[],
                                ${outcomes.map((outcome) => outcome?.at ?? null)}::timestamptz[],
                                ${outcomes.map((outcome) => outcome?.durationMs ?? null)}::integer[],
                                ${outcomes.map((outcome) => outcome?.responseStatus ?? null)}::integer[],
                                ${outcomes.map((outcome) => outcome?.response ?? null)}::text[],
                                ${outcomes.map((outcome) => outcome?.error ?? null)}::text[],
                                ${outcomes.map((outcome) => outcome?.dueAt ?? at)}::timestamptz[])
                  with ordinality
               as ended (org_id, endpoint_id, customer_id, currency, claim, event_id, status, attempted_at, duration_ms,
                         response_status, response, error, due_at, place)),
         -- In the order in which events are written.
         held as (
           select ended.* from ended join webhook_streams as stream on ${isStream}
            order by ended.org_id, ended.endpoint_id, ended.customer_id, ended.currency
              for no key update of stream ${wait ? sql`` : sql`skip locked`}),
         released as (
           update webhook_streams as stream
              set claim = null, due_at = ended.due_at,
                  waiting = waiting - case when status in ('delivered', 'given_up') then 1 else 0 end
             from held as ended where ${isStream}),
         noted as (
           update webhook_deliveries as delivery
              set status = held.status, attempts = attempts + 1, attempted_at = held.attempted_at,
                  duration_ms = held.duration_ms, response_status = held.response_status,
                  response = held.response, error = held.error
             from held
            where (delivery.org_id, delivery.endpoint_id, delivery.event_id)
                = (held.org_id, held.endpoint_id, held.event_id)
              and held.status is not null)
    select place, held.place is not null as "isNoted"
      from ended join webhook_streams as stream on ${isStream} left join held using (place)`.execute(
    database,
  );
  const select = (isNoted: boolean): readonly Ended[] => {
    const places = new Set(rows.filter((row) => row.isNoted === isNoted).map(({ place }) => Number(place)));
    return attempts.filter((_, index) => places.has(index + 1));
  };
  return { noted: select(true), locked: select(false) };
}

/** Notes endpoints that newly fail, by the last attempt of each. */
export async function noteHealth(database: Database, attempts: readonly Ended[]): Promise<void> {
  const changed = new Map<string, { readonly claimed: Claimed; readonly failingSince: Date | null }>();
  for (const { claimed, outcome } of attempts) {
    if (outcome === undefined) continue;
    const failingSince = outcome.status === "delivered" ? null : outcome.at;
    if ((failingSince === null) === (claimed.failingSince === null)) continue;
    changed.set(claimed.endpointId, { claimed, failingSince });
  }
  if (changed.size === 0) return;
  const changes = [...changed.values()];
  await sql`
    with change as (
           select endpoint.org_id, endpoint.endpoint_id, change.failing_since
             from unnest(${changes.map(({ claimed }) => claimed.orgId)}::bigint[],
                         ${changes.map(({ claimed }) => claimed.endpointId)}::uuid[],
                         ${changes.map(({ failingSince }) => failingSince)}::timestamptz[])
                  as change (org_id, endpoint_id, failing_since)
             join webhook_endpoints as endpoint using (org_id, endpoint_id)
            where (endpoint.failing_since is null) <> (change.failing_since is null)
            order by endpoint.org_id, endpoint.endpoint_id
              for no key update of endpoint)
    update webhook_endpoints as endpoint set failing_since = change.failing_since
      from change
     where (endpoint.org_id, endpoint.endpoint_id) = (change.org_id, change.endpoint_id)`.execute(database);
}

/** Ends the sending to an endpoint; resolves whether it had not ended before. */
export function disableEndpoint(
  database: Database,
  { orgId, endpointId }: Pick<Claimed, "orgId" | "endpointId">,
  why: Exclude<DisabledWhy, "administrator">,
  at: Date,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("webhook_endpoints")
      .set({ disabled_at: at, disabled_why: why })
      .where("org_id", "=", orgId)
      .where("endpoint_id", "=", endpointId)
      .where("disabled_at", "is", null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    const record = {
      action: "webhook.disable",
      subject: endpointId,
      after: { status: "disabled", disabledBecause: why },
    } as const;
    await audit(transaction, { orgId, actor: "webhook-sender", ...record }, at);
    return true;
  });
}
