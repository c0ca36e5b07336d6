import type { AuditAnswer, AuditQuery } from "@creditgate/client/admin";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import { instantsOf } from "../parts/day-span.tsx";
import { type AuditSearch, actorOf } from "./search.ts";

const pageSize = 50;

/** Which records: the filters of the page, as the admin API has them. */
export function auditFilter(organizationId: string, search: AuditSearch) {
  const { who, action } = search;
  return { organization_id: organizationId, actor: actorOf(who), action, ...instantsOf(search) };
}

export const auditQuery = (organizationId: string, search: AuditSearch) => {
  const query: AuditQuery = {
    ...auditFilter(organizationId, search),
    cursor: search.cursor,
    limit: pageSize,
  };
  return queryOptions({
    queryKey: ["audit", organizationId, query],
    queryFn: ({ signal }): Promise<AuditAnswer> => admin.audit.list(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
};
