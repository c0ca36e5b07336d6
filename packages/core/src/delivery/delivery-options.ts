import type { Transport } from "@creditgate/client";
import type { GateEvents } from "../events/events.ts";
import type { Clock } from "../values/clock.ts";
import type { Ambiguous } from "./ambiguous.ts";
import type { KnownService } from "./known-service.ts";
import type { LagWatch } from "./lag-watch.ts";
import type { ToldCosts } from "./told-costs.ts";

/** What the delivery of a gate's reports needs. */
export interface DeliveryOptions {
  readonly client: Pick<Transport, "send">;
  readonly clock: Clock;
  readonly random: () => number;
  readonly ambiguous: Ambiguous;
  readonly concurrency: number;
  readonly events: GateEvents;
  /** For this long after its delivery a report must survive a crash. */
  readonly settlementLagMs: number;
  /** What is known of the service, once there is something to send. */
  readonly service: () => KnownService;
  readonly lagWatch: LagWatch | undefined;
  readonly toldCosts: ToldCosts;
}
