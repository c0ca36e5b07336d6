import { type Data, identifier } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { defineEndpoint, organization } from "./define-endpoint.ts";
import { instant, partEnd, partFields, partOf, spanFields } from "./part.ts";
import { webhookEventTypes } from "./webhook-event.ts";

/** What to send again: an event, or all since an instant that is 30 days ago at most. */
const webhookReplayRequest = z.union([
  z.strictObject({ eventId: identifier }),
  z.strictObject({
    since: instant,
    /** Before this instant. @default until now */
    until: instant.optional(),
    /** The `next` of the answer before. */
    cursor: partFields.cursor,
  }),
]);

export type WebhookReplayRequest = Data<typeof webhookReplayRequest>;

const webhookReplayAnswer = record({
  /** How many events. Those that wait anyway do not count: they are tried at once. */
  replayed: z.int(),
  ...partEnd,
});

const webhookTestAnswer = record({ eventId: z.string() });

const webhookDeliveryQuery = z.strictObject({
  ...partFields,
  ...spanFields,
  endpoint_id: identifier.optional(),
  status: z.enum(["pending", "delivered", "given_up"]).optional(),
  type: z.enum([...webhookEventTypes, "webhook.test"]).optional(),
  customer_id: identifier.optional(),
});

/** Which deliveries. */
export type WebhookDeliveryQuery = Data<typeof webhookDeliveryQuery>;

const webhookDeliveryListAnswer = partOf({
  deliveries: z.array(
    record({
      /** The same in the header `webhook-id`. */
      eventId: z.string(),
      endpointId: z.string(),
      type: z.string(),
      customer_id: z.string().nullable(),
      /** Of the wallet whose events come in order; `null` where it is the customer's. */
      credit_currency_key: z.string().nullable(),
      /** `pending`, `delivered` or `given_up`. */
      status: z.string(),
      attempts: z.int(),
      /** When the event happened. */
      createdAt: z.string(),
      attemptedAt: z.string().nullable(),
      /** `null` where nothing is to come, or an earlier event of the wallet is to come first. */
      nextAttemptAt: z.string().nullable(),
      durationMs: z.int().nullable(),
      responseStatus: z.int().nullable(),
      /** The first thousand characters of what was answered. */
      response: z.string().nullable(),
      error: z.string().nullable(),
      /** The body that is sent. */
      event: z.unknown(),
    }),
  ),
});

/** A part of the deliveries, those of the newest events first. */
type WebhookDeliveryListAnswer = Data<typeof webhookDeliveryListAnswer>;

/** An event on its way to an endpoint, and what has come of the last attempt. */
export type AdminWebhookDelivery = WebhookDeliveryListAnswer["deliveries"][number];

const tag = "Webhooks";
const endpointPath = `${organization}/webhook-endpoints/{endpoint_id}` as const;

export const webhookDeliveries = {
  /** Sends the event `webhook.test`. Never retried once sent. */
  sendTest: defineEndpoint({
    name: "webhookTest",
    method: "POST",
    path: `${endpointPath}/test`,
    scope: "keys",
    answer: webhookTestAnswer,
    tag,
    summary: "Sends a test",
    statuses: [202],
  }),
  /**
   * Sends an event again, or 10,000 at most of those since an instant; `next` is the `cursor` for the rest. Their ids are
   * what they were. 409 `webhook_disabled` where the endpoint is. Retried.
   */
  replay: defineEndpoint({
    name: "webhookReplay",
    method: "POST",
    path: `${endpointPath}/replay`,
    idempotent: true,
    scope: "keys",
    body: webhookReplayRequest,
    answer: webhookReplayAnswer,
    tag,
    summary: "Sends events again",
  }),
  /** What was sent and what waits, the newest events first. */
  deliveries: defineEndpoint({
    name: "webhookDeliveryList",
    method: "GET",
    path: `${organization}/webhook-deliveries`,
    kind: "list",
    scope: "read",
    query: webhookDeliveryQuery,
    answer: webhookDeliveryListAnswer,
    tag,
    summary: "Lists what was sent and what waits",
  }),
};
