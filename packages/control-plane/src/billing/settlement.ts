import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { UsageOutcome } from "../database/tables.ts";
import { type Entry, lockWallets, post, type WalletKey } from "./ledger.ts";
import { lockMissing } from "./missing-wallets.ts";
import { accrualOf, apply, debit, type Wallet } from "./wallet.ts";

interface DueEvent {
  readonly orgId: bigint;
  readonly usageId: string;
  readonly customerId: string;
  readonly currency: string | null;
  readonly amount: bigint;
  readonly receivedAt: Date;
}

export interface SettledEvent {
  readonly outcome: UsageOutcome;
  readonly receivedAt: Date;
}

/** Settles usage that is due in one transaction; resolves how many events. */
export async function settleDue(database: Database, now: Date, batchSize?: number): Promise<number> {
  return (await settleBatch(database, now, batchSize)).length;
}

/**
 * Settles usage that is due, oldest first, in one transaction. Any number of workers may do so at once: each claims
 * events that no other has, and the ledger takes one entry per event at most.
 */
export function settleBatch(
  database: Database,
  now: Date,
  batchSize = 500,
): Promise<readonly SettledEvent[]> {
  return database.transaction().execute(async (transaction) => {
    const events = await claimDue(transaction, now, batchSize);
    if (events.length === 0) return [];
    const keys = walletKeys(events);
    const wallets = new Map<string, Wallet>();
    for (const wallet of await lockWallets(transaction, [...keys.values()]))
      wallets.set(nameOf(wallet), wallet);
    for (const name of wallets.keys()) keys.delete(name);
    const missing = new Set((await lockMissing(transaction, [...keys.values()])).map(nameOf));

    const entries: Entry[] = [];
    const settled = events.flatMap((event) => {
      const outcome = settle(event, { wallets, missing }, entries);
      return outcome === undefined ? [] : [{ ...event, outcome }];
    });
    await post(transaction, [...wallets.values()], entries, now);
    await sql`
      update usage_events
         set settled_at = ${now}, outcome = settled.outcome
        from unnest(${settled.map(({ orgId }) => orgId)}::bigint[],
                    ${settled.map(({ usageId }) => usageId)}::uuid[],
                    ${settled.map(({ outcome }) => outcome)}::text[]) as settled (org_id, usage_id, outcome)
       where (usage_events.org_id, usage_events.usage_id) = (settled.org_id, settled.usage_id)`.execute(
      transaction,
    );
    return settled;
  });
}

async function claimDue(
  transaction: DatabaseTransaction,
  now: Date,
  batchSize: number,
): Promise<readonly DueEvent[]> {
  const { rows } = await sql<DueEvent>`
    select org_id as "orgId", usage_id as "usageId", customer_id as "customerId", currency, amount,
           received_at as "receivedAt"
      from usage_events
     where settled_at is null and due_at <= ${now}
     order by due_at
     limit ${batchSize}
       for no key update skip locked`.execute(transaction);
  return rows;
}

interface FoundWallets {
  readonly wallets: ReadonlyMap<string, Wallet>;
  /** The names of those that do not exist. */
  readonly missing: ReadonlySet<string>;
}

/** `undefined` where the wallet is being opened: the usage is settled with the next batch. */
function settle(
  event: DueEvent,
  { wallets, missing }: FoundWallets,
  entries: Entry[],
): UsageOutcome | undefined {
  const { orgId, usageId, customerId, currency, amount, receivedAt } = event;
  if (currency === null) return "not_credits";
  const name = nameOf({ orgId, customerId, currency });
  const wallet = wallets.get(name);
  if (wallet === undefined) return missing.has(name) ? "wallet_missing" : undefined;
  if (amount === 0n) return "free";
  const change = debit(wallet, amount);
  if (!apply(wallet, change)) return "out_of_range";
  const accruedAt = accrualOf(wallet, change, receivedAt);
  entries.push({ orgId, customerId, currency, cause: "usage", usageId, accruedAt, ...change });
  return wallet.kind === "prepaid" ? "debited" : "accrued";
}

function walletKeys(events: readonly DueEvent[]): Map<string, WalletKey> {
  const keys = new Map<string, WalletKey>();
  for (const { orgId, customerId, currency } of events) {
    if (currency !== null) keys.set(nameOf({ orgId, customerId, currency }), { orgId, customerId, currency });
  }
  return keys;
}

function nameOf({ orgId, customerId, currency }: WalletKey): string {
  return JSON.stringify([String(orgId), customerId, currency]);
}
