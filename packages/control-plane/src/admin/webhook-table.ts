import type { WebhookEndpoints } from "@creditgate/client/admin";
import {
  partQuery,
  webhookCreateRequest,
  webhookDeliveryQuery,
  webhookEditRequest,
  webhookReplayRequest,
  webhookRotateRequest,
} from "@creditgate/client/admin";
import type { Readers } from "../http/call.ts";
import type { Served } from "../http/endpoint-routes.ts";

type WebhookTable = { readonly [Of in keyof WebhookEndpoints]: Served & Readers<WebhookEndpoints[Of]> };

const scope = "administrator";

/** What administrators may do with webhooks. */
export const webhookTable: WebhookTable = {
  webhookList: { scope, query: { schema: partQuery } },
  webhookCreate: { scope, body: { schema: webhookCreateRequest } },
  webhookEdit: { scope, body: { schema: webhookEditRequest } },
  webhookDelete: { scope },
  webhookRotate: { scope, body: { schema: webhookRotateRequest.prefault({}) } },
  webhookTest: { scope },
  webhookReplay: { scope, body: { schema: webhookReplayRequest } },
  webhookDeliveryList: { scope, query: { schema: webhookDeliveryQuery } },
};
