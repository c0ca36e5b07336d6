import { createLagWatch, createOutboxDelivery } from "#outbox-support";
import type { Outbox } from "../outbox/outbox.ts";
import type { BalanceSource, Customer } from "../wallet/customer.ts";
import type { Delivery } from "./delivery.ts";
import type { DeliveryOptions } from "./delivery-options.ts";
import type { LagWatch } from "./lag-watch.ts";
import { QueueDelivery, type UsageQueue } from "./queue-delivery.ts";
import { ReportedCosts } from "./reported-costs.ts";
import { RequestDelivery } from "./request-delivery.ts";

interface GateDeliveryOptions extends Omit<DeliveryOptions, "lagWatch" | "reportedCosts"> {
  readonly outbox: Outbox | undefined;
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
  const { outbox, queue, settleTimeoutMs = 25_000, settlementLagMs, events } = options;
  const lagWatch = options.lagWatch ? createLagWatch(options) : undefined;
  if (queue !== undefined) return { delivery: new QueueDelivery(queue, settlementLagMs), lagWatch };
  const needs = { ...options, lagWatch, reportedCosts: new ReportedCosts(events) };
  const delivery =
    outbox === undefined
      ? new RequestDelivery(needs, settleTimeoutMs)
      : createOutboxDelivery({ ...needs, outbox });
  return { delivery, lagWatch };
}
