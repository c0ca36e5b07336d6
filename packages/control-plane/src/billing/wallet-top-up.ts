import { randomUUID } from "node:crypto";
import type { DatabaseTransaction } from "../database/connection.ts";
import { type Entry, lockWallets, post } from "./ledger.ts";
import { apply, topUp } from "./wallet.ts";

export interface Credit {
  readonly currency: string;
  readonly amount: bigint;
}

export interface TopUpResult {
  readonly currency: string;
  readonly success: boolean;
  readonly available: bigint;
  readonly pending: bigint;
}

/** Tops up prepaid wallets of one customer; what is missing or postpaid is left alone and said so. */
export async function topUpWallets(
  transaction: DatabaseTransaction,
  orgId: bigint,
  customerId: string,
  credits: readonly Credit[],
  at: Date,
): Promise<TopUpResult[]> {
  const currencies = [...new Set(credits.map(({ currency }) => currency))];
  const wallets = await lockWallets(
    transaction,
    currencies.map((currency) => ({ orgId, customerId, currency })),
  );
  const topUpId = randomUUID();
  const entries: Entry[] = [];
  const results = credits.map(({ currency, amount }) => {
    const wallet = wallets.find((candidate) => candidate.currency === currency);
    if (wallet === undefined) return { currency, success: false, available: 0n, pending: 0n };
    const change = topUp(wallet, amount);
    const success = wallet.kind === "prepaid" && apply(wallet, change);
    if (success) entries.push({ orgId, customerId, currency, cause: "top_up", topUpId, ...change });
    return { currency, success, available: wallet.available, pending: wallet.pending };
  });
  await post(transaction, wallets, entries, at);
  return results;
}
