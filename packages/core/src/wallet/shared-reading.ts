import type { BalanceReading } from "./balance-reading.ts";
import type { BalanceUpdate, WalletKind } from "./capacity.ts";
import type { PermittedRefresh, SharedWallet } from "./ledger.ts";

/** What another process has read; `undefined` where this one must read, also to learn of what kind a wallet is. */
export function sharedReading(
  wallets: readonly SharedWallet[],
  permits: readonly PermittedRefresh[],
  kind: WalletKind | undefined,
): BalanceReading | undefined {
  const update = new Map<string, BalanceUpdate>();
  for (const [index, wallet] of wallets.entries()) {
    const permit = permits[index];
    if (permit === undefined || !("here" in permit)) return undefined;
    if (wallet.kind === undefined && kind === undefined) return undefined;
    update.set(wallet.currency, permit.here);
  }
  if (update.size === 0) return undefined;
  for (const wallet of wallets) wallet.funds = undefined;
  return {
    known: true,
    currencies: [...update.keys()],
    wallet(currency) {
      const {
        prepaid = "upstream_invalid",
        postpaid = "upstream_invalid",
        unsettled,
      } = update.get(currency) ?? {};
      return { prepaid, postpaid, unsettled, kind: undefined, funds: undefined };
    },
  };
}
