import { type AccountState, addUsage, plus } from "./account-state.ts";

/**
 * The store has lost its memory, or a part of it, or is an older one: what was read is not known any more, nor when usage was
 * acknowledged. Where figures and what they sum up have not been lost together, what is left of either counts.
 */
export function beginEpoch(account: AccountState, epoch: string, windowMs: number): void {
  account.epoch = epoch;
  account.prepaid = null;
  account.postpaid = null;
  account.stamp = null;
  account.shownPrepaid = 0;
  account.shownPostpaid = 0;
  account.requestAt = null;
  countReservations(account);
  stampAnew(account, windowMs);
}

function countReservations(account: AccountState): void {
  account.out = 0;
  account.inForce = 0;
  for (const { amount, recalls } of account.reservations.values()) {
    account.recalls = Math.max(account.recalls, recalls);
    if (amount === 0) continue;
    account.inForce++;
    account.out = plus(account.out, amount);
  }
}

function stampAnew(account: AccountState, windowMs: number): void {
  let [amount, queued] = [0, 0];
  for (const window of account.windows.values()) {
    amount = plus(amount, window.amount);
    queued = plus(queued, window.queued);
  }
  amount = Math.max(amount, account.used);
  queued = Math.max(queued, account.queued);
  account.windows.clear();
  account.used = 0;
  account.queued = 0;
  addUsage(account, account.now, windowMs, amount, queued);
}
