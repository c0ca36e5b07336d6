import { CreditgateError } from "@creditgate/client";
import type { GateEvents } from "../events/events.ts";
import type { Outbox, OutboxReport } from "../outbox/outbox.ts";
import type { ServiceWallets } from "../service/known-service.ts";
import type { Clock } from "../values/clock.ts";
import { fromMicro } from "../values/micro.ts";
import type { BalanceSource, Customer } from "../wallet/customer.ts";

/** What a {@link LagWatch} needs. */
export interface LagWatchOptions {
  readonly clock: Clock;
  readonly events: GateEvents;
  readonly settlementLagMs: number;
  readonly wallets: ServiceWallets;
  /** Of the gate. */
  readonly outbox: Outbox | undefined;
  source(customer: Customer): BalanceSource;
  /** The customer, if it is still in memory. */
  find(customerId: string): Customer | undefined;
}

interface Watch {
  readonly report: OutboxReport;
  /** What the wallet had before the report was sent, in micro-credits. */
  readonly funds: number;
  /** The most that may be debited until the look: what was unconfirmed, and what has been recorded since. */
  recorded: number;
  cancel: () => void;
}

/** This many wallets show whether the service settles. More would only cost balance requests. */
const maxWatches = 100;

/**
 * Notices acknowledged usage that the service does not debit: its lag is longer than `settlementLagMs`, or the
 * indicator is not in CREDITS, or in another currency. Also notices debits beyond what was recorded. The promise
 * depends on this, and a service that is not extended shows it nowhere else.
 */
export class LagWatch {
  readonly #options: LagWatchOptions;
  readonly #watches = new Map<string, Watch>();
  /**
   * The service has returned the cost of the last report and its unsettled usage. As long as it does, there is
   * nothing to watch.
   */
  #isReported = false;

  constructor(options: LagWatchOptions) {
    this.#options = options;
    const forget = ({ report }: { report: OutboxReport }) => this.#forget(report);
    options.events.observe("parked", forget);
    options.events.observe("dead", forget);
  }

  /** The reports of one bill, recorded in the ledger, are about to be sent: the wallet must fall below what it has now. */
  expect(reports: readonly OutboxReport[]): void {
    if (this.#isReported && this.#watches.size === 0) return;
    const [report] = reports;
    if (report === undefined) return;
    const watch = this.#watches.get(report.customerId);
    if (watch !== undefined) {
      for (const { amount } of new Set(reports.map(({ entry }) => entry))) watch.recorded += amount;
      return;
    }
    if (this.#watches.size >= maxWatches || report.entry.amount === 0) return;
    const { outbox, find } = this.#options;
    const wallet = find(report.customerId)?.wallet(report.currency, outbox?.reservations);
    if (wallet?.funds === undefined) return;
    const recorded = wallet.account.figures("prepaid").unconfirmed;
    this.#watches.set(report.customerId, { report, funds: wallet.funds, recorded, cancel: () => {} });
  }

  /** The service has accepted the report. After the lag its debit must show, unless the service is extended. */
  acknowledged(report: OutboxReport, isCostReported: boolean): void {
    // A balance without unsettled usage depends on the lag, even if costs are returned.
    this.#isReported = isCostReported && this.#options.wallets.open.service.isExtended;
    if (this.#watches.size === 0) return;
    const watch = this.#watches.get(report.customerId);
    if (watch?.report.id !== report.id) return;
    if (this.#isReported) {
      this.#forget(report);
      return;
    }
    const { clock, settlementLagMs } = this.#options;
    // A script that is done must not wait for the watch.
    watch.cancel = clock.schedule(settlementLagMs, () => void this.#look(watch), { idle: true });
  }

  stop(): void {
    for (const watch of this.#watches.values()) watch.cancel();
    this.#watches.clear();
  }

  async #look(watch: Watch): Promise<void> {
    const { clock, events, outbox, settlementLagMs } = this.#options;
    const { report, funds: before } = watch;
    const { customerId, currency } = report;
    const customer = this.#options.find(customerId);
    const reading = await customer?.refreshSince(clock.now(), this.#options.source(customer)).done;
    this.#forget(report);
    const after = customer?.wallet(currency, outbox?.reservations).funds;
    // Read now: what was reported during the balance request may be debited in its answer.
    this.#compare(report, before - (after ?? before), watch.recorded);
    // A higher balance is a top-up, and proves nothing about the debit.
    if (reading?.known !== true || after !== before) return;
    events.emit("lag", {
      customerId,
      currency,
      report,
      credits: fromMicro(report.entry.amount),
      settlementLagMs,
    });
  }

  /** All that has been debited in the meantime was recorded before it was sent: a fall by more is not of this gate's making, or undercut. */
  #compare({ customerId, indicator }: OutboxReport, fall: number, recorded: number): void {
    if (fall <= recorded) return;
    const message =
      `price() for indicator ${JSON.stringify(indicator)}: a balance fell by ${fromMicro(fall)} credits, of which ` +
      `${fromMicro(recorded)} were recorded; let price() cover the service's rates, as creditgate doctor prints them, and nothing else spend the wallet`;
    this.#options.events.emit("degraded", {
      what: "debit",
      error: new CreditgateError("invalid_option", message),
      customerId,
    });
  }

  #forget(report: OutboxReport): void {
    const watch = this.#watches.get(report.customerId);
    if (watch?.report.id !== report.id) return;
    watch.cancel();
    this.#watches.delete(report.customerId);
  }
}
