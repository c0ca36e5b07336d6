import type { Counter } from "../metrics/exposition.ts";
import type { Clock } from "../time/clock.ts";
import type { RefusedConnection } from "./connection-limits.ts";

/** Refusals come by the thousand: one line tells of them, and another when there were none for so long before. */
const quietMs = 60_000;

/** Counts connections that are refused, and tells of the first of a row. */
export function createRefusedConnections(
  refused: Counter,
  clock: Clock,
  onNotice: (line: string) => void,
): (connection: RefusedConnection) => void {
  let last = Number.NEGATIVE_INFINITY;
  return ({ reason, address }) => {
    refused.add(1, { reason });
    const now = clock.now();
    if (now - last > quietMs) onNotice(`connections: some are refused: ${words(reason, address)}`);
    last = now;
  };
}

function words(reason: RefusedConnection["reason"], address: string): string {
  return reason === "all"
    ? `there are as many as --max-clients allows; the last came from ${address}.`
    : `${address} has half of --max-clients, and the others need the rest. If it is a proxy, set --trusted-proxies.`;
}
