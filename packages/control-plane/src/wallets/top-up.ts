import { randomUUID } from "node:crypto";
import type { DatabaseTransaction } from "../database/connection.ts";
import { advance } from "./allowances.ts";
import type { Entry, WalletKey } from "./entry.ts";
import { pay } from "./grants.ts";
import { lockWallets, post } from "./ledger.ts";
import { accrualOf, apply, type Balances, balancesOf, giveBack, topUp, type Wallet } from "./wallet.ts";

export interface Credit {
  readonly currency: string;
  readonly amount: bigint;
}

export interface TopUpResult {
  readonly currency: string;
  readonly success: boolean;
  readonly available: bigint;
  readonly pending: bigint;
  /** Why not. */
  readonly reason?: string;
}

interface TopUps {
  readonly results: readonly TopUpResult[];
  /** The wallets by their currency. */
  readonly before: ReadonlyMap<string, Balances>;
  readonly after: ReadonlyMap<string, Balances>;
}

/** Tops up prepaid wallets of one customer; what is missing or postpaid is left alone and said so. */
export async function topUpWallets(
  transaction: DatabaseTransaction,
  orgId: bigint,
  customerId: string,
  credits: readonly Credit[],
  at: Date,
): Promise<TopUps> {
  const currencies = [...new Set(credits.map(({ currency }) => currency))];
  const wallets = await lockWallets(
    transaction,
    currencies.map((currency) => ({ orgId, customerId, currency })),
  );
  const before = balancesByCurrency(wallets);
  const topUpId = randomUUID();
  const entries: Entry[] = [];
  const results = credits.map(({ currency, amount }) => {
    const wallet = wallets.find((candidate) => candidate.currency === currency);
    if (wallet === undefined) {
      const reason = "the customer has no wallet in this currency";
      return { currency, success: false, available: 0n, pending: 0n, reason };
    }
    const change = topUp(wallet, amount);
    const success = wallet.kind === "prepaid" && apply(wallet, change);
    if (success) entries.push({ orgId, customerId, currency, cause: "top_up", topUpId, ...change });
    const { available, pending } = wallet;
    if (success) return { currency, success, available, pending };
    const prepaid = wallet.kind === "prepaid";
    const reason = prepaid ? "the wallet would hold too much" : "the wallet is postpaid";
    return { currency, success, available, pending, reason };
  });
  await post(transaction, wallets, entries, at);
  return { results, before, after: balancesByCurrency(wallets) };
}

function balancesByCurrency(wallets: readonly Wallet[]): ReadonlyMap<string, Balances> {
  return new Map(wallets.map((wallet) => [wallet.currency, balancesOf(wallet)]));
}

export interface Adjustment extends WalletKey {
  readonly cause: "refund" | "correction";
  /** Micro-credits for the customer; below 0 they are taken. */
  readonly amount: bigint;
  readonly reason: string;
}

type Adjusted =
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
  const due = amount < 0n ? (await advance(transaction, wallet, at)).entries : [];
  const paid = amount < 0n ? pay(wallet, -amount, at) : undefined;
  const change = amount < 0n ? paid?.change : giveBack(wallet, amount);
  if (change === undefined)
    return { adjusted: false, reason: amount < 0n ? "out_of_range" : "more_than_used" };
  if (paid === undefined && !apply(wallet, change)) return { adjusted: false, reason: "out_of_range" };
  const accruedAt = accrualOf(wallet, change, at);
  const entries = [...due, ...(paid?.returned ?? []), { ...key, cause, reason, accruedAt, ...change }];
  await post(transaction, [wallet], entries, at);
  return { adjusted: true, before, after: balancesOf(wallet) };
}
