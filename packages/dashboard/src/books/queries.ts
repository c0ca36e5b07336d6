import type { TrialBalance, TrialBalanceQuery } from "@creditgate/client/admin";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";

/** Not asked for again while one looks: each entry of the span is read for it. */
export const balanceQuery = (organizationId: string, query: TrialBalanceQuery) =>
  queryOptions({
    queryKey: ["books", organizationId, query],
    queryFn: ({ signal }): Promise<TrialBalance> =>
      admin.organization(organizationId).books.balance(query, { signal }),
    // Of the same journal: the accounts of the other would stand below the wrong tab.
    placeholderData: (before, query) =>
      (query?.queryKey[2] as TrialBalanceQuery | undefined)?.journal === before?.journal
        ? keepPreviousData(before)
        : undefined,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
