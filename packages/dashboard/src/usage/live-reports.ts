import type { AdminUsage, UsageListAnswer } from "@creditgate/client/admin";
import type { UsageSearch } from "./search.ts";

/** Rows that the page holds at most: a table that a screen reader and the browser's search know whole. */
export const mostRows = 500;

/** What has been told, by report. */
export type Told = ReadonlyMap<string, AdminUsage>;

export const nothingTold: Told = new Map();

/** With what was told since, the newest kept. */
export function withTold(before: Told, events: readonly AdminUsage[]): Told {
  const after = new Map(before);
  for (const usage of events) after.set(usage.usageId, usage);
  if (after.size <= mostRows) return after;
  return new Map([...after].toSorted(([, one], [, other]) => newestFirst(one, other)).slice(0, mostRows));
}

/** The reports of the first page and those that were told since, the newest first, each as it is now. */
export function merged(
  answer: UsageListAnswer | undefined,
  told: Told,
  { outcome }: UsageSearch,
): readonly AdminUsage[] {
  const page = answer?.usage ?? [];
  // An older report that is settled only now has its place on a page that follows.
  const last = answer === undefined || answer.next === null ? undefined : page.at(-1);
  const rows = new Map(page.map((usage) => [usage.usageId, usage]));
  for (const [usageId, usage] of told) {
    const listed = rows.get(usageId);
    if (listed === undefined && last !== undefined && newestFirst(usage, last) > 0) continue;
    if (listed === undefined || listed.settledAt === null) rows.set(usageId, usage);
  }
  return [...rows.values()]
    .filter((usage) => outcome !== "unsettled" || usage.settledAt === null)
    .toSorted(newestFirst)
    .slice(0, mostRows);
}

function newestFirst(one: AdminUsage, other: AdminUsage): number {
  if (one.receivedAt !== other.receivedAt) return one.receivedAt < other.receivedAt ? 1 : -1;
  return one.usageId < other.usageId ? 1 : -1;
}
