import type { GatesAnswer } from "@creditgate/client/admin";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";

/** Looked at again as often as gates speak. */
export const gatesQuery = (organizationId: string, minutes: number) =>
  queryOptions({
    queryKey: ["gates", organizationId, String(minutes)],
    queryFn: ({ signal }): Promise<GatesAnswer> =>
      admin.organization(organizationId).gates.list({ minutes }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
