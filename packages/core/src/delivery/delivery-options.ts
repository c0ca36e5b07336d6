import type { GateEvents } from "../events/events.ts";
import type { Upstream } from "../service/upstream.ts";
import type { Clock } from "../values/clock.ts";
import type { Ledger } from "../wallet/ledger.ts";
import type { Ambiguous } from "./ambiguous.ts";
import type { KnownService } from "./known-service.ts";
import type { LagWatch } from "./lag-watch.ts";
import type { ReportedCosts } from "./reported-costs.ts";

/** The wallets of a service. An object of a class, since each gate has its own: a call by way of a closure would never be fast. */
export interface ServiceWallets {
  /** Throws while they are not known: then there is nothing to send either. */
  readonly open: { readonly service: KnownService };
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
