import { type Clock, within } from "../values/clock.ts";
import type { WalletKind } from "./capacity.ts";
import type { BalanceSource, Customer, Wallet } from "./customer.ts";

/** How a gate asks for balances, and how long it waits for them. */
interface NewsSettings {
  readonly clock: Clock;
  readonly checkTimeoutMs: number;
  readonly source: (customer: Customer, kind: WalletKind | undefined) => BalanceSource;
}

/**
 * Whether the balance of the wallet was asked for before `since`, once it has been asked for again where it was. A ledger that
 * reads balances by itself is not asked: it has what it last heard.
 */
export async function isStale(
  { customer, wallet, kind }: { customer: Customer; wallet: Wallet; kind: WalletKind | undefined },
  since: number,
  { clock, checkTimeoutMs, source }: NewsSettings,
): Promise<boolean> {
  const { account } = wallet;
  const isOld = () => (account.stamp ?? Number.NEGATIVE_INFINITY) < since;
  // The account stays meanwhile: no customer is evicted while a request is on its way.
  if (isOld() && account.decide === undefined) {
    await within(customer.refreshSince(since, source(customer, kind)).done, checkTimeoutMs, clock);
  }
  return isOld();
}
