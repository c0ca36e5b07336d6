import type {
  UsageListAnswer,
  UsageListQuery,
  UsageSumsAnswer,
  UsageSumsQuery,
} from "@creditgate/client/admin";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import { instantsOf } from "../parts/day-span.tsx";
import type { UsageSearch } from "./search.ts";

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
    queryFn: ({ signal }): Promise<UsageListAnswer> =>
      admin.organization(organizationId).usage.list(query, { signal }),
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
    queryFn: ({ signal }): Promise<UsageSumsAnswer> =>
      admin.organization(organizationId).usage.sums.list(query, { signal }),
    placeholderData: keepPreviousData,
  });
};

/** The last 24 hours, hour by hour. */
export const lastHoursQuery = (organizationId: string, search: UsageSearch) => {
  const query: UsageSumsQuery = { ...usageFilter(search), by: "hour", limit: 1_000 };
  return queryOptions({
    queryKey: ["usage-hours", organizationId, query],
    queryFn: ({ signal }): Promise<UsageSumsAnswer> =>
      admin.organization(organizationId).usage.sums.list(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
};
