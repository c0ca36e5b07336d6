import type { Data } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { adminCreditNote } from "./credit-note.ts";
import { adminInvoice } from "./invoice.ts";
import { adminOrder } from "./order.ts";
import { adminWallet } from "./wallet.ts";

/** What an endpoint may ask for: all there is but tests. */
export const webhookEventTypes = [
  "wallet.low",
  "wallet.exhausted",
  "wallet.topped_up",
  "overage.started",
  "budget.low",
  "budget.exhausted",
  "order.activated",
  "order.cancelled",
  "invoice.created",
  "invoice.paid",
  "invoice.voided",
  "invoice.credited",
  "usage.rejected",
] as const;

/** The types of events. `webhook.test` is sent only to the endpoint that is tested. */
export type WebhookEventType = (typeof webhookEventTypes)[number] | "webhook.test";

const rejectedUsage = record({
  customerId: z.string(),
  creditCurrencyKey: z.string(),
  /** `wallet_missing` or `out_of_range`. */
  reason: z.string(),
  /** How many reports. */
  events: z.number(),
  credits: z.number(),
  /** Of the first hundred. */
  usageIds: z.array(z.string()),
});

const usedBudget = record({
  customerId: z.string(),
  creditCurrencyKey: z.string(),
  key: z.string(),
  limit: z.number(),
  /** Credits debited in its present period. */
  used: z.number(),
  /** When that began, and when the next one begins; `null`: none does. */
  period: z.string(),
  resetsAt: z.string().nullable(),
});

function eventOf<const Type extends WebhookEventType, Of extends z.ZodType>(type: Type, data: Of) {
  return record({
    type: z.literal(type),
    /** When it happened. */
    timestamp: z.string(),
    data,
  });
}

/** A wallet that has got credits. */
const toppedUpWallet = z.intersection(
  adminWallet,
  record({
    /** `top_up`, `payment`, `grant`, `refund` or `correction`. */
    cause: z.string(),
    /** How many came in: spent on the overage first, else available. */
    credits: z.number(),
    topUpId: z.string().nullable(),
    /** Of the invoice whose payment it was. */
    invoiceId: z.string().nullable(),
  }),
);

/**
 * Parses the body of a webhook whose signature has been verified. Fields that are not listed are passed on; it fails for
 * a type that is not listed, as of a later version: answer 200 to those, and ignore them.
 */
export const webhookEvent = z.discriminatedUnion("type", [
  eventOf("wallet.low", adminWallet),
  eventOf("wallet.exhausted", adminWallet),
  eventOf("wallet.topped_up", toppedUpWallet),
  eventOf("overage.started", adminWallet),
  eventOf("budget.low", usedBudget),
  eventOf("budget.exhausted", usedBudget),
  eventOf("order.activated", adminOrder),
  eventOf("order.cancelled", adminOrder),
  eventOf("invoice.created", adminInvoice),
  eventOf("invoice.paid", adminInvoice),
  eventOf("invoice.voided", adminInvoice),
  eventOf("invoice.credited", adminCreditNote),
  eventOf("usage.rejected", rejectedUsage),
  eventOf("webhook.test", z.looseObject({})),
]);

/** The body of a webhook. Its id is in the header `webhook-id`, and the same whenever it comes again. */
export type WebhookEvent = Data<typeof webhookEvent>;
