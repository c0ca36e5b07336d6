import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { isUnavailable, tookTooLong } from "../database/unavailable.ts";
import type { WalletKey } from "../wallets/entry.ts";
import { orderTopUp, type TopUpClock, type TopUpOutcome } from "./order.ts";

/** A wallet for which nothing could be ordered. It is tried again. */
export interface TopUpFailure {
  readonly wallet: WalletKey;
  readonly message: string;
}

/** Wallets that are read with one statement. */
const atOnce = 100;

/**
 * Orders credits for all wallets that want them; resolves how many orders were made. Any number of workers may do so at once.
 * What fails for one wallet holds up no other.
 */
export async function orderTopUps(
  database: Database,
  clock: TopUpClock,
  onFailure: (failure: TopUpFailure) => void = () => undefined,
): Promise<number> {
  let made = 0;
  let last: Place | undefined;
  do {
    const due = await dueWallets(database, clock.now, last);
    for (const wallet of due) {
      const outcome = await tryToOrder(database, wallet, clock, onFailure);
      if (outcome === "ordered") made += 1;
    }
    last = due.length === atOnce ? due.at(-1) : undefined;
  } while (last !== undefined);
  return made;
}

async function tryToOrder(
  database: Database,
  wallet: WalletKey,
  clock: TopUpClock,
  onFailure: (failure: TopUpFailure) => void,
): Promise<TopUpOutcome | undefined> {
  try {
    const outcome = await orderTopUp(database, wallet, clock);
    if (outcome === "out_of_range") onFailure({ wallet, message: "it would hold too many credits" });
    return outcome;
  } catch (error) {
    // One that is held is tried again with the next pass.
    if (isUnavailable(error) && !tookTooLong(error)) throw error;
    onFailure({ wallet, message: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

interface Place extends WalletKey {
  /** As text, since a `Date` is never infinite. */
  readonly at: string;
}

async function dueWallets(
  database: Database,
  now: Date,
  after: Place | undefined,
): Promise<readonly Place[]> {
  const rest =
    after === undefined
      ? sql`true`
      : sql`(top_up_at, org_id, customer_id, currency)
          > (${after.at}::timestamptz, ${after.orgId}::bigint, ${after.customerId}::text, ${after.currency}::text)`;
  const { rows } = await sql<Place>`
    select org_id as "orgId", customer_id as "customerId", currency, top_up_at::text as at
      from wallets
     where top_up_due and top_up_at <= ${now} and ${rest}
     order by top_up_at, org_id, customer_id, currency
     limit ${atOnce}`.execute(database);
  return rows;
}
