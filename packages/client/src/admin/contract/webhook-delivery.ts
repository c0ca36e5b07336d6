import { z } from "zod";
import { identifier } from "../../contract/text.ts";
import {
  instant,
  type Part,
  type PartQuery,
  partEnd,
  partFields,
  type SpanQuery,
  spanFields,
} from "./part.ts";
import { type WebhookEventType, webhookEventTypes } from "./webhook-event.ts";

/** What to send again: an event, or all since an instant that is 30 days ago at most. */
export type WebhookReplayRequest =
  | { readonly eventId: string }
  | {
      readonly since: string;
      /** Before this instant. @default until now */
      readonly until?: string | undefined;
      /** The `next` of the answer before. */
      readonly cursor?: string | undefined;
    };

/** What is sent again. */
export interface WebhookReplayAnswer {
  /** How many events. Those that wait anyway do not count: they are tried at once. */
  readonly replayed: number;
  /** The `cursor` of the rest; `null` where there is none. */
  readonly next: string | null;
}

/** A test that is on its way. */
export interface WebhookTestAnswer {
  readonly eventId: string;
}

/** How it stands with an event for an endpoint. */
export type WebhookDeliveryStatus = "pending" | "delivered" | "given_up";

/** Which deliveries. */
export interface WebhookDeliveryQuery extends PartQuery, SpanQuery {
  readonly endpoint_id?: string | undefined;
  readonly status?: WebhookDeliveryStatus | undefined;
  readonly type?: WebhookEventType | undefined;
  readonly customer_id?: string | undefined;
}

/** An event on its way to an endpoint, and what has come of the last attempt. */
export interface AdminWebhookDelivery {
  /** The same in the header `webhook-id`. */
  readonly eventId: string;
  readonly endpointId: string;
  readonly type: string;
  readonly customer_id: string | null;
  /** Of the wallet whose events come in order; `null` where it is the customer's. */
  readonly credit_currency_key: string | null;
  /** `pending`, `delivered` or `given_up`. */
  readonly status: string;
  readonly attempts: number;
  /** When the event happened. */
  readonly createdAt: string;
  readonly attemptedAt: string | null;
  /** `null` where nothing is to come, or an earlier event of the wallet is to come first. */
  readonly nextAttemptAt: string | null;
  readonly durationMs: number | null;
  readonly responseStatus: number | null;
  /** The first thousand characters of what was answered. */
  readonly response: string | null;
  readonly error: string | null;
  /** The body that is sent. */
  readonly event: unknown;
}

/** A part of the deliveries, those of the newest events first. */
export interface WebhookDeliveryListAnswer extends Part {
  readonly deliveries: readonly AdminWebhookDelivery[];
}

/** Parses the body that sends events again. */
export const webhookReplayRequest: z.ZodType<WebhookReplayRequest> = z.union([
  z.strictObject({ eventId: identifier }),
  z.strictObject({ since: instant, until: instant.optional(), cursor: partFields.cursor }),
]);

/** Parses what is sent again. */
export const webhookReplayAnswer: z.ZodType<WebhookReplayAnswer> = z.looseObject({
  replayed: z.int(),
  ...partEnd,
});

/** Parses a test that is on its way. */
export const webhookTestAnswer: z.ZodType<WebhookTestAnswer> = z.looseObject({ eventId: z.string() });

/** Parses the query for deliveries. */
export const webhookDeliveryQuery: z.ZodType<WebhookDeliveryQuery> = z.strictObject({
  ...partFields,
  ...spanFields,
  endpoint_id: identifier.optional(),
  status: z.enum(["pending", "delivered", "given_up"]).optional(),
  type: z.enum([...webhookEventTypes, "webhook.test"]).optional(),
  customer_id: identifier.optional(),
});

/** Parses a part of the deliveries. */
export const webhookDeliveryListAnswer: z.ZodType<WebhookDeliveryListAnswer> = z.looseObject({
  deliveries: z.array(
    z.looseObject({
      eventId: z.string(),
      endpointId: z.string(),
      type: z.string(),
      customer_id: z.string().nullable(),
      credit_currency_key: z.string().nullable(),
      status: z.string(),
      attempts: z.int(),
      createdAt: z.string(),
      attemptedAt: z.string().nullable(),
      nextAttemptAt: z.string().nullable(),
      durationMs: z.int().nullable(),
      responseStatus: z.int().nullable(),
      response: z.string().nullable(),
      error: z.string().nullable(),
      event: z.unknown(),
    }),
  ),
  ...partEnd,
});
