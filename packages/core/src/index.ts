export type { CreditsOptions, Resolvable } from "./adapter/admission.ts";
export type { AbortPolicy, Ending } from "./adapter/request-work.ts";
export type { ClosableServer } from "./adapter/server-drain.ts";
export { sharedGate } from "./adapter/shared-gate.ts";
export { type ShutdownOptions, type SignalledProcess, shutDownOnSignal } from "./adapter/shut-down.ts";
export type { Disconnect } from "./charge/abandoned-work.ts";
export type { Charge } from "./charge/charge.ts";
export type { Extension } from "./charge/extension.ts";
export { pause } from "./charge/pause.ts";
export type { PauseOptions } from "./charge/pauses.ts";
export type { Decision } from "./charge/verdict.ts";
export type { AuthorizeRequest, WaitUntil } from "./decision/authorize-request.ts";
export type { DecisionRule, DecisionTrace } from "./decision/trace.ts";
export type { UsageQueue } from "./delivery/queue-delivery.ts";
export type { Denial } from "./denial/denial.ts";
export { useRecommendedActions } from "./denial/recommended/use-recommended-actions.ts";
export type { DecisionEvent, DuplicateEvent, GateEventMap } from "./events/events.ts";
export type { Logger } from "./events/operator-log.ts";
export { type OpenTelemetry, recordTelemetry } from "./events/telemetry/telemetry.ts";
export {
  type CheckRequest,
  type CloseOutcome,
  createGate,
  type Gate,
  type GateBalance,
  type GateStatus,
} from "./gate/gate.ts";
export { type Heartbeat, type HeartbeatOptions, startHeartbeat } from "./heartbeat/heartbeat.ts";
export type { GateOptions } from "./options/gate-options.ts";
export { createMemoryOutbox, type MemoryOutboxOptions } from "./outbox/memory-outbox.ts";
export type { Outbox, OutboxReport, OutboxStatus } from "./outbox/outbox.ts";
export { createRegistry, type Registry } from "./registry/registry.ts";
export { ownService } from "./service/own/use-own-service.ts";
export type {
  Service,
  ServiceBalance,
  ServiceBudget,
  ServiceOutcome,
  ServiceReport,
} from "./service/service.ts";
export type { Awaitable } from "./values/awaitable.ts";
export type { Clock } from "./values/clock.ts";
export type { DenialCode } from "./values/denial-code.ts";
export type { ReportOverrides, Usage } from "./values/usage.ts";
export type { Budget, DeniedBudget, GateBudget, ReportedBudget, RunBudget } from "./wallet/budgets/budget.ts";
export { createRunBudget } from "./wallet/budgets/run-budget.ts";
export type { Capacity, WalletKind } from "./wallet/capacity.ts";
export type { ExpiringCredits } from "./wallet/expiring.ts";
export type { Guard } from "./wallet/guard.ts";
export type { HoldAmount } from "./wallet/hold.ts";
export type { Ledger } from "./wallet/ledger.ts";
