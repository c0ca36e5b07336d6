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
  type WalletTopUp,
  type WalletTopUpAnswer,
  type WalletTopUpRequest,
  type WalletTopUpResult,
  walletBalance,
  walletBalanceAnswer,
  walletBalanceQuery,
  walletTopUpAnswer,
  walletTopUpRequest,
} from "./contract/wallet.ts";
export {
  CreditgateError,
  type CreditgateErrorCode,
  type CreditgateErrorDetails,
  isCreditgateError,
  type Problem,
} from "./creditgate-error.ts";
export { type Endpoint, gateEndpoints } from "./endpoint.ts";
export { type Endpoints, endpoints, heartbeatEndpoint } from "./endpoints.ts";
export type { Fetch } from "./exchange/fetch-exchange.ts";
export {
  type GateIdentity,
  gateHeader,
  type LedgerKind,
  parseGateIdentity,
  type SeparateLedgers,
  separateLedgersHeader,
} from "./gate-identity.ts";
export { oneLine, refusalCodes } from "./http-error.ts";
export type { ClientOptions } from "./options.ts";
export type { Agents } from "./resources/agents.ts";
export type { Customers } from "./resources/customers.ts";
export type { Invoices, Orders } from "./resources/orders.ts";
export type { Receipt, Usage } from "./resources/usage.ts";
export type { Voice } from "./resources/voice.ts";
export type { Wallets } from "./resources/wallets.ts";
export { type BackOffBounds, backOffMs } from "./retry.ts";
export type { Timing } from "./timing.ts";
export { createTransport, type Transport } from "./transport.ts";
export { type KnownNames, type NameWords, nearestName, unknownName } from "./unknown-name.ts";
export {
  type UsageField,
  type UsagePart,
  unknownUsageField,
  usageFieldOf,
  usageFields,
  usageParts,
} from "./usage-fields.ts";
