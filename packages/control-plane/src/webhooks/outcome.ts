import { sql } from "kysely";
import { audit } from "../admin/audit-log.ts";
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

/**
 * Notes an attempt and lets go of its stream; `false`, and nothing is noted, where the lease was over and another sender
 * has the stream: it tries the same event again.
 */
export async function recordOutcome(
  database: Database,
  claimed: Claimed,
  outcome: Outcome,
): Promise<boolean> {
  const { orgId, endpointId, customerId, currency, claim, eventId } = claimed;
  const { status, at, durationMs, responseStatus, response, error, dueAt } = outcome;
  const { numAffectedRows } = await sql`
    with released as (
           update webhook_streams
              set claim = null, due_at = ${dueAt}, waiting = waiting - ${status === "pending" ? 0 : 1}
            where org_id = ${orgId} and endpoint_id = ${endpointId} and customer_id = ${customerId}
              and currency = ${currency} and claim = ${claim}
           returning org_id)
    update webhook_deliveries as delivery
       set status = ${status}, attempts = attempts + 1, attempted_at = ${at}, duration_ms = ${durationMs},
           response_status = ${responseStatus ?? null}, response = ${response ?? null}, error = ${error ?? null}
      from released
     where delivery.org_id = ${orgId} and endpoint_id = ${endpointId} and event_id = ${eventId}`.execute(
    database,
  );
  return numAffectedRows === 1n;
}

/** Lets go of a stream from which nothing was sent, or perhaps not: it is due at once. */
export async function release(database: Database, claimed: Claimed, at: Date): Promise<void> {
  const { orgId, endpointId, customerId, currency, claim } = claimed;
  await sql`
    update webhook_streams set claim = null, due_at = ${at}
     where org_id = ${orgId} and endpoint_id = ${endpointId} and customer_id = ${customerId}
       and currency = ${currency} and claim = ${claim}`.execute(database);
}

/** Notes whether an endpoint fails, where that was not known. */
export async function noteHealth(
  database: Database,
  { orgId, endpointId, failingSince }: Claimed,
  isFailing: boolean,
  at: Date,
): Promise<void> {
  if (isFailing === (failingSince !== null)) return;
  await database
    .updateTable("webhook_endpoints")
    .set({ failing_since: isFailing ? at : null })
    .where("org_id", "=", orgId)
    .where("endpoint_id", "=", endpointId)
    .where("failing_since", isFailing ? "is" : "is not", null)
    .execute();
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
