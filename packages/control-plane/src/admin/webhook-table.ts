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
import type { AdminServed } from "./roles.ts";

type WebhookTable = { readonly [Of in keyof WebhookEndpoints]: AdminServed & Readers<WebhookEndpoints[Of]> };

const scope = "keys";

/** What may be done with webhooks, and what it takes. */
export const webhookTable: WebhookTable = {
  webhookList: { scope: "read", query: { schema: partQuery } },
  webhookCreate: { scope, body: { schema: webhookCreateRequest } },
  webhookEdit: { scope, body: { schema: webhookEditRequest } },
  webhookDelete: { scope },
  webhookRotate: { scope, body: { schema: webhookRotateRequest.prefault({}) } },
  webhookTest: { scope },
  webhookReplay: { scope, body: { schema: webhookReplayRequest } },
  webhookDeliveryList: { scope: "read", query: { schema: webhookDeliveryQuery } },
};
