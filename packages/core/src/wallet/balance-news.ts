import { type Clock, within } from "../values/clock.ts";
import type { BalanceSource, Customer, Wallet } from "./customer.ts";

/**
 * Whether the balance of the wallet was asked for at `since` or later, once it has been asked for again where it was not. A ledger
 * that reads balances by itself is not asked: it has what it last heard.
 */
export async function hasNewsSince(
  since: number,
  { customer, wallet, source }: { customer: Customer; wallet: Wallet; source: BalanceSource },
  { clock, checkTimeoutMs }: { clock: Clock; checkTimeoutMs: number },
): Promise<boolean> {
  const isNew = () => (wallet.account.stamp ?? Number.NEGATIVE_INFINITY) >= since;
  if (isNew() || wallet.account.decide !== undefined) return isNew();
  // Evicted meanwhile, its news would go to an account that is gone.
  const leave = customer.visit();
  try {
    await within(customer.refreshSince(since, source).done, checkTimeoutMs, clock);
    return isNew();
  } finally {
    leave();
  }
}
