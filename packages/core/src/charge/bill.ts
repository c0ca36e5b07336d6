import type { Entry, Report } from "../outbox/report.ts";
import type { Awaitable } from "../values/awaitable.ts";
import type { Hold, WorkAccount } from "../wallet/ledger.ts";
import type { Admitted } from "./admitted-work.ts";

const none: readonly Hold[] = [];

/** Reports without a price share one entry: the hold less the prices of the others. */
export function shareRest(reports: readonly Report[], hold: number): void {
  let rest = hold;
  let shared: Entry | undefined;
  for (const { entry } of reports) {
    // Rounded down: rounded up, each price would take a part of a micro-credit from the others.
    if (entry.priced === undefined) shared = entry;
    else rest -= entry.priced;
  }
  if (shared !== undefined) shared.amount = Math.max(0, rest);
}

/** What the ledger holds for the reports, each entry once. */
export function entriesOf(reports: readonly Report[]): readonly Entry[] {
  return [...new Set(reports.map(({ entry }) => entry))];
}

/** The hold becomes the usage of the reports, in one step. */
export function recordBill(reports: readonly Report[], account: WorkAccount, hold: Hold | undefined): void {
  for (const { entry } of reports) entry.join();
  const [first] = reports;
  if (reports.length === 1 && first !== undefined) {
    const { entry } = first;
    entry.record(account, account.settle(hold, [entry.amount])[0]);
    return;
  }
  const entries = entriesOf(reports);
  const amounts = entries.map(({ amount }) => amount);
  const usages = account.settle(hold, amounts);
  for (let index = 0; index < entries.length; index++) entries[index]?.record(account, usages[index]);
}

/** Gives back all that is held for work that has cost nothing. */
export function releaseAll(ended: Admitted): Awaitable<void> {
  const { account, hold } = ended;
  if (account && hold) return releaseMore(ended, account, account.release(hold));
}

/** Gives back what was held since. After a bill only: before it another could take what the work has used. */
export function releaseMore(
  { more = none }: Admitted,
  account: WorkAccount,
  released?: Awaitable<void>,
): Awaitable<void> {
  let last = released;
  for (const hold of more) {
    const next = account.release(hold);
    if (next instanceof Promise) last = Promise.all([last, next]).then(() => {});
  }
  return last;
}
