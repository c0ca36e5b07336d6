import { z } from "zod";
import { line } from "../../contract/text.ts";
import { type Edit, editFields, type Tagged, taggedFields } from "./etag.ts";
import { type Part, partEnd } from "./part.ts";
import { type WebhookEventType, webhookEventTypes } from "./webhook-event.ts";

/** An address that is told of events, without its secrets. */
export interface AdminWebhook extends Tagged {
  readonly endpointId: string;
  readonly url: string;
  readonly description: string | null;
  /** What it is told of; `null`: of all. */
  readonly events: readonly string[] | null;
  /** `enabled`, or `disabled`: it is told of nothing, and what waited for it is given up. */
  readonly status: string;
  /** `administrator`, `failing` for days, or `gone`: it has answered 410. */
  readonly disabledBecause: string | null;
  readonly disabledAt: string | null;
  /** Since when each attempt has failed. */
  readonly failingSince: string | null;
  readonly createdAt: string;
}

/** An endpoint that has just been made: the only time that its secret is shown. */
export interface CreatedWebhook extends AdminWebhook {
  /** As the Standard Webhooks specification has it: `whsec_` and 32 bytes in base64. */
  readonly secret: string;
}

/** An endpoint with a new secret. */
export interface RotatedWebhook extends CreatedWebhook {
  /** When the secrets from before end; until then each message has a signature of each. */
  readonly previousEndAt: string;
}

/** An endpoint to make. */
export interface WebhookCreateRequest {
  /** By https, unless the server allows http, without user or fragment; 2048 bytes at most. */
  readonly url: string;
  readonly description?: string | undefined;
  /** What it is told of. @default all events, those of later versions too */
  readonly events?: readonly WebhookEventType[] | null | undefined;
}

/** Changes of an endpoint. What is left out stays; `null` takes a description back, and asks for all events. */
export interface WebhookEditRequest extends Edit {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly events?: readonly WebhookEventType[] | null | undefined;
  readonly status?: "enabled" | "disabled" | undefined;
}

/** How a secret is replaced. */
export interface WebhookRotateRequest {
  /** For how long the old one signs besides the new one, 0 to 30 days. @default 86400 */
  readonly overlapSeconds?: number | undefined;
}

/** A part of the endpoints, the oldest first. */
export interface WebhookListAnswer extends Part {
  readonly endpoints: readonly AdminWebhook[];
}

const fields = {
  endpointId: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.string()).nullable(),
  status: z.string(),
  disabledBecause: z.string().nullable(),
  disabledAt: z.string().nullable(),
  failingSince: z.string().nullable(),
  createdAt: z.string(),
  ...taggedFields,
};

/** Parses an endpoint. Fields that are not listed are passed on. */
export const adminWebhook: z.ZodType<AdminWebhook> = z.looseObject(fields);

/** Parses an endpoint that has just been made. */
export const createdWebhook: z.ZodType<CreatedWebhook> = z.looseObject({ ...fields, secret: z.string() });

/** Parses an endpoint with a new secret. */
export const rotatedWebhook: z.ZodType<RotatedWebhook> = z.looseObject({
  ...fields,
  secret: z.string(),
  previousEndAt: z.string(),
});

/** Parses a part of the endpoints. */
export const webhookListAnswer: z.ZodType<WebhookListAnswer> = z.looseObject({
  endpoints: z.array(adminWebhook),
  ...partEnd,
});

const url = line(1, 2048).refine(
  isPlainUrl,
  "Invalid input: expected a URL with http or https, without user or fragment",
);
const events = z.array(z.enum(webhookEventTypes)).min(1).nullish();

/** Parses the body that makes an endpoint. Whether the server sends to it is the server's to say. */
export const webhookCreateRequest: z.ZodType<WebhookCreateRequest> = z.strictObject({
  url,
  description: line(1, 256).optional(),
  events,
});

/** Parses the body that changes an endpoint. */
export const webhookEditRequest: z.ZodType<WebhookEditRequest> = z.strictObject({
  ...editFields,
  url: url.optional(),
  description: line(1, 256).nullish(),
  events,
  status: z.enum(["enabled", "disabled"]).optional(),
});

/** Parses the body that replaces a secret. */
export const webhookRotateRequest: z.ZodType<WebhookRotateRequest> = z.strictObject({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 24 * 60 * 60)
    .optional(),
});

function isPlainUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "" && !text.includes("#");
}
