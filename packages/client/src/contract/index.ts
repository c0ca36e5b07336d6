export {
  type AgentEnsureRequest,
  type AgentListAnswer,
  type AgentListQuery,
  agentEnsureRequest,
  agentListAnswer,
  agentListQuery,
} from "./agent.ts";
export {
  type CustomerCreateOrGetRequest,
  type CustomerSubscriptionQuery,
  customerCreateOrGetRequest,
  customerSubscriptionQuery,
} from "./customer.ts";
export {
  type HeartbeatAnswer,
  type HeartbeatRequest,
  heartbeatAnswer,
  heartbeatRequest,
  type WaitingReport,
} from "./heartbeat.ts";
export { type ListQuery, listQuery } from "./list.ts";
export {
  type CreditBenefit,
  type OrderCreateRequest,
  type OrderLineItem,
  orderCreateRequest,
  type PlatformFee,
} from "./order.ts";
export { type OpenRecord, openRecord } from "./record.ts";
export { identifier } from "./text.ts";
export { type Units, units } from "./units.ts";
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
} from "./usage.ts";
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
} from "./voice.ts";
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
} from "./wallet.ts";
