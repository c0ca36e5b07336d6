import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { type Database, type DatabaseTransaction, isUnavailable } from "../database/connection.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import { termsInForce } from "../pricing/prices.ts";
import type { Clock } from "../time/clock.ts";
import { type Polling, startPolling } from "../time/polling.ts";
import { billCall, type CallKey, type OpenCall } from "./call.ts";

/** How long after its last request a call waits for its indicator. */
export const voiceSweepAgeMs: number = 24 * 60 * 60 * 1_000;

export interface VoiceSweepOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** @default 60000 */
  readonly pollMs?: number;
  /** Called with calls that cannot be billed, each once, and once per row of failures. */
  readonly onError?: (error: unknown) => void;
}

/** Looks for calls whose indicator does not come. Any number of replicas may do so at once. */
export function startVoiceSweep(options: VoiceSweepOptions): Polling {
  const { database, clock, pollMs = 60_000, onError } = options;
  const pass = async (): Promise<void> => {
    await sweepCalls(database, new Date(clock.now()), onError);
  };
  return startPolling(pass, { pollMs, onError });
}

/** Which calls end. */
export interface SweepSelection {
  /** Only those of this organisation. */
  readonly orgId?: bigint;
  /** Calls without a request for so long, in milliseconds. @default a day */
  readonly silentMs?: number;
  /** Also those that were given up before. @default false */
  readonly again?: boolean;
}

export interface Sweep {
  /** Calls whose parts have been billed. */
  readonly billed: number;
  /** Calls that are noted as abandoned: without parts, or without a way to tell their price. */
  readonly abandoned: number;
}

/**
 * Ends calls without an indicator for a day. What was tracked is billed by the agent's indicator, if it has exactly
 * one, without the call itself and its minutes, which were never reported. Any other call is marked as abandoned: it
 * is listed, and its indicator may still come.
 */
export async function sweepCalls(
  database: Database,
  now: Date,
  onError?: (error: unknown) => void,
): Promise<Sweep> {
  const counts = { billed: 0, abandoned: 0 };
  for (;;) {
    const { billed, unbilled, more } = await sweepSome(database, now, {});
    counts.billed += billed;
    counts.abandoned += unbilled.length;
    for (const { key, reason } of unbilled) if (reason !== "empty") onError?.(unbilledError(key, reason));
    if (!more) return counts;
  }
}

export interface SweptCalls {
  readonly billed: number;
  /** `empty`, or why they cannot be billed. */
  readonly unbilled: readonly { readonly key: CallKey; readonly reason: string }[];
  /** Whether there may be more. */
  readonly more: boolean;
}

/** Calls that are ended at a time. */
const atOnce = 100;

/** Ends a hundred calls at most. One that cannot be ended holds up no other. */
export async function sweepSome(
  database: Database,
  now: Date,
  selection: SweepSelection,
): Promise<SweptCalls> {
  const calls = await silentCalls(database, now, selection);
  const unbilled: { key: CallKey; reason: string }[] = [];
  let billed = 0;
  for (const key of calls) {
    const end = await database
      .transaction()
      .execute((transaction) => sweep(transaction, key, { now, again: selection.again === true }))
      .catch(async (error: unknown): Promise<string> => {
        if (isUnavailable(error)) throw error;
        await database.transaction().execute((transaction) => abandon(transaction, key, now));
        return error instanceof Error ? error.message : String(error);
      });
    if (end === "billed") billed += 1;
    else if (end !== "gone") unbilled.push({ key, reason: end });
  }
  return { billed, unbilled, more: calls.length === atOnce };
}

async function silentCalls(
  database: Database,
  now: Date,
  { orgId, silentMs = voiceSweepAgeMs, again = false }: SweepSelection,
): Promise<readonly CallKey[]> {
  const since = new Date(now.getTime() - silentMs);
  let calls = database
    .selectFrom("voice_sessions as session")
    .select(["session.org_id as orgId", "session.session_id as sessionId"])
    .where("closed_at", "is", null)
    .where(isDue({ now, again }))
    .where("opened_at", "<=", since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("voice_usage as part")
            .select("part.track_id")
            .whereRef("part.org_id", "=", "session.org_id")
            .whereRef("part.session_id", "=", "session.session_id")
            .where("part.received_at", ">", since),
        ),
      ),
    );
  if (orgId !== undefined) calls = calls.where("session.org_id", "=", orgId);
  return calls.orderBy("opened_at").limit(atOnce).execute();
}

interface Pass {
  readonly now: Date;
  readonly again: boolean;
}

/** What this pass has given up is not looked at again by it. */
function isDue({ now, again }: Pass): RawBuilder<boolean> {
  return again
    ? sql<boolean>`(abandoned_at is null or abandoned_at < ${now})`
    : sql<boolean>`abandoned_at is null`;
}

async function sweep(transaction: DatabaseTransaction, key: CallKey, pass: Pass): Promise<string> {
  const { now } = pass;
  const call = await lockOpen(transaction, key, pass);
  if (call === undefined) return "gone";
  const part = await transaction
    .selectFrom("voice_usage")
    .select("track_id")
    .where("org_id", "=", key.orgId)
    .where("session_id", "=", key.sessionId)
    .executeTakeFirst();
  const indicators = part === undefined ? [] : await creditIndicators(transaction, call, now);
  const [indicator] = indicators;
  let why = "empty";
  if (indicator !== undefined && indicators.length === 1) {
    const hash = createHash("sha256").update(key.sessionId).digest("hex");
    const rawUsage = { sessionId: key.sessionId, swept: true };
    const billed = await billCall(transaction, call, { indicator, hash, at: now, dueAt: now, rawUsage });
    if (billed.accepted) return "billed";
    why = "its parts cost more than one billion credits";
  } else if (part !== undefined) {
    why = `its agent ${JSON.stringify(call.agentId)} has ${indicators.length} indicators in CREDITS, so that none can be chosen for it`;
  }
  await abandon(transaction, key, now);
  return why;
}

/** A part that is being recorded is waited for; a transaction that locks the call already ends it. */
async function lockOpen(
  transaction: DatabaseTransaction,
  key: CallKey,
  pass: Pass,
): Promise<OpenCall | undefined> {
  const session = await transaction
    .selectFrom("voice_sessions")
    .select(["agent_id", "customer_id"])
    .where("org_id", "=", key.orgId)
    .where("session_id", "=", key.sessionId)
    .where("closed_at", "is", null)
    .where(isDue(pass))
    .forUpdate()
    .executeTakeFirst();
  return session && { ...key, agentId: session.agent_id, customerId: session.customer_id };
}

/** The indicators of the call's agent that bill in credits now. */
export async function creditIndicators(
  transaction: DatabaseTransaction,
  { orgId, agentId }: OpenCall,
  now: Date,
): Promise<readonly string[]> {
  const rows = await transaction
    .selectFrom("indicators")
    .select("name")
    .where("org_id", "=", orgId)
    .where("agent_id", "=", agentId)
    .orderBy("name")
    .execute();
  const billing: string[] = [];
  for (const { name } of rows) {
    const terms = await termsInForce(transaction, { orgId, agentId, indicator: name }, now);
    if (terms?.billing === "CREDITS") billing.push(name);
  }
  return billing;
}

async function abandon(
  transaction: DatabaseTransaction,
  { orgId, sessionId }: CallKey,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable("voice_sessions")
    .set({ abandoned_at: now })
    .where("org_id", "=", orgId)
    .where("session_id", "=", sessionId)
    .where("closed_at", "is", null)
    .execute();
}

function unbilledError({ orgId, sessionId }: CallKey, why: string): Error {
  return new ControlPlaneError(
    "operator_needed",
    `voice: call ${JSON.stringify(sessionId)} of organisation ${orgId} got no indicator for a day, and what was tracked in it is not billed: ${why}. Send its indicator (POST /api/v1/voice/indicator); GET /admin/api/organizations/${orgId}/voice-sessions lists such calls`,
  );
}
