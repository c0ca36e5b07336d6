import { randomUUID } from "node:crypto";
import type { DatabaseTransaction } from "../database/connection.ts";
import { timedId } from "../database/timed-id.ts";
import { formatDecimal } from "../money/decimal.ts";
import type { Origin } from "../pricing/terms.ts";
import { insertUsage, largestAmount } from "../usage/events.ts";
import { minutes, priceCall } from "./price.ts";

/** A call of an organisation; another one's of the same name has nothing to do with it. */
export interface CallKey {
  readonly orgId: bigint;
  readonly sessionId: string;
}

export type Tracked = Origin &
  (
    | { readonly kind: "stt"; readonly audioMinutes: number }
    | {
        readonly kind: "llm";
        readonly promptTokens: number;
        readonly completionTokens: number;
        /** Of the prompt's tokens, those that came out of a cache. */
        readonly cachedTokens?: number | undefined;
      }
    | { readonly kind: "tts"; readonly characters: number }
  );

export interface Closing {
  readonly indicator: string;
  /** In minutes. */
  readonly totalDuration: number;
  readonly hash: string;
  readonly at: Date;
  /** When the usage is to be settled. */
  readonly dueAt: Date;
}

type Refused<Reason> = { readonly accepted: false; readonly reason: Reason };
type Accepted = { readonly accepted: true; readonly id: string };

/** Opens a call; its id is used once. */
export async function openCall(
  transaction: DatabaseTransaction,
  { orgId, sessionId }: CallKey,
  { agentId, customerId }: { readonly agentId: string; readonly customerId: string },
  at: Date,
): Promise<{ readonly accepted: true } | Refused<"customer_unknown" | "agent_unknown" | "session_exists">> {
  const known = await transaction
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(
        selectFrom("customers")
          .select("external_id")
          .where("org_id", "=", orgId)
          .where("external_id", "=", customerId),
      ).as("customer"),
      exists(
        selectFrom("agents").select("agent_id").where("org_id", "=", orgId).where("agent_id", "=", agentId),
      ).as("agent"),
    ])
    .executeTakeFirstOrThrow();
  if (!known.customer) return refused("customer_unknown");
  if (!known.agent) return refused("agent_unknown");
  const opened = await transaction
    .insertInto("voice_sessions")
    .values({
      org_id: orgId,
      session_id: sessionId,
      agent_id: agentId,
      customer_id: customerId,
      opened_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return opened.numInsertedOrUpdatedRows === 1n ? { accepted: true } : refused("session_exists");
}

/** Records a part of a call that is open. Parts are recorded side by side; closing waits for them. */
export async function track(
  transaction: DatabaseTransaction,
  { orgId, sessionId }: CallKey,
  usage: Tracked,
  at: Date,
): Promise<Accepted | Refused<"session_unknown" | "session_closed" | "session_full">> {
  const session = await transaction
    .selectFrom("voice_sessions")
    .select("closed_at")
    .where("org_id", "=", orgId)
    .where("session_id", "=", sessionId)
    .forShare()
    .executeTakeFirst();
  if (session === undefined) return refused("session_unknown");
  if (session.closed_at !== null) return refused("session_closed");
  if (await isFull(transaction, { orgId, sessionId })) return refused("session_full");
  const id = randomUUID();
  const { kind, provider = null, model = null, plan = null } = usage;
  await transaction
    .insertInto("voice_usage")
    .values({
      org_id: orgId,
      track_id: id,
      session_id: sessionId,
      kind,
      provider,
      model,
      plan,
      received_at: at,
      ...countsOf(usage),
    })
    .execute();
  return { accepted: true, id };
}

/** Parts that a call may have: all of them are priced at its end, in one transaction. */
export const mostParts = 10_000;

async function isFull(transaction: DatabaseTransaction, { orgId, sessionId }: CallKey): Promise<boolean> {
  const last = await transaction
    .selectFrom("voice_usage")
    .select("org_id")
    .where("org_id", "=", orgId)
    .where("session_id", "=", sessionId)
    .offset(mostParts - 1)
    .limit(1)
    .executeTakeFirst();
  return last !== undefined;
}

/** Closes a call: one usage event for the call, its minutes and all that was tracked, settled like any other. */
export async function closeCall(
  transaction: DatabaseTransaction,
  key: CallKey,
  closing: Closing,
): Promise<Accepted | Refused<"session_unknown" | "session_closed" | "indicator_unknown" | "out_of_range">> {
  const session = await lockSession(transaction, key);
  if (session === undefined) return refused("session_unknown");
  if (session.isClosed) return refused("session_closed");
  const rawUsage = { sessionId: key.sessionId, totalDuration: closing.totalDuration };
  return billCall(transaction, session, { ...closing, rawUsage });
}

/** A call that is locked. */
export interface OpenCall extends CallKey {
  readonly agentId: string;
  readonly customerId: string;
}

/** Locks a call, so that it is closed once, and after the parts that are being recorded. */
export async function lockSession(
  transaction: DatabaseTransaction,
  { orgId, sessionId }: CallKey,
): Promise<(OpenCall & { readonly isClosed: boolean }) | undefined> {
  const session = await transaction
    .selectFrom("voice_sessions")
    .select(["agent_id", "customer_id", "closed_at"])
    .where("org_id", "=", orgId)
    .where("session_id", "=", sessionId)
    .forUpdate()
    .executeTakeFirst();
  if (session === undefined) return undefined;
  const { agent_id: agentId, customer_id: customerId, closed_at } = session;
  return { orgId, sessionId, agentId, customerId, isClosed: closed_at !== null };
}

export interface Bill extends Omit<Closing, "totalDuration"> {
  /** In minutes. Without it what was tracked is billed, and not the call itself. */
  readonly totalDuration?: number;
  /** What is kept with the usage. */
  readonly rawUsage: object;
}

/** Prices an open call, stores its usage event, and closes it. */
export async function billCall(
  transaction: DatabaseTransaction,
  { orgId, sessionId, agentId, customerId }: OpenCall,
  { indicator, totalDuration, hash, at, dueAt, rawUsage }: Bill,
): Promise<Accepted | Refused<"indicator_unknown" | "out_of_range">> {
  const priced = await priceCall(
    transaction,
    { orgId, agentId, indicator },
    { sessionId, totalDuration },
    at,
  );
  if (priced === undefined) return refused("indicator_unknown");
  if (priced.amount > largestAmount) return refused("out_of_range");
  const id = timedId(at);
  const added = await insertUsage(transaction, [
    {
      org_id: orgId,
      usage_id: id,
      idempotency_key: null,
      request_hash: hash,
      agent_id: agentId,
      indicator,
      customer_id: customerId,
      raw_usage: JSON.stringify(rawUsage),
      ...priced,
      received_at: at,
      due_at: dueAt,
    },
  ]);
  // A call that is closed without its usage would never be billed.
  if (!added.has(id)) throw new Error(`Call ${sessionId}: its usage was not stored.`);
  await transaction
    .updateTable("voice_sessions")
    .set({ closed_at: at, usage_id: id, abandoned_at: null })
    .where("org_id", "=", orgId)
    .where("session_id", "=", sessionId)
    .execute();
  return { accepted: true, id };
}

function countsOf(usage: Tracked) {
  switch (usage.kind) {
    case "stt":
      return { audio_minutes: formatDecimal(minutes(usage.audioMinutes)) };
    case "llm":
      return {
        prompt_tokens: BigInt(usage.promptTokens),
        completion_tokens: BigInt(usage.completionTokens),
        cached_tokens: BigInt(usage.cachedTokens ?? 0),
      };
    case "tts":
      return { characters: BigInt(usage.characters) };
  }
}

function refused<Reason>(reason: Reason): Refused<Reason> {
  return { accepted: false, reason };
}
