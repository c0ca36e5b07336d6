import { Entry, type RecoveredReport } from "@creditgate/core/adapter";
import type { WalletAccount } from "./wallet-account.ts";

/**
 * Puts what waits in the outbox into the account, after an eviction. What was delivered is there: acknowledged usage is stored by
 * itself. The answer has the entries of the reports that the service has not acknowledged, by their ids.
 */
export function restoreUsage(
  reports: readonly RecoveredReport[],
  account: WalletAccount,
  lagMs: number,
): Map<string, Entry> {
  const byEntry = new Map<string, RecoveredReport[]>();
  for (const report of reports) {
    const others = byEntry.get(report.entry.id) ?? [];
    byEntry.set(report.entry.id, [...others, report]);
  }
  const groups = [...byEntry.values()].filter((group) => group.some(({ delivered }) => !delivered));
  // Together, and also where there are none: the first step of this memory stamps what was acknowledged anew.
  const usages = account.recover(groups.map(([first]) => first?.entry.amount ?? 0));
  const left = new Map<string, Entry>();
  for (const [index, group] of groups.entries()) {
    const [first] = group;
    if (first === undefined) continue;
    const entry = new Entry(first.entry.id, first.entry.amount);
    entry.record(account, usages[index]);
    for (const _ of group) entry.join();
    for (const { id, delivered } of group) {
      if (delivered) entry.acknowledge(lagMs, false);
      else left.set(id, entry);
    }
  }
  return left;
}
