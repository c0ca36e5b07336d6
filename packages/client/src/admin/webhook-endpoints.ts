import { changes, type Endpoint, ensures, reads } from "../endpoint.ts";
import type { PartQuery } from "./contract/part.ts";
import type { WebhookCreateRequest, WebhookEditRequest, WebhookRotateRequest } from "./contract/webhook.ts";
import type { WebhookDeliveryQuery, WebhookReplayRequest } from "./contract/webhook-delivery.ts";

/** The operations on what is told of events. */
export interface WebhookEndpoints {
  readonly webhookList: Endpoint<undefined, PartQuery>;
  readonly webhookCreate: Endpoint<WebhookCreateRequest, undefined>;
  readonly webhookEdit: Endpoint<WebhookEditRequest, undefined, "endpoint_id">;
  readonly webhookDelete: Endpoint<undefined, undefined, "endpoint_id">;
  readonly webhookRotate: Endpoint<WebhookRotateRequest, undefined, "endpoint_id">;
  readonly webhookTest: Endpoint<undefined, undefined, "endpoint_id">;
  readonly webhookReplay: Endpoint<WebhookReplayRequest, undefined, "endpoint_id">;
  readonly webhookDeliveryList: Endpoint<undefined, WebhookDeliveryQuery>;
}

const organization = "/admin/api/organizations/{organization_id}";
const endpoint = `${organization}/webhook-endpoints/{endpoint_id}`;

export const webhookEndpoints: WebhookEndpoints = {
  webhookList: reads("webhookList", `${organization}/webhook-endpoints`),
  webhookCreate: changes("webhookCreate", `${organization}/webhook-endpoints`),
  webhookEdit: ensures("webhookEdit", endpoint),
  webhookDelete: changes("webhookDelete", `${endpoint}/delete`),
  webhookRotate: changes("webhookRotate", `${endpoint}/rotate-secret`),
  webhookTest: changes("webhookTest", `${endpoint}/test`),
  // What waits already is not queued twice, and what has come twice has one id.
  webhookReplay: ensures("webhookReplay", `${endpoint}/replay`),
  webhookDeliveryList: reads("webhookDeliveryList", `${organization}/webhook-deliveries`),
};
