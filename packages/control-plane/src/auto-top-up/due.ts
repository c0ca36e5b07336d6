import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { visitDue, type WalletFailure } from "../wallets/due.ts";
import type { WalletKey } from "../wallets/entry.ts";
import { orderTopUp, type TopUpClock } from "./order.ts";

/**
 * Orders credits for all wallets that want them; resolves how many orders were made. Any number of workers may do so at once.
 * What fails for one wallet holds up no other.
 */
export async function orderTopUps(
  database: Database,
  clock: TopUpClock,
  onFailure: (failure: WalletFailure) => void = () => undefined,
): Promise<number> {
  let made = 0;
  const isDue = sql`top_up_due and top_up_at <= ${clock.now}`;
  const order = async (wallet: WalletKey): Promise<void> => {
    const outcome = await orderTopUp(database, wallet, clock);
    if (outcome === "ordered") made += 1;
    if (outcome === "out_of_range") onFailure({ wallet, message: "it would hold too many credits" });
  };
  await visitDue(database, "top_up_at", isDue, order, onFailure);
  return made;
}
