export type { MeteredCall } from "../charge/admitted-work.ts";
export { recordBill } from "../charge/bill.ts";
export { emitMeteredTwice, emitReportedTwice, reportMetered } from "../charge/metered-work.ts";
export { isUsageOf } from "../charge/same-usage.ts";
export { decide, type Freshness, type Question } from "../decision/decision.ts";
export type { Judgement } from "../decision/trace.ts";
export { mayRepeat } from "../delivery/ambiguous.ts";
export { deliveryPauseMs } from "../delivery/back-off.ts";
export type { Delivery } from "../delivery/delivery.ts";
export { KnownService } from "../delivery/known-service.ts";
export { OutboxDelivery } from "../delivery/outbox-delivery.ts";
export { type Failed, outcomeOf } from "../delivery/outcome.ts";
export { Entry, Report } from "../delivery/report.ts";
export { ToldCosts } from "../delivery/told-costs.ts";
export { GateEvents } from "../events/events.ts";
export { OperatorLog } from "../events/operator-log.ts";
export { systemClock, within } from "../values/clock.ts";
export { fromMicro } from "../values/micro.ts";
export {
  checkFunction,
  checkIdentifier,
  checkInteger,
  checkNumber,
  checkOneOf,
  checkShape,
  day,
} from "../values/option.ts";
export { checkedUsage } from "../values/usage.ts";
export { balanceSource } from "../wallet/balance-source.ts";
export { Customer, type Wallet } from "../wallet/customer.ts";
export { Headroom } from "../wallet/headroom.ts";
export { setBlock } from "../wallet/lease/account-state.ts";
export { timeAt } from "../wallet/lease/account-time.ts";
export { emptyWord } from "../wallet/lease/empty-word.ts";
export { capacityOf, snapshotOf } from "../wallet/lease/stored-capacity.ts";
