import type { SettlementState } from "@creditgate/admin";
import { queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import { formatCount } from "../parts/amounts.ts";
import { formatDuration } from "../parts/time.tsx";

/** What is accepted and not settled yet; shown on each page. */
export const settlementQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["settlement", organizationId],
    queryFn: ({ signal }) => admin.organization(organizationId).overview.settlement({ signal }),
    refetchInterval: 10_000,
    enabled: organizationId !== "",
  });

/** "127 events wait, oldest 41 s". */
export function describeWaiting({ waiting, more, dueSince }: SettlementState, now: number): string {
  if (waiting === 0 || dueSince === null) return "Nothing waits";
  const number = `${formatCount(waiting)}${more ? " or more" : ""}`;
  const words = waiting === 1 ? "event waits" : "events wait";
  const age = now - Date.parse(dueSince);
  return `${number} ${words}${age >= 1_000 ? `, oldest ${formatDuration(age)}` : ""}`;
}
