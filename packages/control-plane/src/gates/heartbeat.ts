import type { HeartbeatAnswer, HeartbeatRequest } from "@creditgate/client";
import { type RawBuilder, sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { Problem } from "../http/problem.ts";
import { spendingKeptMs } from "./separate-ledgers.ts";

/** Gates of one organisation that sent a heartbeat within the last hour. */
const mostGates = 1_000;

/** Names and codes of decisions of one organisation in a step of time, and in an answer: a gate may say any. */
export const mostDecisions = 10_000;

export const forgottenAfterMs = 3_600_000;

/**
 * What all gates of one organisation have said, in bytes, up to which another may name the reports that wait in it: who looks
 * at the gates reads all of it.
 */
const mostBytes = 4 * 1024 * 1024;
export const bucketMs = 300_000;

/** How often a gate has decided since it began. */
interface Totals {
  readonly allowed: number;
  readonly denied: Readonly<Record<string, number>>;
}

const totals = sql<Totals>`
  json_build_object('allowed', said::json -> 'allowed', 'denied', said::json -> 'denied')`;

/** Notes what a gate says of itself. What it says twice counts once: its numbers are totals. */
export async function noteHeartbeat(
  database: Database,
  orgId: bigint,
  said: HeartbeatRequest,
  at: Date,
): Promise<HeartbeatAnswer> {
  const key = { orgId, gateId: said.gateId };
  return database.transaction().execute(async (transaction) => {
    const before = await lockGate(transaction, key, totals);
    if (before === undefined) await checkRoom(transaction, orgId, at);
    const retries = (before?.retries ?? []).filter((id) => !said.retried.includes(id));
    const waiting = (await hasRoomForReports(transaction, orgId, said, at)) ? said.waiting : [];
    const noted: HeartbeatRequest = { ...said, waiting, retried: [] };
    const row = { name: said.name, said: JSON.stringify(noted), heard_at: at, retries };
    await transaction
      .insertInto("gates")
      .values({ org_id: orgId, gate_id: said.gateId, ...row })
      .onConflict((conflict) => conflict.columns(["org_id", "gate_id"]).doUpdateSet(row))
      .execute();
    await countDecisions(transaction, orgId, said, before?.said, at);
    return { retry: retries.slice(0, 100) };
  });
}

async function checkRoom(transaction: DatabaseTransaction, orgId: bigint, at: Date): Promise<void> {
  const { gates } = await transaction
    .selectFrom("gates")
    .select((select) => select.fn.countAll<bigint>().as("gates"))
    .where("org_id", "=", orgId)
    .where("heard_at", ">", new Date(at.getTime() - forgottenAfterMs))
    .executeTakeFirstOrThrow();
  if (gates < mostGates) return;
  throw new Problem(
    409,
    "too_many_gates",
    `expected at most ${mostGates} gates of an organisation in an hour`,
  );
}

async function hasRoomForReports(
  transaction: DatabaseTransaction,
  orgId: bigint,
  { gateId, waiting }: HeartbeatRequest,
  at: Date,
): Promise<boolean> {
  if (waiting.length === 0) return true;
  const { bytes } = await transaction
    .selectFrom("gates")
    .select(sql<bigint>`coalesce(sum(octet_length(said)), 0)`.as("bytes"))
    .where("org_id", "=", orgId)
    .where("gate_id", "!=", gateId)
    .where("heard_at", ">", new Date(at.getTime() - forgottenAfterMs))
    .executeTakeFirstOrThrow();
  return Number(bytes) + Buffer.byteLength(JSON.stringify(waiting)) <= mostBytes;
}

async function countDecisions(
  transaction: DatabaseTransaction,
  orgId: bigint,
  said: HeartbeatRequest,
  before: Totals | undefined,
  at: Date,
): Promise<void> {
  const bucket = new Date(Math.floor(at.getTime() / bucketMs) * bucketMs);
  const counts = Object.entries({ ...said.denied, "": said.allowed })
    .map(([code, total]) => [code, total - totalIn(before, code)] as const)
    // A word that was overtaken says less than what is known.
    .filter(([, decisions]) => decisions > 0)
    .map(([code, decisions]) => ({
      org_id: orgId,
      at: bucket,
      name: said.name,
      code,
      decisions: BigInt(decisions),
    }));
  if (counts.length === 0) return;
  const written = await transaction
    .insertInto("gate_decisions")
    .values(counts)
    .onConflict((conflict) =>
      conflict.columns(["org_id", "at", "name", "code"]).doUpdateSet({
        decisions: sql`gate_decisions.decisions + excluded.decisions`,
      }),
    )
    .returning(sql<boolean>`xmax = 0`.as("isNew"))
    .execute();
  if (written.some(({ isNew }) => isNew)) await checkDecisions(transaction, orgId, bucket);
}

async function checkDecisions(transaction: DatabaseTransaction, orgId: bigint, bucket: Date): Promise<void> {
  const { decisions } = await transaction
    .selectFrom("gate_decisions")
    .select((select) => select.fn.countAll<bigint>().as("decisions"))
    .where("org_id", "=", orgId)
    .where("at", "=", bucket)
    .executeTakeFirstOrThrow();
  if (decisions <= mostDecisions) return;
  throw new Problem(
    409,
    "too_many_gates",
    `expected at most ${mostDecisions} names and codes of decisions of an organisation in five minutes`,
  );
}

function totalIn(totals: Totals | undefined, code: string): number {
  if (totals === undefined) return 0;
  if (code === "") return totals.allowed;
  // A code may be called as what objects inherit: constructor.
  return Object.hasOwn(totals.denied, code) ? (totals.denied[code] ?? 0) : 0;
}

interface GateKey {
  readonly orgId: bigint;
  readonly gateId: string;
}

interface LockedGate<Said> {
  /** What is wanted of what it has said last. */
  readonly said: Said;
  /** Reports that an operator wants to be sent again. */
  readonly retries: readonly string[];
}

/**
 * Locks a gate for a change. What it has said may name many reports: `said` is what the database takes out of it. The
 * contract lets in no character that its JSON refuses.
 * `undefined` where the organisation has no such gate.
 */
export async function lockGate<Said>(
  transaction: DatabaseTransaction,
  { orgId, gateId }: GateKey,
  said: RawBuilder<Said>,
): Promise<LockedGate<Said> | undefined> {
  return transaction
    .selectFrom("gates")
    .select([said.as("said"), "retries"])
    .where("org_id", "=", orgId)
    .where("gate_id", "=", gateId)
    .forUpdate()
    .$castTo<LockedGate<Said>>()
    .executeTakeFirst();
}

/** As long as decisions can be asked for, and an hour, in milliseconds. */
const decisionsKeptMs = 25 * 3_600_000;

/**
 * Deletes gates without heartbeats, ledgers that spend nothing, and decisions of before yesterday. Any number of
 * processes may do so.
 */
export async function forgetGates(database: Database, now: Date): Promise<void> {
  await database
    .deleteFrom("gates")
    .where("heard_at", "<", new Date(now.getTime() - forgottenAfterMs))
    .execute();
  await database
    .deleteFrom("gate_decisions")
    .where("at", "<", new Date(now.getTime() - decisionsKeptMs))
    .execute();
  await database
    .deleteFrom("gate_wallets")
    .where("last_at", "<", new Date(now.getTime() - spendingKeptMs))
    .execute();
}
