import type { AdminWebhook, WebhookEventType } from "@creditgate/admin";
import type { DaySpan } from "../parts/address.ts";

/** When an event is sent; in the order of the control plane. */
export const eventWords: Readonly<Record<Exclude<WebhookEventType, "webhook.test">, string>> = {
  "wallet.low": "What is left falls below the threshold",
  "wallet.exhausted": "Nothing is left, on the credit line neither",
  "wallet.topped_up": "Credits come in",
  "overage.started": "The overage line is begun",
  "budget.low": "A budget is nearly used up",
  "budget.exhausted": "A budget is used up",
  "order.activated": "An order becomes active",
  "order.cancelled": "An order never will become active",
  "invoice.created": "An invoice is made",
  "invoice.paid": "An invoice is paid",
  "invoice.voided": "An invoice is void",
  "invoice.credited": "A credit note is made",
  "usage.rejected": "Accepted usage that no wallet has paid",
};

export const deliveryStatuses = { pending: "Waiting", delivered: "Delivered", given_up: "Given up" } as const;

/** The types that a log can be filtered by. */
export const eventTypes = { ...eventWords, "webhook.test": "A test" } as const;

/** Which events an endpoint asks for, in a few words. */
export function eventsOf({ events }: AdminWebhook): string {
  if (events === null) return "All events";
  return events.length === 1 ? (events[0] ?? "") : `${events.length} types of events`;
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
  url: "Address",
  description: "Description",
  events: "Receives",
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
