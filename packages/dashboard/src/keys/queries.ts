import { queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";

/** All keys, ended ones too, the oldest first. */
export const keysQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["keys", organizationId],
    queryFn: ({ signal }) => admin.organization(organizationId).apiKeys.list({ signal }),
    refetchInterval: 30_000,
  });
