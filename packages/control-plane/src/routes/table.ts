import {
  agentEnsureRequest,
  agentListQuery,
  customerCreateOrGetRequest,
  customerSubscriptionQuery,
  type Endpoints,
  heartbeatRequest,
  listQuery,
  orderCreateRequest,
  usageBatchRequest,
  usageReportRequest,
  voiceIndicatorRequest,
  voiceLlmRequest,
  voiceSessionRequest,
  voiceSttRequest,
  voiceTtsRequest,
  walletBalanceQuery,
  walletBudgetsRequest,
  walletTopUpRequest,
} from "@creditgate/client";
import type { Handlers, Readers } from "../endpoint/call.ts";
import type { Operation } from "./operation.ts";

/** The API that organisations use. Routes, scopes, methods, documentation: all of it comes from here. */
export type Operations = {
  readonly [Name in keyof Endpoints]: Operation & Readers<Endpoints[Name]>;
};

/** What the endpoints do, but for those that are answered before Express. */
export type PublicHandlers = Omit<Handlers<Endpoints>, "usageReport" | "usageBatch">;

const kibibyte = 1024;

const call = "call-7f3a";
const order = "0b2d3f4a-5c6e-4f70-8a9b-0c1d2e3f4a5b";
const invoice = "1c3e4a5b-6d7f-4081-9bac-1d2e3f4a5b6c";
const deadReport = {
  ...{ id: "7d1f0c52-4f0e-4f3e-9c0a-1d2e3f4a5b6c", state: "dead", customerId: "alice", agentId: "chat" },
  ...{ indicator: "message", credits: 2.5, reason: "404 agent_unknown", since: "2026-01-01T00:00:00Z" },
};
const model = { provider: "openai", model: "gpt-5", plan: "pro" };

/** What the lists of one customer have in common. */
const listOfCustomer = {
  path: { external_id: "alice" },
  query: { schema: listQuery, example: { limit: 20 } },
  errors: [404],
} satisfies Partial<Operation>;

/** What the steps of a voice call have in common. */
const voice = {
  scope: "usage",
  section: "4.6",
  tag: "Voice tracking",
  errors: [404, 409, 422],
} satisfies Partial<Operation>;

export const operations: Operations = {
  walletBalance: {
    scope: "read",
    summary: "Read all wallets of a customer",
    section: "4.1",
    tag: "Wallets",
    query: { schema: walletBalanceQuery, example: { customer_id: "alice" } },
    answers: { 200: "WalletBalanceAnswer" },
    errors: [404],
  },
  walletBudgets: {
    scope: "read",
    summary: "Read all wallets of a customer, and budgets as of the same instant",
    tag: "Wallets",
    body: {
      schema: walletBudgetsRequest,
      example: { customer_id: "alice", budgets: { ai_credits: ["member:42"] } },
    },
    answers: { 200: "WalletBudgetsAnswer" },
    errors: [404],
  },
  walletTopUp: {
    scope: "wallets",
    summary: "Top up prepaid wallets: overage is cleared first, the remainder becomes available",
    section: "4.1",
    tag: "Wallets",
    body: {
      schema: walletTopUpRequest,
      example: { customer_id: "alice", top_ups: [{ credit_currency_key: "ai_credits", credits: 50 }] },
    },
    answers: { 200: "WalletTopUpAnswer" },
    errors: [404, 422],
  },
  usageReport: {
    scope: "usage",
    isFast: true,
    summary: "Report usage: it is stored now, and debited or accrued within seconds",
    section: "4.2",
    tag: "Usage",
    body: {
      schema: usageReportRequest,
      example: {
        agentId: "chat",
        customerId: "alice",
        indicator: "message",
        rawUsage: { ...model, inputTokens: 1200, cachedInputTokens: 800, outputTokens: 40, requests: 1 },
        budgets: [{ key: "member:42", period: "2026-01-01T00:00:00Z" }],
      },
    },
    answers: { 202: "UsageReceipt" },
    errors: [404, 422],
  },
  usageBatch: {
    scope: "usage",
    isFast: true,
    maxBytes: 1024 * kibibyte,
    summary:
      "Report usage in a batch: each report is taken by itself, under its own key, and answered as if it had come alone",
    tag: "Usage",
    body: {
      schema: usageBatchRequest,
      example: {
        reports: [
          {
            key: "7d1f0c52-4f0e-4f3e-9c0a-1d2e3f4a5b6c",
            agentId: "chat",
            customerId: "alice",
            indicator: "message",
            rawUsage: { ...model, inputTokens: 12, outputTokens: 40 },
            budgets: [{ key: "member:42" }],
          },
        ],
      },
    },
    answers: { 200: "UsageBatchAnswer" },
  },
  customerCreateOrGet: {
    scope: "customers",
    summary: "Create a customer, or get the one with this external ID",
    section: "4.3",
    tag: "Customers",
    body: {
      schema: customerCreateOrGetRequest,
      example: {
        externalId: "carol",
        name: "Carol",
        email: "carol@example.com",
        country: "CH",
        city: "Bern",
      },
    },
    answers: { 200: "Customer", 201: "Customer" },
  },
  customerSubscription: {
    scope: "read",
    summary: "Compute the state of a customer, and the recommended action",
    section: "4.3",
    tag: "Customers",
    path: { external_id: "alice" },
    query: { schema: customerSubscriptionQuery, example: { agentId: "chat" } },
    answers: { 200: "Subscription" },
    errors: [404],
  },
  customerOrders: {
    scope: "read",
    summary: "List the orders of a customer, the newest first; `next` is the cursor of those after",
    section: "4.3",
    tag: "Customers",
    ...listOfCustomer,
    answers: { 200: "OrderList" },
  },
  customerInvoices: {
    scope: "read",
    summary:
      "List all invoices of a customer, of orders and of periods, the newest first; `next` is the cursor of those after",
    tag: "Orders and invoices",
    ...listOfCustomer,
    answers: { 200: "InvoiceList" },
  },
  orderCreate: {
    scope: "orders",
    // Up to 100 items of 20 benefits.
    maxBytes: 256 * kibibyte,
    summary: "Create an order; a replacement is pending until its invoice is paid",
    section: "4.4",
    tag: "Orders and invoices",
    body: {
      schema: orderCreateRequest,
      example: {
        customerExternalId: "alice",
        orderName: "Pro plan",
        startDate: "2026-01-01",
        lineItems: [
          {
            agentId: "chat",
            platformFee: { amount: 4900, currency: "EUR" },
            creditBenefits: [{ credit_currency_key: "ai_credits", credits: 500 }],
          },
        ],
      },
    },
    answers: { 201: "Order" },
    errors: [404, 409, 422],
  },
  orderInvoices: {
    scope: "read",
    summary: "List the invoices of an order, the newest first; `next` is the cursor of those after",
    section: "4.4",
    tag: "Orders and invoices",
    path: { order_id: order },
    query: { schema: listQuery, example: { limit: 20 } },
    answers: { 200: "InvoiceList" },
    errors: [404],
  },
  invoiceMarkPaid: {
    scope: "orders",
    summary: "Mark an invoice paid: credits become available, replacement orders active",
    section: "4.4",
    tag: "Orders and invoices",
    path: { invoice_id: invoice },
    answers: { 200: "Invoice" },
    errors: [404, 409, 422],
  },
  agentList: {
    scope: "read",
    summary: "List agents",
    section: "4.5",
    tag: "Agents",
    query: { schema: agentListQuery, example: { page: 1, limit: 20 } },
    answers: { 200: "AgentList" },
  },
  agentEnsure: {
    scope: "agents",
    summary: "Create an agent, or get the one with this external ID",
    section: "4.5",
    tag: "Agents",
    body: {
      schema: agentEnsureRequest,
      example: {
        agent_name: "Support line",
        agent_external_id: "support-1",
        agent_description: "Answers the phone",
        agent_type: "voice",
      },
    },
    answers: { 200: "Agent", 201: "Agent" },
  },
  voiceSession: {
    ...voice,
    summary: "Open the session of a voice call",
    body: { schema: voiceSessionRequest, example: { sessionId: call, agentId: "chat", customerId: "alice" } },
    answers: { 201: "VoiceSession" },
  },
  voiceStt: {
    ...voice,
    summary: "Track speech to text, in minutes of audio",
    body: {
      schema: voiceSttRequest,
      example: { sessionId: call, audioMinutes: 2.5, provider: "deepgram", model: "nova", plan: "pro" },
    },
    answers: { 202: "VoiceReceipt" },
  },
  voiceLlm: {
    ...voice,
    summary: "Track a language model, in tokens; cached tokens are a part of the prompt's",
    body: {
      schema: voiceLlmRequest,
      example: { sessionId: call, ...model, promptTokens: 1200, completionTokens: 300, cachedTokens: 800 },
    },
    answers: { 202: "VoiceReceipt" },
  },
  voiceTts: {
    ...voice,
    summary: "Track text to speech, in characters",
    body: {
      schema: voiceTtsRequest,
      example: { sessionId: call, provider: "elevenlabs", model: "turbo", plan: "pro", characters: 950 },
    },
    answers: { 202: "VoiceReceipt" },
  },
  voiceIndicator: {
    ...voice,
    summary: "Close the call: it is priced with all that was tracked, and debited or accrued once",
    body: {
      schema: voiceIndicatorRequest,
      example: { sessionId: call, indicator: "message", totalDuration: 3.5 },
    },
    answers: { 202: "VoiceIndicatorReceipt" },
  },
  gateHeartbeat: {
    scope: "usage",
    // A hundred reports that wait, with their reasons.
    maxBytes: 256 * kibibyte,
    summary:
      "Say how a gate is, in totals since its start; the answer names reports that an operator wants to be sent again",
    tag: "Gates",
    body: {
      schema: heartbeatRequest,
      example: {
        ...{
          gateId: "4e0b7c1d-2f3a-4b5c-8d6e-7f8091a2b3c4",
          name: "web-eu",
          platform: "Express",
          version: "0.1.0",
        },
        ...{ startedAt: "2026-01-01T00:00:00Z", everyMs: 5_000, allowed: 1_200, late: 0 },
        denied: { insufficient_credits: 14 },
        ...{ open: 3, held: 6.5, queued: 1, parked: 0, dead: 1, retried: [] },
        waiting: [deadReport],
      },
    },
    answers: { 200: "HeartbeatAnswer" },
    errors: [409, 422],
  },
};
