export {
  type AbortPolicy,
  type Admission,
  type Admitted,
  type CreditsOptions,
  createAdmission,
  type Ending,
  type Resolvable,
} from "./admission.ts";
export type { Ambiguous } from "./ambiguous.ts";
export type { Capacities, Capacity, WalletKind, WalletProblem } from "./capacity.ts";
export type { Charge, WaitUntil } from "./charge.ts";
export type { Clock, ScheduleOptions } from "./clock.ts";
export type { DecisionRule, DecisionTrace } from "./decision-trace.ts";
export type { Denial, DenialCode } from "./denial.ts";
export { type DenialMessage, denialMessage, type HeaderReader } from "./denial-message.ts";
export type { DecisionEvent, GateEventMap } from "./events.ts";
export {
  type CheckRequest,
  type CloseOutcome,
  createGate,
  type Decision,
  type Gate,
  type WalletStanding,
} from "./gate.ts";
export type { GateOptions } from "./gate-options.ts";
export { type GatedRequest, gatedResponse } from "./gated-response.ts";
export type { Guard } from "./guard.ts";
export type {
  Account,
  Awaitable,
  HoldRequest,
  Ledger,
  Snapshot,
  Standing,
  UnconfirmedEntry,
} from "./ledger.ts";
export type { Departure } from "./left-work.ts";
export { createMemoryOutbox, type MemoryOutboxOptions } from "./memory-outbox.ts";
export {
  endWork,
  isOver,
  type NodeRequest,
  type NodeResponse,
  type NodeWork,
  responseOver,
} from "./node-response.ts";
export type { Logger } from "./operator-log.ts";
export { checkNames, invalidOption, type NameCheck } from "./option.ts";
export type {
  OpenWork,
  Outbox,
  OutboxReport,
  OutboxStatus,
  RecoveredReport,
  Recovery,
  SendingJournal,
  WorkJournal,
} from "./outbox.ts";
export { createRegistry, type Registry } from "./registry.ts";
export type { ClosableServer } from "./server-drain.ts";
export { sharedGate } from "./shared-gate.ts";
export {
  type ShutdownOptions,
  type SignalledProcess,
  shutDownOnSignal,
} from "./shut-down.ts";
export type { OpenTelemetry } from "./telemetry.ts";
export type { ReportOverrides, Usage } from "./usage.ts";
export type { UsageQueue } from "./usage-queue.ts";
export type { AuthorizeRequest } from "./work.ts";
