import type { GateEvents } from "../events/events.ts";
import type { ServiceWallets } from "../service/known-service.ts";
import type { Upstream } from "../service/upstream.ts";
import type { Clock } from "../values/clock.ts";
import type { Ledger } from "../wallet/ledger.ts";
import type { LagWatch } from "./lag-watch.ts";
import type { ReportedCosts } from "./reported-costs.ts";

/** What happens to a report that may have been processed: decided by the service's answers, or by this option. */
export type Ambiguous = "auto" | "park" | "retry";

/**
 * Whether a report that may have been processed is sent again: if the service is known to count it once, or if the
 * option says `retry`.
 */
export function mayRepeat(ambiguous: Ambiguous, honoursKeys: boolean): boolean {
  return ambiguous === "retry" || (ambiguous === "auto" && honoursKeys);
}

/** What the delivery of a gate's reports needs. */
export interface DeliveryOptions {
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly random: () => number;
  readonly ambiguous: Ambiguous;
  readonly concurrency: number;
  readonly events: GateEvents;
  /** For this long after its delivery a report must survive a crash. */
  readonly settlementLagMs: number;
  readonly wallets: ServiceWallets;
  readonly lagWatch: LagWatch | undefined;
  readonly reportedCosts: ReportedCosts;
  readonly maxStaleMs: number;
  /** Where what is acknowledged is counted, once there is something to send. */
  readonly accounts: () => Ledger;
}
