import type { SettlementState } from "@creditgate/admin";
import { organizationQuery } from "../api/query.ts";
import { formatCount } from "../parts/amounts.ts";
import { formatDuration } from "../parts/time.tsx";

/** What is accepted and not settled yet; shown on each page. */
export const settlementQuery = organizationQuery(
  "settlement",
  ({ overview }, options) => overview.settlement(options),
  { refetchInterval: 10_000 },
);

/** "127 reports unsettled, oldest 41 s". */
export function describeWaiting({ waiting, more, dueSince }: SettlementState, now: number): string {
  if (waiting === 0 || dueSince === null) return "All usage settled";
  const number = `${formatCount(waiting)}${more ? " or more" : ""}`;
  const words = waiting === 1 ? "report unsettled" : "reports unsettled";
  const age = now - Date.parse(dueSince);
  return `${number} ${words}${age >= 1_000 ? `, oldest ${formatDuration(age)}` : ""}`;
}
