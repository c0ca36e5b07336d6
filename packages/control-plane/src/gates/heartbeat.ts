import type { HeartbeatAnswer, HeartbeatRequest } from "@creditgate/client";
import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { Problem } from "../http/problem.ts";
import { lockGate } from "./locked-gate.ts";

/** Gates of one organisation of which something was heard within the last hour. */
const mostGates = 1_000;
export const forgottenAfterMs = 3_600_000;
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
  before: Totals | undefined,
  at: Date,
): Promise<void> {
  const bucket = new Date(Math.floor(at.getTime() / bucketMs) * bucketMs);
  const news = Object.entries({ ...said.denied, "": said.allowed })
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

function totalIn(totals: Totals | undefined, code: string): number {
  if (totals === undefined) return 0;
  return code === "" ? totals.allowed : (totals.denied[code] ?? 0);
}
