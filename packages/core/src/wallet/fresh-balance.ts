import { type Clock, within } from "../values/clock.ts";
import type { WalletKind } from "./capacity.ts";
import type { BalanceSource, Customer, Wallet } from "./customer.ts";

/** How a gate asks for balances, and how long it waits for them. */
interface FreshnessSettings {
  readonly clock: Clock;
  readonly checkTimeoutMs: number;
  readonly source: (customer: Customer, kind: WalletKind | undefined) => BalanceSource;
}

/**
 * Whether the wallet's balance was requested before `since`, after it has been requested again if it was. A ledger
 * that reads balances itself is not asked: it uses the last balance it received.
 */
export async function isStale(
  { customer, wallet, kind }: { customer: Customer; wallet: Wallet; kind: WalletKind | undefined },
  since: number,
  { clock, checkTimeoutMs, source }: FreshnessSettings,
): Promise<boolean> {
  const { account } = wallet;
  const isOld = () => (account.stamp ?? Number.NEGATIVE_INFINITY) < since;
  // The account stays meanwhile: no customer is evicted while a request is on its way.
  if (isOld() && account.decide === undefined) {
    await within(customer.refreshSince(since, source(customer, kind)).done, checkTimeoutMs, clock);
  }
  return isOld();
}
