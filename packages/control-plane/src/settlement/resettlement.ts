import type { UsageResettleRequest } from "@creditgate/admin";
import { type RawBuilder, sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import { during } from "../lists/list.ts";

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
  const counts: number[] = [];
  if (cause === undefined || cause === "out_of_range")
    counts.push(await reopen(transaction, orgId, filter, sql`outcome = 'out_of_range'`));
  if (cause === undefined || cause === "wallet_missing")
    counts.push(await reopen(transaction, orgId, filter, sql`outcome = 'wallet_missing' and ${hasWallet}`));
  if (cause === undefined || cause === "failed") counts.push(await retry(transaction, orgId, filter));
  const resettled = counts.reduce((sum, count) => sum + count, 0);
  return { resettled, more: counts.includes(atOnce) };
}

const hasWallet = sql`exists (select from wallets
                               where (wallets.org_id, wallets.customer_id, wallets.currency)
                                   = (event.org_id, event.customer_id, event.currency))`;

async function reopen(
  transaction: DatabaseTransaction,
  orgId: bigint,
  filter: Resettlement,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update usage_reports set settled_at = null, outcome = null, changed_in = pg_current_xact_id()
      from (select org_id, usage_id, received_at from usage_reports as event
             where org_id = ${orgId} and ${condition} and ${filtered(filter)}
             order by received_at, usage_id limit ${atOnce}
               for no key update skip locked) as chosen
     where (usage_reports.org_id, usage_reports.usage_id) = (chosen.org_id, chosen.usage_id)
       and usage_reports.received_at = chosen.received_at`.execute(transaction);
  return Number(numAffectedRows);
}

async function retry(transaction: DatabaseTransaction, orgId: bigint, filter: Resettlement): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from settlement_failures
     where (org_id, usage_id) in (
             select event.org_id, event.usage_id
               from settlement_failures as failure join usage_reports as event using (org_id, usage_id)
              where event.org_id = ${orgId} and settled_at is null and ${filtered(filter)}
              order by event.received_at, event.usage_id limit ${atOnce})`.execute(transaction);
  return Number(numAffectedRows);
}

function filtered(filter: Resettlement): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [during("received_at", filter)];
  const { customer_id, agent_id, indicator, credit_currency_key, usageIds } = filter;
  if (customer_id !== undefined) conditions.push(sql`event.customer_id = ${customer_id}`);
  if (agent_id !== undefined) conditions.push(sql`event.agent_id = ${agent_id}`);
  if (indicator !== undefined) conditions.push(sql`event.indicator = ${indicator}`);
  if (credit_currency_key !== undefined) conditions.push(sql`event.currency = ${credit_currency_key}`);
  if (usageIds !== undefined) conditions.push(sql`event.usage_id = any(${usageIds}::uuid[])`);
  return sql.join(conditions, sql` and `);
}
