import type { AgentEnsureRequest, AgentListQuery } from "../contract/agent.ts";
import type { CustomerCreateOrGetRequest } from "../contract/customer.ts";
import type { ListQuery } from "../contract/fields.ts";
import type { HeartbeatRequest } from "../contract/heartbeat.ts";
import type { OrderCreateRequest } from "../contract/order.ts";
import type {
  VoiceIndicatorRequest,
  VoiceLlmRequest,
  VoiceSessionRequest,
  VoiceSttRequest,
  VoiceTtsRequest,
} from "../contract/voice.ts";
import type { WalletTopUpRequest } from "../contract/wallet.ts";
import {
  acts,
  customerSubscription,
  type Endpoint,
  ensures,
  gateEndpoints,
  reads,
  usageBatch,
  walletBudgets,
} from "./endpoint.ts";

/** Apart from the others, so that a gate which says nothing of itself has it in no bundle. */
export const heartbeatEndpoint = ensures<HeartbeatRequest>("gateHeartbeat", "/api/v2/gates/heartbeat");

// Its identity is the invoice, so a key would add nothing; the spec does not call it safe to repeat.
const invoiceMarkPaid: Endpoint<undefined, undefined, "invoice_id"> = {
  name: "invoiceMarkPaid",
  method: "POST",
  path: "/api/v1/invoices/{invoice_id}/mark-paid",
  idempotent: false,
  keyed: false,
};

const ofCustomer = "/api/v1/customers/by-external-id/{external_id}";

/** The sixteen operations of the service (API, section 4), and four of ours: `walletBudgets`, `usageBatch`, `customerInvoices` and `gateHeartbeat`. */
export const endpoints = {
  ...gateEndpoints,
  walletBudgets,
  usageBatch,
  customerSubscription,
  walletTopUp: acts<WalletTopUpRequest>("walletTopUp", "/api/v1/wallet/top-up"),
  customerCreateOrGet: ensures<CustomerCreateOrGetRequest>(
    "customerCreateOrGet",
    "/api/v1/customers/create-or-get",
  ),
  customerOrders: reads<ListQuery, "external_id">("customerOrders", `${ofCustomer}/orders`),
  customerInvoices: reads<ListQuery, "external_id">("customerInvoices", `${ofCustomer}/invoices`),
  orderCreate: acts<OrderCreateRequest>("orderCreate", "/api/v1/orders"),
  orderInvoices: reads<ListQuery, "order_id">("orderInvoices", "/api/v1/orders/{order_id}/invoices"),
  invoiceMarkPaid,
  agentList: reads<AgentListQuery>("agentList", "/api/v1/agents"),
  agentEnsure: ensures<AgentEnsureRequest>("agentEnsure", "/api/v1/agents/ensure"),
  voiceSession: acts<VoiceSessionRequest>("voiceSession", "/api/v1/voice/session"),
  voiceStt: acts<VoiceSttRequest>("voiceStt", "/api/v1/voice/stt"),
  voiceLlm: acts<VoiceLlmRequest>("voiceLlm", "/api/v1/voice/llm"),
  voiceTts: acts<VoiceTtsRequest>("voiceTts", "/api/v1/voice/tts"),
  voiceIndicator: acts<VoiceIndicatorRequest>("voiceIndicator", "/api/v1/voice/indicator"),
  gateHeartbeat: heartbeatEndpoint,
} as const;

/** The operations of the service, by their names. */
export type Endpoints = typeof endpoints;
