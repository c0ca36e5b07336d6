import type { UsageResettleRequest } from "@creditgate/admin";
import { type RawBuilder, sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import { during } from "../lists/keyset.ts";
import { reopen } from "../wallets/missing-wallets.ts";

/** Which usage that no wallet has paid, or that has failed. */
export type Resettlement = Omit<UsageResettleRequest, "reason">;

export interface Resettled {
  /** Reports. */
  readonly resettled: number;
  /** Whether there may be more. */
  readonly more: boolean;
}

/** Reports of each cause that are taken up at a time. */
const atOnce = 1_000;

/**
 * Takes usage up again, so that it is settled like any other that is due: at the price of its time, and once, since the
 * ledger takes one entry for each report. Usage whose wallet is still missing stays as it is. What has failed is
 * tried with the next batch, instead of after a while.
 */
export async function resettle(
  transaction: DatabaseTransaction,
  orgId: bigint,
  filter: Resettlement,
): Promise<Resettled> {
  const { cause } = filter;
  const own = sql`event.org_id = ${orgId} and ${filtered(filter)}`;
  const counts: number[] = [];
  if (cause === undefined || cause === "out_of_range")
    counts.push(await reopen(transaction, sql`outcome = 'out_of_range' and ${own}`, atOnce));
  if (cause === undefined || cause === "wallet_missing")
    counts.push(
      await reopen(transaction, sql`outcome = 'wallet_missing' and ${own} and ${hasWallet}`, atOnce),
    );
  if (cause === undefined || cause === "failed") counts.push(await retry(transaction, own));
  const resettled = counts.reduce((sum, count) => sum + count, 0);
  return { resettled, more: counts.includes(atOnce) };
}

const hasWallet = sql`exists (select from wallets
                               where (wallets.org_id, wallets.customer_id, wallets.currency)
                                   = (event.org_id, event.customer_id, event.currency))`;

async function retry(transaction: DatabaseTransaction, own: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update usage_due set failed_at = null, message = null
     where (org_id, received_at, usage_id) in (
             select org_id, received_at, usage_id from usage_due as event
              where failed_at is not null and ${own}
              order by received_at, usage_id limit ${atOnce})`.execute(transaction);
  return Number(numAffectedRows);
}

function filtered(filter: Resettlement): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [during("received_at", filter)];
  const { customerId, agentId, indicator, creditCurrencyKey, usageIds } = filter;
  if (customerId !== undefined) conditions.push(sql`event.customer_id = ${customerId}`);
  if (agentId !== undefined) conditions.push(sql`event.agent_id = ${agentId}`);
  if (indicator !== undefined) conditions.push(sql`event.indicator = ${indicator}`);
  if (creditCurrencyKey !== undefined) conditions.push(sql`event.currency = ${creditCurrencyKey}`);
  if (usageIds !== undefined) conditions.push(sql`event.usage_id = any(${usageIds}::uuid[])`);
  return sql.join(conditions, sql` and `);
}
