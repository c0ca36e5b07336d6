import type {
  AgentEnsureRequest,
  AgentListQuery,
  CustomerCreateOrGetRequest,
  HeartbeatRequest,
  ListQuery,
  OrderCreateRequest,
  VoiceIndicatorRequest,
  VoiceLlmRequest,
  VoiceSessionRequest,
  VoiceSttRequest,
  VoiceTtsRequest,
  WalletTopUpRequest,
} from "./contract/index.ts";
import { acts, type Endpoint, ensures, reads } from "./endpoint.ts";
import { type GateEndpoints, gateEndpoints } from "./gate-endpoints.ts";

/** The sixteen operations of the service (API, section 4), and three of ours: `usageBatch`, `customerInvoices` and `gateHeartbeat`. */
export interface Endpoints extends GateEndpoints {
  readonly walletTopUp: Endpoint<WalletTopUpRequest, undefined>;
  readonly customerCreateOrGet: Endpoint<CustomerCreateOrGetRequest, undefined>;
  readonly customerOrders: Endpoint<undefined, ListQuery, "external_id">;
  readonly customerInvoices: Endpoint<undefined, ListQuery, "external_id">;
  readonly orderCreate: Endpoint<OrderCreateRequest, undefined>;
  readonly orderInvoices: Endpoint<undefined, ListQuery, "order_id">;
  readonly invoiceMarkPaid: Endpoint<undefined, undefined, "invoice_id">;
  readonly agentList: Endpoint<undefined, AgentListQuery>;
  readonly agentEnsure: Endpoint<AgentEnsureRequest, undefined>;
  readonly voiceSession: Endpoint<VoiceSessionRequest, undefined>;
  readonly voiceStt: Endpoint<VoiceSttRequest, undefined>;
  readonly voiceLlm: Endpoint<VoiceLlmRequest, undefined>;
  readonly voiceTts: Endpoint<VoiceTtsRequest, undefined>;
  readonly voiceIndicator: Endpoint<VoiceIndicatorRequest, undefined>;
  readonly gateHeartbeat: Endpoint<HeartbeatRequest, undefined>;
}

/** Apart from the others, so that a gate which says nothing of itself has it in no bundle. */
export const heartbeatEndpoint: Endpoint<HeartbeatRequest, undefined> = ensures(
  "gateHeartbeat",
  "/api/v2/gates/heartbeat",
);

/** The sixteen operations of the service (API, section 4), and three of ours: `usageBatch`, `customerInvoices` and `gateHeartbeat`. */
export const endpoints: Endpoints = {
  ...gateEndpoints,
  walletTopUp: acts("walletTopUp", "/api/v1/wallet/top-up"),
  customerCreateOrGet: ensures("customerCreateOrGet", "/api/v1/customers/create-or-get"),
  customerOrders: reads("customerOrders", "/api/v1/customers/by-external-id/{external_id}/orders"),
  customerInvoices: reads("customerInvoices", "/api/v1/customers/by-external-id/{external_id}/invoices"),
  orderCreate: acts("orderCreate", "/api/v1/orders"),
  orderInvoices: reads("orderInvoices", "/api/v1/orders/{order_id}/invoices"),
  // Its identity is the invoice, so a key would add nothing; the spec does not call it safe to repeat.
  invoiceMarkPaid: {
    name: "invoiceMarkPaid",
    method: "POST",
    path: "/api/v1/invoices/{invoice_id}/mark-paid",
    idempotent: false,
    keyed: false,
  },
  agentList: reads("agentList", "/api/v1/agents"),
  agentEnsure: ensures("agentEnsure", "/api/v1/agents/ensure"),
  voiceSession: acts("voiceSession", "/api/v1/voice/session"),
  voiceStt: acts("voiceStt", "/api/v1/voice/stt"),
  voiceLlm: acts("voiceLlm", "/api/v1/voice/llm"),
  voiceTts: acts("voiceTts", "/api/v1/voice/tts"),
  voiceIndicator: acts("voiceIndicator", "/api/v1/voice/indicator"),
  gateHeartbeat: heartbeatEndpoint,
};
