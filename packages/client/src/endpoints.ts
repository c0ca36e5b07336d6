import { acts, type Endpoint, ensures, reads } from "./endpoint.ts";
import { gateEndpoints } from "./gate-endpoints.ts";

/** The sixteen operations of the service (API, section 4), and two of ours: `usageBatch` and `customerInvoices`. */
export interface Endpoints {
  readonly walletBalance: Endpoint;
  readonly walletTopUp: Endpoint;
  readonly usageReport: Endpoint;
  readonly usageBatch: Endpoint;
  readonly customerCreateOrGet: Endpoint;
  readonly customerSubscription: Endpoint;
  readonly customerOrders: Endpoint;
  readonly customerInvoices: Endpoint;
  readonly orderCreate: Endpoint;
  readonly orderInvoices: Endpoint;
  readonly invoiceMarkPaid: Endpoint;
  readonly agentList: Endpoint;
  readonly agentEnsure: Endpoint;
  readonly voiceSession: Endpoint;
  readonly voiceStt: Endpoint;
  readonly voiceLlm: Endpoint;
  readonly voiceTts: Endpoint;
  readonly voiceIndicator: Endpoint;
}

/** The sixteen operations of the service (API, section 4), and two of ours: `usageBatch` and `customerInvoices`. */
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
};
