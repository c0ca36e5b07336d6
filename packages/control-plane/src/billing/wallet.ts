import { maxMicroCredits } from "./credits.ts";

/** A wallet as it is locked for a change; amounts are micro-credits. */
export interface Wallet {
  readonly orgId: bigint;
  readonly customerId: string;
  readonly currency: string;
  readonly kind: "prepaid" | "postpaid";
  available: bigint;
  pending: bigint;
  overageUsed: bigint;
  postpaidUsed: bigint;
}

/** What an entry of the ledger adds to a wallet. */
export interface Change {
  readonly available: bigint;
  readonly pending: bigint;
  readonly overageUsed: bigint;
  readonly postpaidUsed: bigint;
}

const none: Change = { available: 0n, pending: 0n, overageUsed: 0n, postpaidUsed: 0n };

/**
 * Usage is never refused or clipped: a prepaid wallet pays from `available`, then draws on its credit line, past the
 * limit if need be; a postpaid one accrues.
 */
export function debit(wallet: Wallet, amount: bigint): Change {
  if (wallet.kind === "postpaid") return { ...none, postpaidUsed: amount };
  const paid = amount < wallet.available ? amount : wallet.available;
  return { ...none, available: -paid, overageUsed: amount - paid };
}

/** The credit line is cleared first, the remainder becomes available. */
export function topUp(wallet: Wallet, amount: bigint): Change {
  const cleared = amount < wallet.overageUsed ? amount : wallet.overageUsed;
  return { ...none, overageUsed: -cleared, available: amount - cleared };
}

/** Applies a change; `false`, and nothing is changed, where the wallet could not hold the result. */
export function apply(wallet: Wallet, change: Change): boolean {
  const next = {
    available: wallet.available + change.available,
    pending: wallet.pending + change.pending,
    overageUsed: wallet.overageUsed + change.overageUsed,
    postpaidUsed: wallet.postpaidUsed + change.postpaidUsed,
  };
  if (Object.values(next).some((amount) => amount > maxMicroCredits)) return false;
  Object.assign(wallet, next);
  return true;
}
