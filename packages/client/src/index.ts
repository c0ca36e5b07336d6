export { checkAgents } from "./check/agent-check.ts";
export type { Expectations, Finding, FindingName, PricedUsage } from "./check/finding.ts";
export { checkService } from "./check/service-check.ts";
export {
  type AgentEnsureRequest,
  type AgentListAnswer,
  type AgentListQuery,
  agentEnsureRequest,
  agentListAnswer,
  agentListQuery,
} from "./contract/agent.ts";
export {
  type CustomerCreateOrGetRequest,
  type CustomerSubscriptionQuery,
  customerCreateOrGetRequest,
  customerSubscriptionQuery,
} from "./contract/customer.ts";
export {
  type Data,
  identifier,
  type ListQuery,
  listQuery,
  type OpenRecord,
  openRecord,
  type Units,
} from "./contract/fields.ts";
export {
  type HeartbeatAnswer,
  type HeartbeatRequest,
  heartbeatAnswer,
  heartbeatRequest,
  type WaitingReport,
} from "./contract/heartbeat.ts";
export {
  type CreditBenefit,
  type OrderBenefit,
  type OrderCreateRequest,
  type OrderLineItem,
  orderCreateRequest,
  type PlatformFee,
} from "./contract/order.ts";
export {
  type KeyedUsageReport,
  type RawUsage,
  rawUsage,
  type UsageBatchAnswer,
  type UsageBatchRequest,
  type UsageBatchResult,
  type UsageReportAnswer,
  type UsageReportRequest,
  usageBatchAnswer,
  usageBatchRequest,
  usageReportAnswer,
  usageReportRequest,
} from "./contract/usage.ts";
export {
  budgetRules,
  type UsageField,
  type UsagePart,
  unknownUsageField,
  usageFieldOf,
  usageFields,
  usageParts,
} from "./contract/usage-fields.ts";
export {
  type VoiceIndicatorRequest,
  type VoiceLlmRequest,
  type VoiceOrigin,
  type VoiceSessionRequest,
  type VoiceSttRequest,
  type VoiceTtsRequest,
  voiceIndicatorRequest,
  voiceLlmRequest,
  voiceSessionRequest,
  voiceSttRequest,
  voiceTtsRequest,
} from "./contract/voice.ts";
export {
  type WalletBalance,
  type WalletBalanceAnswer,
  type WalletBalanceQuery,
  type WalletBudget,
  type WalletBudgetsRequest,
  type WalletTopUp,
  type WalletTopUpAnswer,
  type WalletTopUpRequest,
  type WalletTopUpResult,
  walletBalance,
  walletBalanceAnswer,
  walletBalanceQuery,
  walletBudget,
  walletBudgetsRequest,
  walletTopUpAnswer,
  walletTopUpRequest,
} from "./contract/wallet.ts";
export {
  CreditgateError,
  type CreditgateErrorCode,
  type CreditgateErrorDetails,
  isCreditgateError,
  type Problem,
} from "./errors/creditgate-error.ts";
export { refusalCodes } from "./errors/http-error.ts";
export { nearestName } from "./errors/nearest-name.ts";
export { oneLine } from "./errors/one-line.ts";
export { type KnownNames, type NameWords, unknownName } from "./errors/unknown-name.ts";
export type { Fetch } from "./exchange/fetch-exchange.ts";
export type { Agents } from "./resources/agents.ts";
export { type Client, createClient } from "./resources/client.ts";
export type { Customers } from "./resources/customers.ts";
export type { Invoices, Orders } from "./resources/orders.ts";
export type { Receipt, Usage } from "./resources/usage.ts";
export type { Voice } from "./resources/voice.ts";
export type { Wallets } from "./resources/wallets.ts";
export type { Answer, CallInput, CallOptions, KeyedCallOptions } from "./transport/call.ts";
export {
  customerSubscription,
  type Endpoint,
  gateEndpoints,
  usageBatch,
  walletBudgets,
} from "./transport/endpoint.ts";
export { type Endpoints, endpoints, heartbeatEndpoint } from "./transport/endpoints.ts";
export {
  type GateIdentity,
  gateHeader,
  type LedgerKind,
  parseGateIdentity,
  type SeparateLedgers,
  separateLedgersHeader,
} from "./transport/gate-identity.ts";
export type { ClientOptions } from "./transport/options.ts";
export { type BackOffBounds, backOffMs } from "./transport/retry.ts";
export type { Timing } from "./transport/timing.ts";
export { createTransport, type Transport } from "./transport/transport.ts";
