import { sql } from "kysely";
import { type Database, isUnavailable } from "../database/connection.ts";
import { errorCode } from "../errors/control-plane-error.ts";

/** Usage that cannot be settled. */
export interface SettlementFailure {
  readonly orgId: bigint;
  readonly usageId: string;
  readonly customerId: string;
  readonly currency: string | null;
  readonly receivedAt: Date;
  readonly message: string;
}

/** How long a failed event waits until it is tried again. */
export const failureRetryMs = 60_000;

/** The failure in a line for a log, with what to do about it. */
export function describeSettlementFailure(failure: SettlementFailure): string {
  const { orgId, usageId, customerId, currency, message } = failure;
  return (
    `settlement: usage ${usageId} of wallet ${JSON.stringify([customerId, currency])} of organisation ${orgId} cannot be settled: ${message}. ` +
    `Other usage is settled, and this is tried again each minute, and listed by GET /admin/api/organizations/${orgId}/settlement-failures. Run creditgate verify to see what differs, and correct the row in usage_due or what its wallet refuses`
  );
}

/** Whether an error may be about one event, so that it helps to settle the others without it. */
export function isOfOneEvent(error: unknown): boolean {
  return !isUnavailable(error) && !isOfSchema.test(errorCode(error) ?? "");
}

/** SQLSTATEs that each batch meets: a table, a column or a right that is missing, a wrong password, an internal error. */
const isOfSchema = /^(28|3D|3F|42|XX)/;

/** Notes a failure, unless another worker is settling the report; resolves whether it is new. */
export async function noteSettlementFailure(
  database: Database,
  { orgId, usageId, receivedAt, message }: SettlementFailure,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    update usage_due set message = ${message}, failed_at = ${at}
      from (select org_id, received_at, usage_id, failed_at from usage_due
             where org_id = ${orgId} and received_at = ${receivedAt} and usage_id = ${usageId}
               for update skip locked) as before
     where (usage_due.org_id, usage_due.received_at, usage_due.usage_id) = (before.org_id, before.received_at, before.usage_id)
    returning before.failed_at is null as "isNew"`.execute(database);
  return rows[0]?.isNew === true;
}
