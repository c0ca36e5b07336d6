import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { WalletKey } from "../wallets/entry.ts";

/** A period that cannot be invoiced; it is tried again with each pass, and holds up no other. */
export interface PeriodFailure {
  readonly orgId: bigint;
  /** `undefined` where it is the whole organisation. */
  readonly wallet: WalletKey | undefined;
  readonly periodEnd: Date | undefined;
  readonly message: string;
}

/** The failure in a line for a log, with what to do about it. */
export function describeFailure({ orgId, wallet, periodEnd, message }: PeriodFailure): string {
  const whose =
    wallet === undefined
      ? `organisation ${orgId}`
      : `wallet ${JSON.stringify([wallet.customerId, wallet.currency])} of organisation ${orgId}`;
  const when = periodEnd === undefined ? "" : ` up to ${periodEnd.toISOString()}`;
  return `period: ${whose} cannot be invoiced${when}: ${message}. It is tried again with each pass, and listed by GET /admin/api/organizations/${orgId}/period-failures`;
}

export async function noteFailure(database: Database, failure: PeriodFailure, at: Date): Promise<void> {
  const { orgId, wallet, periodEnd, message } = failure;
  await sql`
    insert into period_failures (org_id, customer_id, currency, period_end, message, failed_at)
    values (${orgId}, ${wallet?.customerId ?? null}, ${wallet?.currency ?? null}, ${periodEnd ?? null}, ${message}, ${at})
        on conflict (org_id, customer_id, currency)
        do update set period_end = excluded.period_end, message = excluded.message, failed_at = excluded.failed_at`.execute(
    database,
  );
}

/** Forgets the failure of a wallet, which has been invoiced. */
export async function clearFailure(
  database: Database,
  { orgId, customerId, currency }: WalletKey,
): Promise<void> {
  await database
    .deleteFrom("period_failures")
    .where("org_id", "=", orgId)
    .where("customer_id", "=", customerId)
    .where("currency", "=", currency)
    .execute();
}

/** Deletes the failures of organisations, or of one, whose periods can be computed again. */
export async function clearOrganizations(database: Database, orgId?: bigint): Promise<void> {
  const failures = database.deleteFrom("period_failures").where("customer_id", "is", null);
  await (orgId === undefined ? failures : failures.where("org_id", "=", orgId)).execute();
}

/** The wallets of an organisation that could not be invoiced when they were tried last. */
export async function failedWallets(database: Database, orgId: bigint): Promise<readonly WalletKey[]> {
  const { rows } = await sql<WalletKey>`
    select org_id as "orgId", customer_id as "customerId", currency from period_failures
     where org_id = ${orgId} and customer_id is not null
     order by customer_id, currency`.execute(database);
  return rows;
}
