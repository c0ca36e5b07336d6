import { z } from "zod";
import { type AdminCreditNote, adminCreditNote } from "./credit-note.ts";
import { type AdminInvoice, adminInvoice } from "./invoice.ts";
import { type AdminOrder, adminOrder } from "./order.ts";
import { type AdminWallet, adminWallet } from "./wallet.ts";

/** What a webhook may tell of. `webhook.test` comes only to an endpoint that it was asked for. */
export type WebhookEventType =
  | "wallet.low"
  | "wallet.exhausted"
  | "wallet.topped_up"
  | "overage.started"
  | "order.activated"
  | "order.cancelled"
  | "invoice.created"
  | "invoice.paid"
  | "invoice.voided"
  | "invoice.credited"
  | "usage.rejected"
  | "webhook.test";

/** What an endpoint may ask for: all there is but tests. */
export const webhookEventTypes: readonly [WebhookEventType, ...WebhookEventType[]] = [
  "wallet.low",
  "wallet.exhausted",
  "wallet.topped_up",
  "overage.started",
  "order.activated",
  "order.cancelled",
  "invoice.created",
  "invoice.paid",
  "invoice.voided",
  "invoice.credited",
  "usage.rejected",
];

/** A wallet that has got credits. */
export interface ToppedUpWallet extends AdminWallet {
  /** `top_up`, `payment`, `refund` or `correction`. */
  readonly cause: string;
  /** How many came in: spent on the overage first, else available. */
  readonly credits: number;
  readonly topUpId: string | null;
  /** Of the invoice whose payment it was. */
  readonly invoiceId: string | null;
}

/** Usage of a wallet that was accepted and that no wallet has paid. */
export interface RejectedUsage {
  readonly customer_id: string;
  readonly credit_currency_key: string;
  /** `wallet_missing` or `out_of_range`. */
  readonly reason: string;
  /** How many reports. */
  readonly events: number;
  readonly credits: number;
  /** Of the first hundred. */
  readonly usageIds: readonly string[];
}

interface Told<Type extends WebhookEventType, Data> {
  readonly type: Type;
  /** When it happened. */
  readonly timestamp: string;
  readonly data: Data;
}

/** The body of a webhook. Its id is in the header `webhook-id`, and the same whenever it comes again. */
export type WebhookEvent =
  | Told<"wallet.low", AdminWallet>
  | Told<"wallet.exhausted", AdminWallet>
  | Told<"wallet.topped_up", ToppedUpWallet>
  | Told<"overage.started", AdminWallet>
  | Told<"order.activated", AdminOrder>
  | Told<"order.cancelled", AdminOrder>
  | Told<"invoice.created", AdminInvoice>
  | Told<"invoice.paid", AdminInvoice>
  | Told<"invoice.voided", AdminInvoice>
  | Told<"invoice.credited", AdminCreditNote>
  | Told<"usage.rejected", RejectedUsage>
  | Told<"webhook.test", Readonly<Record<string, unknown>>>;

const rejectedUsage: z.ZodType<RejectedUsage> = z.looseObject({
  customer_id: z.string(),
  credit_currency_key: z.string(),
  reason: z.string(),
  events: z.number(),
  credits: z.number(),
  usageIds: z.array(z.string()),
});

function told<const Type extends WebhookEventType, Data>(type: Type, data: z.ZodType<Data>) {
  return z.looseObject({ type: z.literal(type), timestamp: z.string(), data });
}

const toppedUpWallet = z.intersection(
  adminWallet,
  z.looseObject({
    cause: z.string(),
    credits: z.number(),
    topUpId: z.string().nullable(),
    invoiceId: z.string().nullable(),
  }),
);

/**
 * Parses the body of a webhook whose signature has been verified. Fields that are not listed are passed on; it fails for
 * a type that is not listed, as of a later version: answer 200 to those, and ignore them.
 */
export const webhookEvent: z.ZodType<WebhookEvent> = z.discriminatedUnion("type", [
  told("wallet.low", adminWallet),
  told("wallet.exhausted", adminWallet),
  told("wallet.topped_up", toppedUpWallet),
  told("overage.started", adminWallet),
  told("order.activated", adminOrder),
  told("order.cancelled", adminOrder),
  told("invoice.created", adminInvoice),
  told("invoice.paid", adminInvoice),
  told("invoice.voided", adminInvoice),
  told("invoice.credited", adminCreditNote),
  told("usage.rejected", rejectedUsage),
  told("webhook.test", z.looseObject({})),
]);
