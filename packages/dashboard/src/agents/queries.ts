import type { RawUsage } from "@creditgate/client";
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { admin } from "../api/client.ts";

const mostSums = 1_000;

export const agentsQuery = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: ["agents", organizationId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      admin.organization(organizationId).agents.list({ limit: 100, cursor }, { signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => pages.flatMap(({ agents }) => agents),
  });

/** All agents, for a list to choose from: the parts that are not there yet are loaded one after the other. */
export function useAllAgents(organizationId: string) {
  const agents = useInfiniteQuery(agentsQuery(organizationId));
  const { hasNextPage, isFetching, isError, fetchNextPage } = agents;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return agents;
}

export const agentQuery = (organizationId: string, agentId: string) =>
  queryOptions({
    queryKey: ["agents", organizationId, agentId],
    queryFn: ({ signal }) => admin.organization(organizationId).agents.get(agentId, { signal }),
  });

export const indicatorsQuery = (organizationId: string, agentId: string) =>
  infiniteQueryOptions({
    queryKey: ["indicators", organizationId, agentId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      admin.organization(organizationId).indicators.of(agentId).list({ limit: 100, cursor }, { signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => pages.flatMap(({ indicators }) => indicators),
  });

/** All versions of a price, the last to hold first, part by part. */
export const pricesQuery = (organizationId: string, agentId: string, indicator: string) =>
  infiniteQueryOptions({
    queryKey: ["prices", organizationId, agentId, indicator],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      admin
        .organization(organizationId)
        .indicators.prices(agentId, indicator)
        .list({ limit: 50, cursor }, { signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => pages.flatMap(({ prices }) => prices),
  });

/** What agents have cost in 30 days. */
export const agentSumsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["agent-sums", organizationId],
    queryFn: async ({ signal }) =>
      (await admin.organization(organizationId).usage.sums.list({ by: "agent", limit: mostSums }, { signal }))
        .sums,
    staleTime: 30_000,
  });

/** How often the indicators of an agent were used in 30 days. */
export const indicatorSumsQuery = (organizationId: string, agentId: string) =>
  queryOptions({
    queryKey: ["indicator-sums", organizationId, agentId],
    queryFn: async ({ signal }) =>
      (
        await admin
          .organization(organizationId)
          .usage.sums.list({ by: "indicator", agent_id: agentId, limit: mostSums }, { signal })
      ).sums,
    staleTime: 30_000,
  });

/** A use that has not happened. */
export interface SupposedUsage {
  readonly rawUsage: RawUsage;
  readonly callMinutes?: string | undefined;
  /** By the price of this instant; now without it. */
  readonly at?: string | undefined;
}

export const costQuery = (
  organizationId: string,
  { agentId, indicator }: { readonly agentId: string; readonly indicator: string },
  usage: SupposedUsage,
) =>
  queryOptions({
    queryKey: ["cost", organizationId, agentId, indicator, usage],
    queryFn: ({ signal }) =>
      admin.organization(organizationId).indicators.cost(agentId, indicator, usage, { signal }),
    placeholderData: keepPreviousData,
  });

/** What a change of an indicator or of its price makes untrue. */
export function priceKeys(organizationId: string, agentId: string): readonly (readonly string[])[] {
  return [
    ["agents", organizationId],
    ["indicators", organizationId, agentId],
    ["prices", organizationId, agentId],
    ["cost", organizationId, agentId],
    ["start", organizationId],
  ];
}
