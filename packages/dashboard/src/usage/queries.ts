import type { UsageSumsQuery } from "@creditgate/admin";
import { organizationQuery } from "../api/query.ts";
import { type DaySpan, instantsOf } from "../parts/address.ts";

/** What the page shows in place of the reports. */
export const sums = {
  hour: "By hour",
  day: "By day",
  agent: "By agent",
  indicator: "By indicator",
  customer: "By customer",
} as const;

/** What has become of usage, where that can be asked for. */
export const outcomeFilters = {
  unsettled: "Unsettled",
  wallet_missing: "No wallet",
  out_of_range: "Out of range",
  free: "Free",
  not_credits: "Not in credits",
} as const;

export interface UsageSearch extends DaySpan {
  /** Without it the reports are shown. */
  by?: keyof typeof sums;
  /** The ID of a customer. */
  customer?: string;
  agent?: string;
  /** With its agent. */
  indicator?: string;
  outcome?: keyof typeof outcomeFilters;
  /** Where the part of the list begins. */
  cursor?: string;
}

const pageSize = 50;

/** Of what: the filters of the page, as the admin API has them. */
export function usageFilter({ customer, agent, indicator }: UsageSearch) {
  return { customerId: customer, agentId: agent, indicator };
}

export const reportsQuery = organizationQuery(
  "usage-reports",
  ({ usage }, options, search: UsageSearch) => {
    const { outcome, cursor } = search;
    const part = { ...usageFilter(search), ...instantsOf(search), outcome, cursor, limit: pageSize };
    return usage.list(part, options);
  },
  { keepsLast: true },
);

export const sumsQuery = organizationQuery(
  "usage-sums",
  ({ usage }, options, search: UsageSearch & Pick<UsageSumsQuery, "by">) => {
    const { by, cursor } = search;
    return usage.sums.list({ ...usageFilter(search), ...instantsOf(search), by, cursor }, options);
  },
  { keepsLast: true },
);

/** The last 24 hours, hour by hour. */
export const lastHoursQuery = organizationQuery(
  "usage-hours",
  ({ usage }, options, filter: ReturnType<typeof usageFilter>) =>
    usage.sums.list({ ...filter, by: "hour", limit: 1_000 }, options),
  { keepsLast: true, refetchInterval: 10_000 },
);
