import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { isUnavailable, tookTooLong } from "../database/unavailable.ts";
import { visitDue } from "../wallets/due.ts";
import type { WalletKey } from "../wallets/entry.ts";
import { orderTopUp, type TopUpClock, type TopUpOutcome } from "./order.ts";

/** A wallet for which nothing could be ordered. It is tried again. */
export interface TopUpFailure {
  readonly wallet: WalletKey;
  readonly message: string;
}

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
  const isDue = sql`top_up_due and top_up_at <= ${clock.now}`;
  await visitDue(database, "top_up_at", isDue, async (wallet) => {
    if ((await tryToOrder(database, wallet, clock, onFailure)) === "ordered") made += 1;
  });
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
