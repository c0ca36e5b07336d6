import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { advance } from "./allowances.ts";
import { visitDue, type WalletFailure } from "./due.ts";
import type { WalletKey } from "./entry.ts";
import { lapseGrants } from "./grants.ts";
import { lockWallets, post } from "./ledger.ts";

/**
 * Lets all grants begin, expire and lapse that are due, wallet by wallet. A wallet that another transaction holds comes with the
 * next call. Any number of processes may do so at once. What fails for one wallet holds up no other.
 */
export function settleGrants(
  database: Database,
  now: Date,
  onFailure: (failure: WalletFailure) => void,
): Promise<void> {
  const settle = (wallet: WalletKey): Promise<void> => settleWallet(database, wallet, now);
  return visitDue(database, "grants_at", sql`grants_at <= ${now}`, settle, onFailure);
}

function settleWallet(database: Database, key: WalletKey, now: Date): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const [wallet] = await lockWallets(transaction, [key], { skipLocked: true });
    if (wallet === undefined) return;
    const is = sql`(org_id, customer_id, currency) = (${key.orgId}, ${key.customerId}, ${key.currency})`;
    const { rows } = await sql<{ readonly tops: boolean; readonly oldest: Date | null }>`
      select top_up_due as tops, (select min(received_at) from usage_due where ${is} and failed_at is null) as oldest
        from wallets where ${is}`.execute(transaction);
    const [{ tops, oldest } = { tops: false, oldest: null }] = rows;
    const { entries } = await advance(transaction, wallet, now);
    lapseGrants(wallet, now, oldest);
    await post(transaction, [wallet], entries, now);
    // Nothing is bought because credits have expired: the next debit looks again.
    if (!tops)
      await sql`update wallets set top_up_due = false where ${is} and top_up_due`.execute(transaction);
  });
}
