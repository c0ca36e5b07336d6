import { type RawBuilder, sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { WalletKey } from "./entry.ts";

/**
 * The wallets of these that do not exist, and that no other transaction opens before this transaction ends: usage that waits for
 * them can be noted without being overlooked by who opens them. Never waits; a wallet that is being opened is left out.
 */
export async function lockMissing(
  transaction: DatabaseTransaction,
  keys: readonly WalletKey[],
): Promise<readonly WalletKey[]> {
  if (keys.length === 0) return [];
  const { rows: locked } = await sql<WalletKey>`
    select org_id as "orgId", customer_id as "customerId", currency from (${unnest(keys)}) as missing
     where pg_try_advisory_xact_lock_shared(${lockOf})`.execute(transaction);
  // Asked once more, since it may have been opened between the first look and the lock.
  const { rows } = await sql<WalletKey>`
    select org_id as "orgId", customer_id as "customerId", currency from (${unnest(locked)}) as missing
     where not exists (select from wallets
                        where (wallets.org_id, wallets.customer_id, wallets.currency)
                            = (missing.org_id, missing.customer_id, missing.currency))`.execute(transaction);
  return rows;
}

/** Waits until no settlement notes usage as waiting for these wallets. Comes before they are opened. */
export async function lockOpening(
  transaction: DatabaseTransaction,
  keys: readonly WalletKey[],
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockOf}) from (${unnest(keys)}) as opened`.execute(transaction);
}

/** Notes that wallets have been opened, where usage waits for them. */
export async function noteOpenings(
  transaction: DatabaseTransaction,
  keys: readonly WalletKey[],
): Promise<void> {
  await sql`
    insert into wallet_openings (org_id, customer_id, currency)
    select org_id, customer_id, currency from (${unnest(keys)}) as opened
     where exists (select from usage_outcomes as event
                    where event.org_id = opened.org_id and event.customer_id = opened.customer_id
                      and event.currency = opened.currency and outcome = 'wallet_missing')
        on conflict do nothing`.execute(transaction);
}

/**
 * Takes usage up again that waited for a wallet which has been opened since: it is settled like any other that is due.
 * Resolves whether there was any.
 */
export function reopenUsage(database: Database, batchSize = 1_000): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const opening = await transaction
      .selectFrom("wallet_openings")
      .selectAll()
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (opening === undefined) return false;
    const { org_id, customer_id, currency } = opening;
    const isOfWallet = sql`org_id = ${org_id} and customer_id = ${customer_id} and currency = ${currency}`;
    const reopened = await reopen(transaction, sql`${isOfWallet} and outcome = 'wallet_missing'`, batchSize);
    if (reopened < batchSize) {
      await transaction
        .deleteFrom("wallet_openings")
        .where("org_id", "=", org_id)
        .where("customer_id", "=", customer_id)
        .where("currency", "=", currency)
        .execute();
    }
    return true;
  });
}

/** Queues usage again that was settled without an entry, the oldest first; resolves how many reports. It is in the sums already. */
export async function reopen(
  transaction: DatabaseTransaction,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with reopened as (
           delete from usage_outcomes
            where (org_id, received_at, usage_id) in (
                    select org_id, received_at, usage_id from usage_outcomes as event
                     where ${condition} order by received_at, usage_id limit ${limit} for update skip locked)
           returning *)
    insert into usage_due (org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, due_at, counted, budgets)
    select org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, received_at, true,
           (select budgets from usage_reports as report
             where (report.org_id, report.received_at, report.usage_id)
                 = (reopened.org_id, reopened.received_at, reopened.usage_id))
      from reopened`.execute(transaction);
  return Number(numAffectedRows);
}

const lockOf = sql<bigint>`hashtextextended(jsonb_build_array('wallet', org_id, customer_id, currency)::text, 0)`;

function unnest(keys: readonly WalletKey[]) {
  return sql`select * from unnest(${keys.map(({ orgId }) => orgId)}::bigint[],
                                  ${keys.map(({ customerId }) => customerId)}::text[],
                                  ${keys.map(({ currency }) => currency)}::text[])
                           as wallet (org_id, customer_id, currency)`;
}
