import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { WalletKey } from "./entry.ts";
import { advanceGrants, lapseGrants } from "./grants.ts";
import { lockWallets, post } from "./ledger.ts";

/** Wallets that are read with one statement. */
const atOnce = 100;

interface Place extends WalletKey {
  /** As text, exact to the microsecond. */
  readonly at: string;
}

/**
 * Lets all grants begin, expire and lapse that are due, wallet by wallet. A wallet that another transaction holds comes with the
 * next call. Any number of processes may do so at once.
 */
export async function settleGrants(database: Database, now: Date): Promise<void> {
  let last: Place | undefined;
  do {
    const due = await dueWallets(database, now, last);
    for (const wallet of due) await settleWallet(database, wallet, now);
    last = due.length === atOnce ? due.at(-1) : undefined;
  } while (last !== undefined);
}

async function dueWallets(
  database: Database,
  now: Date,
  after: Place | undefined,
): Promise<readonly Place[]> {
  const rest =
    after === undefined
      ? sql`true`
      : sql`(grants_at, org_id, customer_id, currency)
          > (${after.at}::timestamptz, ${after.orgId}::bigint, ${after.customerId}::text, ${after.currency}::text)`;
  const { rows } = await sql<Place>`
    select org_id as "orgId", customer_id as "customerId", currency, grants_at::text as at
      from wallets
     where grants_at <= ${now} and ${rest}
     order by grants_at, org_id, customer_id, currency
     limit ${atOnce}`.execute(database);
  return rows;
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
    const entries = advanceGrants(wallet, now);
    lapseGrants(wallet, now, oldest);
    await post(transaction, [wallet], entries, now);
    // Nothing is bought because credits have expired: the next debit looks again.
    if (!tops)
      await sql`update wallets set top_up_due = false where ${is} and top_up_due`.execute(transaction);
  });
}
