import type { DatabaseTransaction } from "../database/connection.ts";
import { lockWallets, post, type WalletKey } from "./ledger.ts";
import { accrualOf, apply, type Balances, balancesOf, debit, giveBack } from "./wallet.ts";

export interface Adjustment extends WalletKey {
  readonly cause: "refund" | "correction";
  /** Micro-credits for the customer; below 0 they are taken. */
  readonly amount: bigint;
  readonly reason: string;
}

export type Adjusted =
  | { readonly adjusted: true; readonly before: Balances; readonly after: Balances }
  | { readonly adjusted: false; readonly reason: "wallet_missing" | "more_than_used" | "out_of_range" };

/**
 * Gives credits back, as a top-up would, or takes them, as usage would; on a postpaid wallet, off the bill or onto it.
 * What has been written stays: an adjustment is an entry of its own.
 */
export async function adjust(
  transaction: DatabaseTransaction,
  { cause, amount, reason, ...key }: Adjustment,
  at: Date,
): Promise<Adjusted> {
  const [wallet] = await lockWallets(transaction, [key]);
  if (wallet === undefined) return { adjusted: false, reason: "wallet_missing" };
  const before = balancesOf(wallet);
  const change = amount < 0n ? debit(wallet, -amount) : giveBack(wallet, amount);
  if (change === undefined) return { adjusted: false, reason: "more_than_used" };
  if (!apply(wallet, change)) return { adjusted: false, reason: "out_of_range" };
  const accruedAt = accrualOf(wallet, change, at);
  await post(transaction, [wallet], [{ ...key, cause, reason, accruedAt, ...change }], at);
  return { adjusted: true, before, after: balancesOf(wallet) };
}
