import type { AdminUsage, UsageListAnswer } from "@creditgate/admin";
import type { UsageSearch } from "./queries.ts";

/** Rows that the page holds at most: a table that a screen reader and the browser's search know whole. */
export const mostRows = 500;

/** The reports that the feed has sent, by id. */
export type FeedReports = ReadonlyMap<string, AdminUsage>;

export const noFeedReports: FeedReports = new Map();

/** Adds what was sent since, and keeps the newest. */
export function withFeedReports(before: FeedReports, events: readonly AdminUsage[]): FeedReports {
  const after = new Map(before);
  for (const usage of events) after.set(usage.usageId, usage);
  if (after.size <= mostRows) return after;
  return new Map([...after].toSorted(([, one], [, other]) => newestFirst(one, other)).slice(0, mostRows));
}

/** The reports of the first page and those that were sent since, the newest first, each as it is now. */
export function merged(
  answer: UsageListAnswer | undefined,
  fromFeed: FeedReports,
  { outcome }: UsageSearch,
): readonly AdminUsage[] {
  const page = answer?.usage ?? [];
  // An older report that is settled only now has its place on a page that follows.
  const last = answer === undefined || answer.next === null ? undefined : page.at(-1);
  const rows = new Map(page.map((usage) => [usage.usageId, usage]));
  for (const [usageId, usage] of fromFeed) {
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
