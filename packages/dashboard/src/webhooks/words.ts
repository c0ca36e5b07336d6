import type { AdminWebhook, WebhookEventType } from "@creditgate/admin";
import type { DaySpan } from "../parts/address.ts";

/** When an event is sent; in the order of the control plane. */
export const eventWords: Readonly<Record<Exclude<WebhookEventType, "webhook.test">, string>> = {
  "wallet.low": "The balance falls below the threshold",
  "wallet.exhausted": "Balance and overage are used up",
  "wallet.topped_up": "Credits are added",
  "overage.started": "Overage use begins",
  "budget.low": "A budget is nearly used up",
  "budget.exhausted": "A budget is used up",
  "order.activated": "An order becomes active",
  "order.cancelled": "An order is cancelled",
  "invoice.created": "An invoice is issued",
  "invoice.paid": "An invoice is paid",
  "invoice.voided": "An invoice is voided",
  "invoice.credited": "A credit note is issued",
  "usage.rejected": "Accepted usage could not be billed",
};

export const deliveryStatuses = { pending: "Pending", delivered: "Delivered", given_up: "Failed" } as const;

/** The types that a log can be filtered by. */
export const eventTypes = { ...eventWords, "webhook.test": "A test" } as const;

/** Which events an endpoint asks for, in a few words. */
export function eventsOf({ events }: AdminWebhook): string {
  if (events === null) return "All events";
  return events.length === 1 ? (events[0] ?? "") : `${events.length} event types`;
}

const reasons: Readonly<Record<string, string>> = {
  administrator: "by an administrator",
  failing: "it failed for days",
  gone: "it answered 410",
};

/** Why an endpoint receives nothing. */
export function reasonOf({ disabledBecause }: AdminWebhook): string {
  return disabledBecause === null ? "" : (reasons[disabledBecause] ?? disabledBecause);
}

/** What the forms call the fields of an endpoint. */
export const webhookLabels = {
  url: "Endpoint URL",
  description: "Description",
  events: "Events",
  status: "Status",
} as const;

/** What of a log of deliveries is shown. */
export interface DeliveriesSearch extends DaySpan {
  status?: string;
  type?: string;
  /** The ID of a customer. */
  customer?: string;
  /** Where the part of the list begins. */
  cursor?: string;
}
