import type { RawBuilder } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";

export interface GateKey {
  readonly orgId: bigint;
  readonly gateId: string;
}

export interface LockedGate<Said> {
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
