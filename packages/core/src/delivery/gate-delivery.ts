import type { BalanceSource, Customer } from "../wallet/customer.ts";
import type { Delivery } from "./delivery.ts";
import { LagWatch } from "./lag-watch.ts";
import type { Outbox } from "./outbox.ts";
import { type DeliveryOptions, OutboxDelivery } from "./outbox-delivery.ts";
import { QueueDelivery } from "./queue-delivery.ts";
import { RequestDelivery } from "./request-delivery.ts";
import { ToldCosts } from "./told-costs.ts";
import type { UsageQueue } from "./usage-queue.ts";

interface GateDeliveryOptions extends Omit<DeliveryOptions, "lagWatch" | "toldCosts"> {
  readonly outbox: Outbox;
  readonly queue?: UsageQueue | undefined;
  readonly settleTimeoutMs?: number | undefined;
  readonly lagWatch: boolean;
  source(customer: Customer): BalanceSource;
  find(customerId: string): Customer | undefined;
}

/** The delivery that the options of a gate ask for, and what watches whether the service debits what is delivered. */
export function createDelivery(options: GateDeliveryOptions): {
  readonly delivery: Delivery;
  readonly lagWatch: LagWatch | undefined;
} {
  const { client, clock, random, ambiguous, concurrency, events, settlementLagMs, service } = options;
  const lagWatch = options.lagWatch ? new LagWatch(options) : undefined;
  const toldCosts = new ToldCosts(events);
  const needs = {
    client,
    clock,
    random,
    ambiguous,
    concurrency,
    events,
    settlementLagMs,
    service,
    lagWatch,
    toldCosts,
  };
  const { outbox, queue, settleTimeoutMs } = options;
  if (queue !== undefined) return { delivery: new QueueDelivery(queue, settlementLagMs), lagWatch };
  const delivery =
    settleTimeoutMs === undefined
      ? new OutboxDelivery({ ...needs, outbox })
      : new RequestDelivery(needs, settleTimeoutMs);
  return { delivery, lagWatch };
}
