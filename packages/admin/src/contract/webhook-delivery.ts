import { type Data, identifier } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { instant, onlyOf, partEnd, partFields, partOf, spanFields } from "./part.ts";
import { webhookEventTypes } from "./webhook-event.ts";

const defineEndpoint = tagged("Webhooks");

/** What to send again: an event, or all since an instant that is 30 days ago at most. */
const webhookReplayRequest = z.union(
  [
    z.strictObject({ eventId: identifier.describe("Only this one") }),
    z.strictObject({
      since: instant.describe("All from this instant on"),
      until: instant.optional().describe("And before this one; until now without it"),
      /** The `next` of the answer before. */
      cursor: partFields.cursor,
    }),
  ],
  "Invalid input: expected eventId, or since with until and cursor",
);

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
  endpointId: identifier.optional().describe("Only to this endpoint"),
  status: z.enum(["pending", "delivered", "given_up"]).optional().describe("Only in this state"),
  type: z
    .enum([...webhookEventTypes, "webhook.test"])
    .optional()
    .describe("Only of this type"),
  customerId: onlyOf.customerId,
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
      customerId: z.string().nullable(),
      /** Of the wallet whose events come in order; `null` where it is the customer's. */
      creditCurrencyKey: z.string().nullable(),
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

const endpointPath = `${organization}/webhook-endpoints/{endpointId}` as const;

export const webhookDeliveries = {
  /** Sends the event `webhook.test`. Never retried once sent. */
  sendTest: defineEndpoint({
    name: "webhookTest",
    method: "POST",
    path: `${endpointPath}/test`,
    scope: "keys",
    answer: webhookTestAnswer,
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
    summary: "Sends events again",
  }),
  /** What was sent and what waits, the newest events first. */
  deliveries: defineEndpoint({
    name: "webhookDeliveryList",
    path: `${organization}/webhook-deliveries`,
    kind: "list",
    scope: "read",
    query: webhookDeliveryQuery,
    answer: webhookDeliveryListAnswer,
    summary: "Lists what was sent and what waits",
  }),
};
