import type { Data } from "@creditgate/client";
import { line, record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { partOf, partQuery } from "./part.ts";
import { webhookEventTypes } from "./webhook-event.ts";

const defineEndpoint = tagged("Webhooks");

const fields = {
  endpointId: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  /** The event types that it receives; `null`: all. */
  events: z.array(z.string()).nullable(),
  /** `enabled`, or `disabled`: it receives nothing, and its queued events are given up. */
  status: z.string(),
  /** `administrator`, `failing` for days, or `gone`: it has answered 410. */
  disabledBecause: z.string().nullable(),
  disabledAt: z.string().nullable(),
  /** Since when each attempt has failed. */
  failingSince: z.string().nullable(),
  createdAt: z.string(),
  ...taggedFields,
};

export const adminWebhook = record(fields);

/** A webhook endpoint, without its secrets. */
export type AdminWebhook = Data<typeof adminWebhook>;

const createdWebhook = record({ ...fields, secret: z.string() });

/** An endpoint that has just been made: the only time that its secret is shown. */
export type CreatedWebhook = Data<typeof createdWebhook>;

const rotatedWebhook = record({
  ...fields,
  /** As the Standard Webhooks specification has it: `whsec_` and 32 bytes in base64. */
  secret: z.string(),
  /** When the secrets from before end; until then each message has a signature of each. */
  previousEndAt: z.string(),
});

/** An endpoint with a new secret. */
export type RotatedWebhook = Data<typeof rotatedWebhook>;

const url = line(1, 2048).refine(
  isPlainUrl,
  "Invalid input: expected a URL with http or https, without user or fragment",
);
const events = z
  .array(z.enum(webhookEventTypes))
  .min(1)
  .nullish()
  .describe("The events that it receives; all without it");

const webhookCreateRequest = z.strictObject({
  /** By https, unless the server allows http, without user or fragment; 2048 bytes at most. */
  url,
  description: line(1, 256).optional().describe("What it is for"),
  /** @default all events, those of later versions too */
  events,
});

/** An endpoint to make. */
export type WebhookCreateRequest = Data<typeof webhookCreateRequest>;

const webhookEditRequest = z.strictObject({
  ...editFields,
  url: url.optional().describe("Where it is"),
  description: line(1, 256).nullish().describe("What it is for"),
  events,
  status: z.enum(["enabled", "disabled"]).optional().describe("Whether it receives events"),
});

const webhookRotateRequest = z.strictObject({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 24 * 60 * 60)
    .optional()
    .describe("How long the old one signs besides, up to 30 days (86400)"),
});

function isPlainUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "" && !text.includes("#");
}

const endpointsPath = `${organization}/webhook-endpoints` as const;
const endpointPath = `${endpointsPath}/{endpointId}` as const;

/** The webhook endpoints of an organisation. */
export const webhooks = {
  /** All endpoints, the oldest first. Retried. */
  list: defineEndpoint({
    name: "webhookList",
    path: endpointsPath,
    kind: "all",
    scope: "read",
    query: partQuery,
    answer: partOf({ endpoints: z.array(adminWebhook) }),
    summary: "Lists webhook endpoints",
  }),
  /**
   * A new endpoint, with its secret, which is shown this once. 422 `url_refused` where the server sends nothing to the
   * address, `too_many_webhooks` where the organisation has 20. Never retried once sent.
   */
  create: defineEndpoint({
    name: "webhookCreate",
    method: "POST",
    path: endpointsPath,
    scope: "keys",
    body: webhookCreateRequest,
    answer: createdWebhook,
    summary: "Creates an endpoint, whose secret is shown once",
    statuses: [201],
  }),
  /** Changes an endpoint, disables it, or enables it again. Retried. */
  edit: defineEndpoint({
    name: "webhookEdit",
    method: "POST",
    path: endpointPath,
    idempotent: true,
    scope: "keys",
    body: webhookEditRequest,
    answer: adminWebhook,
    summary: "Changes an endpoint",
  }),
  /** Removes an endpoint: what waits for it is given up. Never retried once sent. */
  delete: defineEndpoint({
    name: "webhookDelete",
    method: "POST",
    path: `${endpointPath}/delete`,
    scope: "keys",
    answer: adminWebhook,
    summary: "Removes an endpoint",
  }),
  /** A new secret beside the old one, which ends after `overlapSeconds`. Never retried once sent. */
  rotateSecret: defineEndpoint({
    name: "webhookRotate",
    method: "POST",
    path: `${endpointPath}/rotate-secret`,
    scope: "keys",
    body: webhookRotateRequest.prefault({}),
    answer: rotatedWebhook,
    summary: "Puts a new secret beside the old one",
    statuses: [201],
  }),
};
