export type { MeteredCall } from "../charge/admitted-work.ts";
export { recordBill } from "../charge/bill.ts";
export { emitMeteredTwice, emitReportedTwice, reportMetered } from "../charge/metered-work.ts";
export { isUsageOf } from "../charge/same-usage.ts";
export { settleElsewhere } from "../charge/settle-elsewhere.ts";
export { decide, type Freshness, type Question } from "../decision/decision.ts";
export type { Judgement } from "../decision/trace.ts";
export { deliveryPauseMs } from "../delivery/back-off.ts";
export type { Delivery } from "../delivery/delivery.ts";
export { type Ambiguous, mayRepeat } from "../delivery/delivery-options.ts";
export { OutboxDelivery } from "../delivery/outbox-delivery.ts";
export type { DeliveringLedger } from "../delivery/queue-delivery.ts";
export { ReportedCosts } from "../delivery/reported-costs.ts";
export {
  type DenialMessage,
  denialMessage,
  type HeadedRequest,
  type HeaderReader,
} from "../denial/response.ts";
export { GateEvents } from "../events/events.ts";
export { OperatorLog } from "../events/operator-log.ts";
export { FairQueue, type QueuedNames } from "../outbox/fair-queue.ts";
export type {
  FleetRecovery,
  OpenWork,
  OutboxDecision,
  OutboxEntry,
  OutboxFleet,
  RecoveredReport,
  Recovery,
  SendingJournal,
  WorkJournal,
} from "../outbox/outbox.ts";
export { Entry, Report } from "../outbox/report.ts";
export { balanceSource } from "../service/balance-source.ts";
export { controlPlane } from "../service/control-plane.ts";
export { KnownService } from "../service/known-service.ts";
export { type Failed, type Outcome, outcomeOf } from "../service/outcome.ts";
export { readBalance, readOutcomes } from "../service/own/own-service.ts";
export { atOnce } from "../values/awaitable.ts";
export { inTime, type ScheduleOptions, sleep, systemClock, within } from "../values/clock.ts";
export { errorMessage } from "../values/error-message.ts";
export { fromMicro, toMicro } from "../values/micro.ts";
export {
  checkFunction,
  checkIdentifier,
  checkInteger,
  checkNames,
  checkNumber,
  checkOneOf,
  checkShape,
  day,
  invalidOption,
  type NameCheck,
} from "../values/option.ts";
export { checkedUsage } from "../values/usage.ts";
export type { WalletReading } from "../wallet/balance-reading.ts";
export { cappedAccount } from "../wallet/budgets/capped-account.ts";
export { type BudgetHome, budgetedAccount } from "../wallet/budgets/customer-budgets.ts";
export { storedKeys } from "../wallet/budgets/reported-budgets.ts";
export { useBudgets } from "../wallet/budgets/use-budgets.ts";
export { type BalanceUpdate, type Capacities, capacitiesOf, type WalletProblem } from "../wallet/capacity.ts";
export { Customer, type Wallet } from "../wallet/customer.ts";
export { Headroom } from "../wallet/headroom.ts";
export type {
  Account,
  AccountFigures,
  BalanceRequest,
  Hold,
  LedgerTerms,
  LedgerWork,
  NotedReservation,
  PermittedRefresh,
  RefreshPermit,
  RefusingBudget,
  ReservationJournal,
  SharedWallet,
  Unconfirmed,
  Verdict,
  WorkAccount,
} from "../wallet/ledger.ts";
export { sharedReading } from "../wallet/shared-reading.ts";
export { type Admission, type Admitted, createAdmission } from "./admission.ts";
export { type NodeRequest, type NodeResponse, NodeWork } from "./node-response.ts";
export { type HandlerFollower, type KeptWork, keptWork } from "./request-work.ts";
export { type GatedRequest, gatedResponse } from "./web-response.ts";
export { type AnswerBody, WorkEnd } from "./work-end.ts";
