import { sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import { writeEvents } from "../events/outbox.ts";
import { type Entry, nameOf, type WalletKey } from "./entry.ts";
import { readGrants, writeGrants } from "./grants.ts";
import type { Amounts, Wallet } from "./wallet.ts";
import { walletEvents } from "./wallet-events.ts";

/**
 * Locks wallets in the one order in which everybody locks them; those that do not exist are left out, and with
 * `skipLocked` those that another transaction holds.
 */
export async function lockWallets(
  transaction: DatabaseTransaction,
  keys: readonly WalletKey[],
  { skipLocked = false }: { readonly skipLocked?: boolean } = {},
): Promise<Wallet[]> {
  const { rows } = await sql<Omit<Wallet, "locked" | "grants">>`
    select org_id as "orgId", customer_id as "customerId", currency, kind,
           available, pending, overage_used as "overageUsed", postpaid_used as "postpaidUsed",
           overage_limit as "overageLimit", postpaid_limit as "postpaidLimit", accrues_from as "accruesFrom",
           wallet_capacity(wallets) as capacity,
           last_entry as "lastEntry", grants_at is not null as "hasGrants", nullif(grants_at, 'infinity') as "dueAt",
           coalesce(low_threshold, (select low_threshold from organizations
                                     where organizations.org_id = wallets.org_id)) as "lowThreshold"
      from wallets
     where (org_id, customer_id, currency) in (
             select * from unnest(${keys.map((key) => key.orgId)}::bigint[],
                                  ${keys.map((key) => key.customerId)}::text[],
                                  ${keys.map((key) => key.currency)}::text[]))
     order by org_id, customer_id, currency
       for no key update of wallets ${skipLocked ? sql`skip locked` : sql``}`.execute(transaction);
  const wallets = rows.map((row): Wallet => {
    const { available, pending, overageUsed, postpaidUsed } = row;
    return { ...row, locked: { available, pending, overageUsed, postpaidUsed }, grants: [] };
  });
  await readGrants(
    transaction,
    wallets.filter(({ hasGrants }) => hasGrants),
  );
  return wallets;
}

/**
 * Writes wallets that are locked, with the entries that explain the difference, and the events that tell of it. Each entry
 * says what its wallet has after it. Entries of one wallet are numbered without gaps, in the order in which it is locked.
 */
export async function post(
  transaction: DatabaseTransaction,
  wallets: readonly Wallet[],
  entries: readonly Entry[],
  at: Date,
): Promise<void> {
  await writeGrants(transaction, wallets);
  if (entries.length === 0) return;
  const after = numbered(wallets, entries);
  await sql`
    update wallets
       set available = new.available, pending = new.pending,
           overage_used = new.overage_used, postpaid_used = new.postpaid_used, last_entry = new.last_entry
      from unnest(${wallets.map((wallet) => wallet.orgId)}::bigint[],
                  ${wallets.map((wallet) => wallet.customerId)}::text[],
                  ${wallets.map((wallet) => wallet.currency)}::text[],
                  ${wallets.map((wallet) => wallet.available)}::bigint[],
                  ${wallets.map((wallet) => wallet.pending)}::bigint[],
                  ${wallets.map((wallet) => wallet.overageUsed)}::bigint[],
                  ${wallets.map((wallet) => wallet.postpaidUsed)}::bigint[],
                  ${wallets.map((wallet) => wallet.lastEntry)}::bigint[])
           as new (org_id, customer_id, currency, available, pending, overage_used, postpaid_used, last_entry)
     where (wallets.org_id, wallets.customer_id, wallets.currency)
         = (new.org_id, new.customer_id, new.currency)`.execute(transaction);
  await sql`
    insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, usage_id, top_up_id, invoice_id, credit_note_id, grant_id, reason,
                                available, pending, overage_used, postpaid_used, accrued_at,
                                available_after, pending_after, overage_used_after, postpaid_used_after, created_at)
    select *, ${at}::timestamptz
      from unnest(${entries.map((entry) => entry.orgId)}::bigint[],
                  ${entries.map((entry) => entry.customerId)}::text[],
                  ${entries.map((entry) => entry.currency)}::text[],
                  ${after.map(({ lastEntry }) => lastEntry)}::bigint[],
                  ${entries.map((entry) => entry.cause)}::text[],
                  ${entries.map((entry) => ("usageId" in entry ? entry.usageId : null))}::uuid[],
                  ${entries.map((entry) => ("topUpId" in entry ? entry.topUpId : null))}::uuid[],
                  ${entries.map((entry) => ("invoiceId" in entry ? entry.invoiceId : null))}::uuid[],
                  ${entries.map((entry) => ("creditNoteId" in entry ? entry.creditNoteId : null))}::uuid[],
                  ${entries.map((entry) => ("grantId" in entry ? entry.grantId : null))}::uuid[],
                  ${entries.map((entry) => ("reason" in entry ? entry.reason : null))}::text[],
                  ${entries.map((entry) => entry.available)}::bigint[],
                  ${entries.map((entry) => entry.pending)}::bigint[],
                  ${entries.map((entry) => entry.overageUsed)}::bigint[],
                  ${entries.map((entry) => entry.postpaidUsed)}::bigint[],
                  ${entries.map((entry) => entry.accruedAt ?? at)}::timestamptz[],
                  ${after.map((amounts) => amounts.available)}::bigint[],
                  ${after.map((amounts) => amounts.pending)}::bigint[],
                  ${after.map((amounts) => amounts.overageUsed)}::bigint[],
                  ${after.map((amounts) => amounts.postpaidUsed)}::bigint[])`.execute(transaction);
  await writeEvents(transaction, walletEvents(wallets, entries), at);
}

type After = Amounts & Pick<Wallet, "lastEntry">;

/** Numbers the entries. What the wallet of each has after it is counted back from what is written to the wallet. */
function numbered(wallets: readonly Wallet[], entries: readonly Entry[]): readonly After[] {
  const byName = new Map(wallets.map((wallet) => [nameOf(wallet), wallet]));
  const changes = entries.map((entry) => {
    const name = nameOf(entry);
    const wallet = byName.get(name);
    if (wallet === undefined) throw new Error(`expected the wallet of each entry, received none of ${name}`);
    wallet.lastEntry += 1n;
    return { wallet, entry };
  });
  const counted = new Map<Wallet, After>();
  const after = changes.toReversed().map(({ wallet, entry }): After => {
    const { available, pending, overageUsed, postpaidUsed, lastEntry } = counted.get(wallet) ?? wallet;
    counted.set(wallet, {
      available: available - entry.available,
      pending: pending - entry.pending,
      overageUsed: overageUsed - entry.overageUsed,
      postpaidUsed: postpaidUsed - entry.postpaidUsed,
      lastEntry: lastEntry - 1n,
    });
    return { available, pending, overageUsed, postpaidUsed, lastEntry };
  });
  return after.toReversed();
}

/** Micro-credits of usage that is accepted and will be debited from a wallet. */
export async function unsettledOf(
  transaction: DatabaseTransaction,
  { orgId, customerId, currency }: WalletKey,
): Promise<bigint> {
  const { rows } = await sql<{ unsettled: string }>`
    select unsettled_usage(${orgId}, ${customerId}, ${currency})::text as unsettled`.execute(transaction);
  return BigInt(rows[0]?.unsettled ?? 0);
}
