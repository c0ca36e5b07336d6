import type { WalletState } from "../database/tables.ts";
import type { Event } from "../events/outbox.ts";
import type { JsonObject } from "../http/json.ts";
import type { Change, Wallet } from "./wallet.ts";

/** The part of a ledger entry that events contain. */
export interface EventEntry extends Change {
  readonly orgId: bigint;
  readonly customerId: string;
  readonly currency: string;
  readonly cause: string;
  readonly topUpId?: string;
  readonly invoiceId?: string;
}

/**
 * The events of a change of wallets: credits that came in, then the bounds that were crossed downwards. The balance
 * before is the one under the lock, so that each crossing emits one event.
 */
export function walletEvents(wallets: readonly Wallet[], entries: readonly EventEntry[]): readonly Event[] {
  const credits = entries.filter(isCredit);
  return wallets.flatMap((wallet) => [
    ...creditsOf(wallet, credits),
    ...crossings({ ...wallet, ...wallet.locked }, wallet),
  ]);
}

/** What is left before the wallet is low; `undefined` where it has no limit. */
function remaining(wallet: Wallet): bigint | undefined {
  if (wallet.kind === "prepaid") return wallet.available;
  return wallet.postpaidLimit === 0n ? undefined : wallet.postpaidLimit - wallet.postpaidUsed;
}

/** Whether credits can be spent that were not there before: by a payment, a grant, or given back. */
function isCredit({ cause, available, overageUsed }: EventEntry): boolean {
  return cause !== "opening" && cause !== "expiry" && (available > 0n || overageUsed < 0n);
}

function creditsOf(wallet: Wallet, credits: readonly EventEntry[]): readonly Event[] {
  if (credits.length === 0) return [];
  const own = credits.filter(
    ({ orgId, customerId, currency }) =>
      currency === wallet.currency && customerId === wallet.customerId && orgId === wallet.orgId,
  );
  return own.map(({ cause, available, overageUsed, topUpId = null, invoiceId = null }) =>
    eventOf(wallet, "wallet.topped_up", { cause, credits: available - overageUsed, topUpId, invoiceId }),
  );
}

/** The bounds that a wallet has crossed downwards, by what it holds, or because they were moved. */
export function crossings(before: Wallet, after: Wallet): readonly Event[] {
  const crossed = (isBelow: (wallet: Wallet) => boolean): boolean => isBelow(after) && !isBelow(before);
  return [
    ...(crossed(isLow) ? [eventOf(after, "wallet.low")] : []),
    ...(crossed(({ overageUsed }) => overageUsed > 0n) ? [eventOf(after, "overage.started")] : []),
    ...(crossed(isExhausted) ? [eventOf(after, "wallet.exhausted")] : []),
  ];
}

function isLow(wallet: Wallet): boolean {
  const left = remaining(wallet);
  return wallet.lowThreshold !== null && left !== undefined && left < wallet.lowThreshold;
}

/** Nothing can be spent, on credit neither: of what it could pay when it was locked, nothing is left. */
function isExhausted({ capacity, locked, available, overageUsed, postpaidUsed }: Wallet): boolean {
  if (capacity === null) return false;
  const spent =
    locked.available - available + overageUsed - locked.overageUsed + postpaidUsed - locked.postpaidUsed;
  return capacity <= spent;
}

/** As the database computes it for the row. */
function stateOf(wallet: Wallet): WalletState {
  if (isExhausted(wallet)) return "exhausted";
  return wallet.overageUsed > 0n ? "overage" : "funded";
}

function eventOf(wallet: Wallet, type: Event["type"], more: JsonObject = {}): Event {
  const { orgId, customerId, currency } = wallet;
  const data = {
    customerId,
    creditCurrencyKey: currency,
    kind: wallet.kind,
    state: stateOf(wallet),
    available: wallet.available,
    pending: wallet.pending,
    overageUsed: wallet.overageUsed,
    overageLimit: wallet.overageLimit,
    postpaidUsed: wallet.postpaidUsed,
    postpaidLimit: wallet.postpaidLimit,
    lowThreshold: wallet.lowThreshold,
    ...more,
  };
  return { orgId, type, customerId, currency, data };
}
