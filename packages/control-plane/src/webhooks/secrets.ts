import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import type { DatabaseTransaction } from "../database/connection.ts";
import { Problem } from "../http/problem.ts";
import type { EndpointKey } from "./replay.ts";

/** Secrets that sign side by side. */
const mostSecrets = 5;

/** Gives an endpoint a new secret, which is good until it is ended. */
export async function addSecret(
  transaction: DatabaseTransaction,
  { orgId, endpointId }: EndpointKey,
  at: Date,
): Promise<string> {
  const secret = generateSecret();
  await transaction
    .insertInto("webhook_secrets")
    .values({
      org_id: orgId,
      endpoint_id: endpointId,
      secret_id: randomUUID(),
      secret,
      created_at: at,
      ends_at: null,
    })
    .execute();
  return secret;
}

/** Ends the secrets of an endpoint then at the latest, and forgets those that are no longer good; a 409 where too many are. */
export async function endSecrets(
  transaction: DatabaseTransaction,
  { orgId, endpointId }: EndpointKey,
  end: Date,
  at: Date,
): Promise<void> {
  const own = sql`org_id = ${orgId} and endpoint_id = ${endpointId}`;
  const { numAffectedRows = 0n } = await sql`
    update webhook_secrets set ends_at = least(ends_at, ${end}::timestamptz) where ${own}`.execute(
    transaction,
  );
  const forgotten = await sql`delete from webhook_secrets where ${own} and ends_at <= ${at}`.execute(
    transaction,
  );
  if (numAffectedRows - (forgotten.numAffectedRows ?? 0n) < BigInt(mostSecrets)) return;
  throw new Problem(
    409,
    "too_many_secrets",
    `expected at most ${mostSecrets} secrets that are good side by side, received one more: wait until one has ended, or rotate with overlapSeconds 0`,
  );
}

/** A secret as the Standard Webhooks specification has it. */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** The headers by which a receiver knows a message: one signature for each secret that is good now. */
export function signedHeaders(
  eventId: string,
  body: string,
  secrets: readonly string[],
  at: Date,
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(eventId, at, body));
  return {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "creditgate",
    "webhook-id": eventId,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
}
