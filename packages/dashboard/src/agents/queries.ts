import type { RawUsage } from "@creditgate/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { growingQuery, organizationQuery, useOrganizationId } from "../api/query.ts";

const mostSums = 1_000;

export const agentsQuery = growingQuery(
  "agents",
  (organization, options, cursor) => organization.agents.list({ limit: 100, cursor }, options),
  ({ agents }) => agents,
);

/** All agents, for a list to choose from: the parts that are not there yet are loaded one after the other. */
export function useAllAgents() {
  const agents = useInfiniteQuery(agentsQuery(useOrganizationId()));
  const { hasNextPage, isFetching, isError, fetchNextPage } = agents;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return agents;
}

export const agentQuery = organizationQuery("agents", (organization, options, agentId: string) =>
  organization.agents.get(agentId, options),
);

export const indicatorsQuery = growingQuery(
  "indicators",
  (organization, options, cursor, agentId: string) =>
    organization.indicators.of(agentId).list({ limit: 100, cursor }, options),
  ({ indicators }) => indicators,
);

/** All versions of a price, the last to hold first, part by part. */
export const pricesQuery = growingQuery(
  "prices",
  (organization, options, cursor, agentId: string, indicator: string) =>
    organization.indicators.prices(agentId, indicator).list({ limit: 50, cursor }, options),
  ({ prices }) => prices,
);

/** What agents have cost in 30 days. */
export const agentSumsQuery = organizationQuery(
  "agent-sums",
  async ({ usage }, options) => (await usage.sums.list({ by: "agent", limit: mostSums }, options)).sums,
  { staleTime: 30_000 },
);

/** How often the indicators of an agent were used in 30 days. */
export const indicatorSumsQuery = organizationQuery(
  "indicator-sums",
  async ({ usage }, options, agentId: string) =>
    (await usage.sums.list({ by: "indicator", agentId, limit: mostSums }, options)).sums,
  { staleTime: 30_000 },
);

/** A use that has not happened. */
export interface SupposedUsage {
  readonly rawUsage: RawUsage;
  readonly callMinutes?: string | undefined;
  /** By the price of this instant; now without it. */
  readonly at?: string | undefined;
}

export const costQuery = organizationQuery(
  "cost",
  ({ indicators }, options, agentId: string, indicator: string, usage: SupposedUsage) =>
    indicators.cost(agentId, indicator, usage, options),
  { keepsLast: true },
);

/** The queries that a change of an indicator or of its price makes untrue. */
export const priceQueries = ["agents", "indicators", "prices", "cost", "start"];
