import type { UsageListQuery, UsageSumsQuery } from "@creditgate/admin";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
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
  unsettled: "Waiting",
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
  return { customer_id: customer, agent_id: agent, indicator };
}

export const reportsQuery = (organizationId: string, search: UsageSearch) => {
  const query: UsageListQuery = {
    ...usageFilter(search),
    ...instantsOf(search),
    outcome: search.outcome,
    cursor: search.cursor,
    limit: pageSize,
  };
  return queryOptions({
    queryKey: ["usage-reports", organizationId, query],
    queryFn: ({ signal }) => admin.organization(organizationId).usage.list(query, { signal }),
    placeholderData: keepPreviousData,
  });
};

export const sumsQuery = (organizationId: string, search: UsageSearch & Pick<UsageSumsQuery, "by">) => {
  const query: UsageSumsQuery = {
    ...usageFilter(search),
    ...instantsOf(search),
    by: search.by,
    cursor: search.cursor,
  };
  return queryOptions({
    queryKey: ["usage-sums", organizationId, query],
    queryFn: ({ signal }) => admin.organization(organizationId).usage.sums.list(query, { signal }),
    placeholderData: keepPreviousData,
  });
};

/** The last 24 hours, hour by hour. */
export const lastHoursQuery = (organizationId: string, search: UsageSearch) => {
  const query: UsageSumsQuery = { ...usageFilter(search), by: "hour", limit: 1_000 };
  return queryOptions({
    queryKey: ["usage-hours", organizationId, query],
    queryFn: ({ signal }) => admin.organization(organizationId).usage.sums.list(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
};
