import type { GrantState } from "../database/tables.ts";
import { maxMicroCredits } from "../money/decimal.ts";

/** What is on a wallet, in micro-credits. */
export interface Amounts {
  readonly available: bigint;
  readonly pending: bigint;
  readonly overageUsed: bigint;
  readonly postpaidUsed: bigint;
}

/** What an entry of the ledger adds to a wallet. */
export interface Change extends Amounts {}

/** A wallet as it is locked for a change; amounts are micro-credits. */
export interface Wallet extends WalletBounds {
  readonly orgId: bigint;
  readonly customerId: string;
  readonly currency: string;
  readonly kind: "prepaid" | "postpaid";
  available: bigint;
  pending: bigint;
  overageUsed: bigint;
  postpaidUsed: bigint;
  /** The end of the last period that is closed. What the wallet accrues counts from here on. */
  readonly accruesFrom: Date;
  /** The number of its last entry. */
  lastEntry: bigint;
  /** What was on it when it was locked. */
  readonly locked: Amounts;
  /** What it could pay then, by the database's `wallet_capacity()`; `null`: without a limit. */
  readonly capacity: bigint | null;
  /** When something of its grants and allowances becomes due; `null`: never. */
  readonly dueAt: Date | null;
  /** Whether it has grants or allowances, some of which may be over. */
  readonly hasGrants: boolean;
  /** Those that are not over. What they hold is a part of what is available. */
  readonly grants: Grant[];
}

/** Credits of a wallet that expire, or are spent before or after others. */
export interface Grant {
  readonly grantId: string;
  readonly source: "promotion" | "purchase";
  /** Those of a lower number are spent first. */
  readonly priority: number;
  readonly amount: bigint;
  remaining: bigint;
  state: GrantState;
  readonly effectiveAt: Date;
  /** `null`: they never do. */
  expiresAt: Date | null;
  /** Of the order that it came with, and of the allowance whose period it is for. */
  readonly orderId: string | null;
  readonly allowanceId: string | null;
  /** As it is written; `undefined`: it is not, yet. */
  stored: Pick<Grant, "remaining" | "state" | "expiresAt"> | undefined;
}

/** What a wallet is held against. */
interface WalletBounds {
  readonly overageLimit: bigint;
  /** 0: none. */
  readonly postpaidLimit: bigint;
  /** Below it the wallet is low; `null`: it never is. */
  readonly lowThreshold: bigint | null;
}

/** What is on a wallet, as the admin API answers it. */
export interface Balances {
  readonly [name: string]: bigint;
  readonly available: bigint;
  readonly pending: bigint;
  readonly overageUsed: bigint;
  readonly postpaidUsed: bigint;
}

export function balancesOf({ available, pending, overageUsed, postpaidUsed }: Wallet): Balances {
  return { available, pending, overageUsed, postpaidUsed };
}

const none: Change = { available: 0n, pending: 0n, overageUsed: 0n, postpaidUsed: 0n };

/**
 * Usage is never refused or clipped: a prepaid wallet pays from `available`, then draws on its credit line, past the
 * limit if need be; a postpaid one accrues.
 */
export function debit(wallet: Pick<Wallet, "kind" | "available">, amount: bigint): Change {
  if (wallet.kind === "postpaid") return { ...none, postpaidUsed: amount };
  const paid = amount < wallet.available ? amount : wallet.available;
  return { ...none, available: -paid, overageUsed: amount - paid };
}

/** The credit line is cleared first, the remainder becomes available. */
export function topUp(wallet: Wallet, amount: bigint): Change {
  const cleared = amount < wallet.overageUsed ? amount : wallet.overageUsed;
  return { ...none, overageUsed: -cleared, available: amount - cleared };
}

/** Credits of an invoice that is not paid yet. */
export function benefit(amount: bigint): Change {
  return { ...none, pending: amount };
}

/** Credits of an invoice that has been paid: as a top-up, but for those that are grants. */
export function release(wallet: Wallet, amount: bigint, granted: bigint): Change {
  return { ...topUp(wallet, amount - granted), pending: -amount };
}

/** Credits of an invoice that will not be paid. */
export function withdrawn(amount: bigint): Change {
  return { ...none, pending: -amount };
}

/** The use of a period whose invoice is void: it is on the bill again. */
export function rebilled(credits: bigint): Change {
  return { ...none, postpaidUsed: credits };
}

/** The use of a period that has been invoiced. */
export function invoiced(credits: bigint): Change {
  return { ...none, postpaidUsed: -credits };
}

/**
 * When a change of the bill counts that happened then. What comes after its period was closed is on the next invoice;
 * what is given back comes off the next invoice, whenever the use was.
 */
export function accrualOf(wallet: Wallet, change: Change, happenedAt: Date): Date {
  if (wallet.kind === "prepaid") return happenedAt;
  return change.postpaidUsed < 0n || happenedAt < wallet.accruesFrom ? wallet.accruesFrom : happenedAt;
}

/** Gives credits back, to be spent or off the bill; `undefined` where there is less on the bill. */
export function giveBack(wallet: Wallet, amount: bigint): Change | undefined {
  if (wallet.kind === "prepaid") return topUp(wallet, amount);
  return amount > wallet.postpaidUsed ? undefined : { ...none, postpaidUsed: -amount };
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
