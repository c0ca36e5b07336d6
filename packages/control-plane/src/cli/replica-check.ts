import { connect } from "../database/connection.ts";
import { createPositions, faultOf } from "../database/replica-state.ts";
import { unavailableReason } from "../database/unavailable.ts";
import { readDatabaseUrl, readReplicaUrl } from "./values.ts";

/** What doctor says of something of our own: as a finding about the service. */
export interface ReplicaFinding {
  readonly name: "replica";
  readonly ok: boolean | undefined;
  readonly message: string;
  readonly fix?: string;
}

const timeouts = {
  statement_timeout: 5_000,
  lock_timeout: 1_000,
  idle_in_transaction_session_timeout: 10_000,
};

/** Whether servers with these variables would read lists from the replica; `undefined` where none is named. */
export async function checkReplica(environment: NodeJS.ProcessEnv): Promise<ReplicaFinding | undefined> {
  const replicaUrl = readReplicaUrl(environment);
  const databaseUrl = readDatabaseUrl(environment.DATABASE_URL);
  if (replicaUrl === undefined || databaseUrl === undefined) return undefined;
  const primary = connect(databaseUrl, 2, timeouts);
  const replica = connect(replicaUrl, 1, timeouts);
  try {
    const fault = await faultOf(primary.database, createPositions(primary.database), replica.database);
    if (fault === undefined)
      return { name: "replica", ok: true, message: "lists and sums are read from DATABASE_REPLICA_URL" };
    return {
      name: "replica",
      ok: false,
      message: `lists and sums are read from the primary, not from DATABASE_REPLICA_URL: ${fault}`,
      fix: "mend the replica, or take the variable away: the primary answers as well",
    };
  } catch (error) {
    const why = unavailableReason(error);
    return { name: "replica", ok: undefined, message: `DATABASE_URL cannot be asked about it: ${why}` };
  } finally {
    await Promise.all([primary.close(), replica.close()]);
  }
}
