export { nearestName } from "#nearest-name";
export { type BackOffBounds, backOffMs } from "./back-off.ts";
export type { Answer, CallInput, CallOptions, KeyedCallOptions } from "./call.ts";
export { checkAgents } from "./check/agent-check.ts";
export type { Expectations, Finding, FindingName, PricedUsage } from "./check/finding.ts";
export { checkService } from "./check/service-check.ts";
export { type Client, createClient } from "./client.ts";
export {
  type AgentEnsureRequest,
  type AgentListAnswer,
  type AgentListQuery,
  agentEnsureRequest,
  agentListAnswer,
  agentListQuery,
  type CreditBenefit,
  type CustomerCreateOrGetRequest,
  type CustomerSubscriptionQuery,
  customerCreateOrGetRequest,
  customerSubscriptionQuery,
  type HeartbeatAnswer,
  type HeartbeatRequest,
  heartbeatAnswer,
  heartbeatRequest,
  identifier,
  type KeyedUsageReport,
  type ListQuery,
  listQuery,
  type OpenRecord,
  type OrderCreateRequest,
  type OrderLineItem,
  openRecord,
  orderCreateRequest,
  type PlatformFee,
  type RawUsage,
  rawUsage,
  type Units,
  type UsageBatchAnswer,
  type UsageBatchRequest,
  type UsageBatchResult,
  type UsageReportAnswer,
  type UsageReportRequest,
  usageBatchAnswer,
  usageBatchRequest,
  usageReportAnswer,
  usageReportRequest,
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
  type WaitingReport,
  type WalletBalance,
  type WalletBalanceAnswer,
  type WalletBalanceQuery,
  type WalletTopUp,
  type WalletTopUpAnswer,
  type WalletTopUpRequest,
  type WalletTopUpResult,
  walletBalance,
  walletBalanceAnswer,
  walletBalanceQuery,
  walletTopUpAnswer,
  walletTopUpRequest,
} from "./contract/index.ts";
export {
  CreditgateError,
  type CreditgateErrorCode,
  type CreditgateErrorDetails,
  isCreditgateError,
  type Problem,
} from "./creditgate-error.ts";
export type { Endpoint } from "./endpoint.ts";
export { type Endpoints, endpoints, heartbeatEndpoint } from "./endpoints.ts";
export type { Fetch } from "./exchange/fetch-exchange.ts";
export { gateEndpoints } from "./gate-endpoints.ts";
export {
  type GateIdentity,
  gateHeader,
  type LedgerKind,
  parseGateIdentity,
  type SeparateLedgers,
  separateLedgersHeader,
} from "./gate-identity.ts";
export type { ClientOptions } from "./options.ts";
export type { Receipt } from "./receipt.ts";
export { refusalCodes } from "./refusal-codes.ts";
export type { Agents } from "./resources/agents.ts";
export type { Customers } from "./resources/customers.ts";
export type { Invoices } from "./resources/invoices.ts";
export type { Orders } from "./resources/orders.ts";
export type { Usage } from "./resources/usage.ts";
export type { Voice } from "./resources/voice.ts";
export type { Wallets } from "./resources/wallets.ts";
export { oneLine } from "./service-words.ts";
export type { Timing } from "./timing.ts";
export { createTransport, type Transport } from "./transport.ts";
export { type KnownNames, type NameWords, unknownName } from "./unknown-name.ts";
export {
  type UsageField,
  type UsagePart,
  unknownUsageField,
  usageFieldOf,
  usageFields,
  usageParts,
} from "./usage-fields.ts";
