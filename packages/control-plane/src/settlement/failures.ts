import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { isUnavailable } from "../database/unavailable.ts";
import { errorCode } from "../errors/control-plane-error.ts";

/** Usage that cannot be settled. */
export interface SettlementFailure {
  readonly orgId: bigint;
  readonly usageId: string;
  readonly customerId: string;
  readonly currency: string | null;
  readonly message: string;
}

/** How long a failed event waits until it is tried again. */
export const failureRetryMs = 60_000;

/** The failure in a line for a log, with what to do about it. */
export function describeSettlementFailure(failure: SettlementFailure): string {
  const { orgId, usageId, customerId, currency, message } = failure;
  return (
    `settlement: usage ${usageId} of wallet ${JSON.stringify([customerId, currency])} of organisation ${orgId} cannot be settled: ${message}. ` +
    `Other usage is settled, and this is tried again each minute, and listed by GET /admin/api/organizations/${orgId}/settlement-failures. Run creditgate verify to see what differs, and correct the row in usage_reports or what its wallet refuses`
  );
}

/** Whether an error may be about one event, so that it helps to settle the others without it. */
export function isOfOneEvent(error: unknown): boolean {
  return !isUnavailable(error) && !isOfSchema.test(errorCode(error) ?? "");
}

/** SQLSTATEs that each batch meets: a table, a column or a right that is missing, a wrong password, an internal error. */
const isOfSchema = /^(28|3D|3F|42|XX)/;

/** Notes a failure; resolves whether it is new. */
export async function noteSettlementFailure(
  database: Database,
  { orgId, usageId, message }: SettlementFailure,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into settlement_failures (org_id, usage_id, message, failed_at)
    values (${orgId}, ${usageId}, ${message}, ${at})
        on conflict (org_id, usage_id) do update set message = excluded.message, failed_at = excluded.failed_at
    returning xmax = 0 as "isNew"`.execute(database);
  return rows[0]?.isNew === true;
}

/** Forgets the failures of events, which are settled. */
export async function clearSettlementFailures(
  transaction: DatabaseTransaction,
  events: readonly Pick<SettlementFailure, "orgId" | "usageId">[],
): Promise<void> {
  await sql`
    delete from settlement_failures
     where (org_id, usage_id) in (select * from unnest(${events.map(({ orgId }) => orgId)}::bigint[],
                                                       ${events.map(({ usageId }) => usageId)}::uuid[]))`.execute(
    transaction,
  );
}

/** Forgets the failures of events that were settled by other means, as by hand. */
export async function forgetSettled(database: Database): Promise<void> {
  await sql`
    delete from settlement_failures as failure using usage_reports as event
     where (event.org_id, event.usage_id) = (failure.org_id, failure.usage_id)
       and settled_at is not null`.execute(database);
}
