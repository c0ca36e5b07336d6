import { groupRows } from "../database/group-rows.ts";
import type { UsageOutcome } from "../database/tables.ts";
import type { Event } from "./outbox.ts";

/** The part of settled usage that events contain. */
export interface EventUsage {
  readonly orgId: bigint;
  readonly usageId: string;
  readonly customerId: string;
  readonly currency: string | null;
  readonly amount: bigint;
  readonly outcome: UsageOutcome;
}

/** A wallet that is missing may have a thousand reports in a batch. */
const mostIds = 100;

/** What no wallet has paid: one event for those of a batch that have wallet and reason in common. */
export function rejectedUsage(settled: readonly EventUsage[]): readonly Event[] {
  const rejected = settled.filter(
    ({ outcome }) => outcome === "wallet_missing" || outcome === "out_of_range",
  );
  if (rejected.length === 0) return [];
  const groups = groupRows(rejected, ({ orgId, customerId, currency, outcome }) =>
    JSON.stringify([String(orgId), customerId, currency, outcome]),
  );
  return [...groups.values()].flatMap((reports) =>
    reports.slice(0, 1).map((first) => eventOf(first, reports)),
  );
}

function eventOf(
  { orgId, customerId, currency, outcome }: EventUsage,
  reports: readonly EventUsage[],
): Event {
  const data = {
    customerId,
    creditCurrencyKey: currency,
    reason: outcome,
    events: reports.length,
    credits: reports.reduce((sum, { amount }) => sum + amount, 0n),
    usageIds: reports.slice(0, mostIds).map(({ usageId }) => usageId),
  };
  return { orgId, type: "usage.rejected", customerId, currency: currency ?? undefined, data };
}
