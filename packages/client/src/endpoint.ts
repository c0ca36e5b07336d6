/** One of the service's operations, as data: where it is, and what may be done with a call that failed. */
export interface Endpoint {
  /** The name used in this package, in messages and in telemetry. */
  readonly name: string;
  readonly method: "GET" | "POST";
  /** The path below the base URL; a parameter stands in braces, as in `/api/v1/orders/{order_id}/invoices`. */
  readonly path: string;
  /** Safe to repeat by the service's own word: it reads, creates-or-gets, or ensures. */
  readonly idempotent: boolean;
  /** Carries an `Idempotency-Key`, so that a service that honours keys does its effect once. */
  readonly keyed: boolean;
}

function reads(name: string, path: string): Endpoint {
  return { name, method: "GET", path, idempotent: true, keyed: false };
}

function ensures(name: string, path: string): Endpoint {
  return { name, method: "POST", path, idempotent: true, keyed: false };
}

function acts(name: string, path: string): Endpoint {
  return { name, method: "POST", path, idempotent: false, keyed: true };
}

/** The sixteen operations of the service (API, section 4). */
export interface Endpoints {
  readonly walletBalance: Endpoint;
  readonly walletTopUp: Endpoint;
  readonly usageReport: Endpoint;
  readonly customerCreateOrGet: Endpoint;
  readonly customerSubscription: Endpoint;
  readonly customerOrders: Endpoint;
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

/** The sixteen operations of the service (API, section 4). */
export const endpoints: Endpoints = {
  walletBalance: reads("walletBalance", "/api/v1/wallet/balance"),
  walletTopUp: acts("walletTopUp", "/api/v1/wallet/top-up"),
  usageReport: acts("usageReport", "/api/v2/usage"),
  customerCreateOrGet: ensures("customerCreateOrGet", "/api/v1/customers/create-or-get"),
  customerSubscription: reads(
    "customerSubscription",
    "/api/v1/customers/by-external-id/{external_id}/subscription",
  ),
  customerOrders: reads("customerOrders", "/api/v1/customers/by-external-id/{external_id}/orders"),
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
