import type { UsageReportRequest } from "@creditgate/client";
import type { StoredBudgets } from "../database/tables.ts";

/** A budget that a report names, with the newest period that its sender knew. */
export interface NamedBudget {
  readonly key: string;
  readonly period: string | undefined;
}

/** The budgets that a report names, as PostgreSQL reads them. */
export function namedBudgets({ budgets }: UsageReportRequest): readonly NamedBudget[] | undefined {
  if (budgets === undefined || budgets.length === 0) return undefined;
  return budgets.map(({ key, period }) => ({
    key,
    period: period === undefined ? undefined : instant(period),
  }));
}

const year10000 = Date.UTC(10_000, 0);

/** PostgreSQL rejects days and years that `Date.parse` accepts. No period begins before 1970, nor after 9999. */
function instant(period: string): string | undefined {
  const time = Date.parse(period);
  return time >= 0 && time < year10000 ? new Date(time).toISOString() : undefined;
}

/** The keys that were stored with a report. */
export function storedKeys(budgets: StoredBudgets | null): readonly string[] | undefined {
  return budgets?.map(([key]) => key);
}

/**
 * Whether a report may be a repetition of one that was stored with these keys. A version that knows no budgets has stored or sent it
 * without: it is the same all the same.
 */
export function mayBeSame(
  named: readonly NamedBudget[] | undefined,
  stored: readonly string[] | undefined,
): boolean {
  if (named === undefined || stored === undefined) return true;
  return named.length === stored.length && named.every(({ key }) => stored.includes(key));
}
