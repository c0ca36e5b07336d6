import { type HeartbeatAnswer, type HeartbeatRequest, heartbeatRequest } from "@creditgate/client";
import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { Problem } from "../http/problem.ts";

/** Gates of one organisation of which something was heard within the last hour. */
const mostGates = 1_000;
export const forgottenAfterMs = 3_600_000;
export const bucketMs = 300_000;

interface GateKey {
  readonly orgId: bigint;
  readonly gateId: string;
}

/** Notes what a gate says of itself. What it says twice counts once: its numbers are totals. */
export async function noteHeartbeat(
  database: Database,
  orgId: bigint,
  said: HeartbeatRequest,
  at: Date,
): Promise<HeartbeatAnswer> {
  const key = { orgId, gateId: said.gateId };
  return database.transaction().execute(async (transaction) => {
    const before = await lockGate(transaction, key);
    if (before === undefined) await checkRoom(transaction, orgId, at);
    const retries = (before?.retries ?? []).filter((id) => !said.retried.includes(id));
    const heard = { name: said.name, said: JSON.stringify(said), heard_at: at, retries };
    await transaction
      .insertInto("gates")
      .values({ org_id: orgId, gate_id: said.gateId, ...heard })
      .onConflict((conflict) => conflict.columns(["org_id", "gate_id"]).doUpdateSet(heard))
      .execute();
    await countDecisions(transaction, orgId, said, before?.said, at);
    return { retry: retries.slice(0, 100) };
  });
}

async function lockGate(
  transaction: DatabaseTransaction,
  { orgId, gateId }: GateKey,
): Promise<{ readonly said: HeartbeatRequest; readonly retries: readonly string[] } | undefined> {
  const row = await transaction
    .selectFrom("gates")
    .select(["said", "retries"])
    .where("org_id", "=", orgId)
    .where("gate_id", "=", gateId)
    .forUpdate()
    .executeTakeFirst();
  return row && { said: heartbeatRequest.parse(JSON.parse(row.said)), retries: row.retries };
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

async function countDecisions(
  transaction: DatabaseTransaction,
  orgId: bigint,
  said: HeartbeatRequest,
  before: HeartbeatRequest | undefined,
  at: Date,
): Promise<void> {
  const bucket = new Date(Math.floor(at.getTime() / bucketMs) * bucketMs);
  const totals = Object.entries({ ...said.denied, "": said.allowed });
  const news = totals
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
  if (news.length === 0) return;
  await transaction
    .insertInto("gate_decisions")
    .values(news)
    .onConflict((conflict) =>
      conflict.columns(["org_id", "at", "name", "code"]).doUpdateSet({
        decisions: sql`gate_decisions.decisions + excluded.decisions`,
      }),
    )
    .execute();
}

function totalIn(said: HeartbeatRequest | undefined, code: string): number {
  if (said === undefined) return 0;
  return code === "" ? said.allowed : (said.denied[code] ?? 0);
}
