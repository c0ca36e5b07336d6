import type { AuditQuery } from "@creditgate/admin";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import { type DaySpan, instantsOf } from "../parts/address.ts";

export interface AuditSearch extends DaySpan {
  /** An email, or an actor as the log has it. */
  who?: string;
  action?: string;
  /** Where the part of the list begins. */
  cursor?: string;
}

/** As the log names who made a change: people are written by their email. */
function actorOf(who: string | undefined): string | undefined {
  return who?.includes("@") && !who.includes(":") ? `user:${who}` : who;
}

const pageSize = 50;

/** Which records: the filters of the page, as the admin API has them. */
export function auditFilter(organizationId: string, search: AuditSearch) {
  const { who, action } = search;
  return { organizationId: organizationId, actor: actorOf(who), action, ...instantsOf(search) };
}

export const auditQuery = (organizationId: string, search: AuditSearch) => {
  const query: AuditQuery = {
    ...auditFilter(organizationId, search),
    cursor: search.cursor,
    limit: pageSize,
  };
  return queryOptions({
    queryKey: ["audit", organizationId, query],
    queryFn: ({ signal }) => admin.audit.list(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
};
