import type { CallOptions } from "../../call.ts";
import { call, checkPath, posting } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import { partQuery } from "../contract/part.ts";
import {
  type AdminWebhook,
  adminWebhook,
  type CreatedWebhook,
  createdWebhook,
  type RotatedWebhook,
  rotatedWebhook,
  type WebhookCreateRequest,
  type WebhookEditRequest,
  type WebhookRotateRequest,
  webhookCreateRequest,
  webhookEditRequest,
  webhookListAnswer,
  webhookRotateRequest,
} from "../contract/webhook.ts";
import {
  type AdminWebhookDelivery,
  type WebhookDeliveryListAnswer,
  type WebhookDeliveryQuery,
  type WebhookReplayAnswer,
  type WebhookReplayRequest,
  type WebhookTestAnswer,
  webhookDeliveryListAnswer,
  webhookDeliveryQuery,
  webhookReplayAnswer,
  webhookReplayRequest,
  webhookTestAnswer,
} from "../contract/webhook-delivery.ts";
import { collected, createListing, type Listing } from "../listing.ts";
import { webhookEndpoints } from "../webhook-endpoints.ts";

/** Who is told of an organisation's events. */
export interface AdminWebhooks {
  /** All endpoints, the oldest first. Retried. */
  list(options?: CallOptions): Promise<readonly AdminWebhook[]>;
  /**
   * A new endpoint, with its secret, which is shown this once. 422 `url_refused` where the server sends nothing to the
   * address, `too_many_webhooks` where the organisation has 20. Never retried once sent.
   */
  create(webhook: WebhookCreateRequest, options?: CallOptions): Promise<CreatedWebhook>;
  /** Changes an endpoint, disables it, or enables it again. Retried. */
  edit(endpointId: string, changes: WebhookEditRequest, options?: CallOptions): Promise<AdminWebhook>;
  /** Removes an endpoint: what waits for it is given up. Never retried once sent. */
  delete(endpointId: string, options?: CallOptions): Promise<AdminWebhook>;
  /** A new secret beside the old one, which ends after `overlapSeconds`. Never retried once sent. */
  rotateSecret(
    endpointId: string,
    request?: WebhookRotateRequest,
    options?: CallOptions,
  ): Promise<RotatedWebhook>;
  /** Sends the event `webhook.test`. Never retried once sent. */
  sendTest(endpointId: string, options?: CallOptions): Promise<WebhookTestAnswer>;
  /**
   * Sends an event again, or 10,000 at most of those since an instant; `next` is the `cursor` for the rest. Their ids are
   * what they were. 409 `webhook_disabled` where the endpoint is. Retried.
   */
  replay(
    endpointId: string,
    request: WebhookReplayRequest,
    options?: CallOptions,
  ): Promise<WebhookReplayAnswer>;
  /** What was sent and what waits, the newest events first. */
  readonly deliveries: Listing<WebhookDeliveryQuery, WebhookDeliveryListAnswer, AdminWebhookDelivery>;
}

export function createAdminWebhooks(transport: Transport, organization_id: string): AdminWebhooks {
  const params = { organization_id };
  const { webhookEdit, webhookDelete, webhookRotate, webhookTest, webhookReplay } = webhookEndpoints;
  const pathOf = (endpoint: Parameters<typeof checkPath>[0], endpoint_id: string) =>
    checkPath(endpoint, { ...params, endpoint_id });
  const listing = createListing(transport, params, {
    endpoint: webhookEndpoints.webhookList,
    query: partQuery,
    answer: webhookListAnswer,
    itemsOf: ({ endpoints }) => endpoints,
  });
  return {
    list: (options) => collected(listing.all({ limit: 100 }, options)),
    create: posting(transport, params)(webhookEndpoints.webhookCreate, webhookCreateRequest, createdWebhook),
    async edit(endpointId, changes, options) {
      const body = checkInput(webhookEdit, webhookEditRequest, changes);
      const input = { params: pathOf(webhookEdit, endpointId), body };
      return call(transport, webhookEdit, adminWebhook, input, options);
    },
    async delete(endpointId, options) {
      const input = { params: pathOf(webhookDelete, endpointId) };
      return call(transport, webhookDelete, adminWebhook, input, options);
    },
    async rotateSecret(endpointId, request = {}, options) {
      const body = checkInput(webhookRotate, webhookRotateRequest, request);
      const input = { params: pathOf(webhookRotate, endpointId), body };
      return call(transport, webhookRotate, rotatedWebhook, input, options);
    },
    async sendTest(endpointId, options) {
      const input = { params: pathOf(webhookTest, endpointId) };
      return call(transport, webhookTest, webhookTestAnswer, input, options);
    },
    async replay(endpointId, request, options) {
      const body = checkInput(webhookReplay, webhookReplayRequest, request);
      const input = { params: pathOf(webhookReplay, endpointId), body };
      return call(transport, webhookReplay, webhookReplayAnswer, input, options);
    },
    deliveries: createListing(transport, params, {
      endpoint: webhookEndpoints.webhookDeliveryList,
      query: webhookDeliveryQuery,
      answer: webhookDeliveryListAnswer,
      itemsOf: ({ deliveries }) => deliveries,
    }),
  };
}
