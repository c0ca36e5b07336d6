export {
  type Admission,
  type Admitted,
  type CreditsOptions,
  createAdmission,
  type Resolvable,
} from "./adapter/admission.ts";
export type { AbortPolicy, Ending } from "./adapter/ending.ts";
export { type NodeRequest, type NodeResponse, NodeWork } from "./adapter/node-response.ts";
export type { ClosableServer } from "./adapter/server-drain.ts";
export { sharedGate } from "./adapter/shared-gate.ts";
export {
  type ShutdownOptions,
  type SignalledProcess,
  shutDownOnSignal,
} from "./adapter/shut-down.ts";
export { type GatedRequest, gatedResponse } from "./adapter/web-response.ts";
export { type AnswerBody, WorkEnd } from "./adapter/work-end.ts";
export type { Charge } from "./charge/charge.ts";
export type { Extension } from "./charge/extension.ts";
export type { Departure } from "./charge/left-work.ts";
export { settleElsewhere } from "./charge/settle-elsewhere.ts";
export type { Decision } from "./charge/verdict.ts";
export type { AuthorizeRequest, WaitUntil } from "./decision/authorize-request.ts";
export type { DecisionRule, DecisionTrace } from "./decision/trace.ts";
export type { Ambiguous } from "./delivery/ambiguous.ts";
export type { DeliveringLedger } from "./delivery/delivering-ledger.ts";
export { FairQueue, type QueuedNames } from "./delivery/fair-queue.ts";
export { createFleetOutbox } from "./delivery/fleet-outbox/fleet-outbox.ts";
export {
  type FleetOutbox,
  type FleetOutboxOptions,
  fleetOutboxOptionNames,
} from "./delivery/fleet-outbox/fleet-outbox-options.ts";
export type {
  ListedRow,
  OutboxBeat,
  OutboxBeaten,
  OutboxStanding,
  OutboxStep,
  OutboxStore,
  OutboxWritten,
  RowRequest,
  StoredRow,
} from "./delivery/fleet-outbox/outbox-store.ts";
export { createMemoryOutbox, type MemoryOutboxOptions } from "./delivery/memory-outbox.ts";
export type {
  FleetRecovery,
  OpenWork,
  Outbox,
  OutboxDecision,
  OutboxEntry,
  OutboxFleet,
  OutboxReport,
  OutboxStatus,
  RecoveredReport,
  Recovery,
  SendingJournal,
  WorkJournal,
} from "./delivery/outbox.ts";
export type { UsageQueue } from "./delivery/usage-queue.ts";
export type { Denial } from "./denial/denial.ts";
export type { DenialCode } from "./denial/denial-code.ts";
export {
  type DenialMessage,
  denialMessage,
  type HeadedRequest,
  type HeaderReader,
} from "./denial/response.ts";
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
} from "./gate.ts";
export type { GateOptions } from "./gate-options.ts";
export { type Heartbeat, type HeartbeatOptions, startHeartbeat } from "./heartbeat/heartbeat.ts";
export type { Awaitable } from "./values/awaitable.ts";
export { type Clock, inTime, type ScheduleOptions } from "./values/clock.ts";
export { errorWords } from "./values/error-words.ts";
export { checkInteger, checkNames, invalidOption, type NameCheck } from "./values/option.ts";
export type { ReportOverrides, Usage } from "./values/usage.ts";
export type { Capacities, Capacity, WalletKind, WalletProblem } from "./wallet/capacity.ts";
export type { Guard } from "./wallet/guard.ts";
export type { HoldAmount } from "./wallet/hold.ts";
export {
  type AccountState,
  type Block,
  createAccountState,
  type Tick,
} from "./wallet/lease/account-state.ts";
export { exchange, type StoreInstant } from "./wallet/lease/exchange.ts";
export { createLeasedLedger, type LeasedLedgerOptions } from "./wallet/lease/leased-ledger.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./wallet/lease/memory-store.ts";
export { parseAnswer } from "./wallet/lease/parse-answer.ts";
export type {
  Answer,
  SharedStore,
  Snapshot,
  StoredCapacity,
  Terms,
  Word,
} from "./wallet/lease/shared-store.ts";
export type {
  Account,
  BalanceRequest,
  BlockJournal,
  Departure as BalanceDeparture,
  Hold,
  Ledger,
  LedgerTerms,
  LedgerWork,
  NotedBlock,
  Standing,
  Unconfirmed,
  Verdict,
  WalletNews,
} from "./wallet/ledger.ts";
export { createRegistry, type Registry } from "./wallet/registry.ts";
