import { CreditgateError } from "@creditgate/client";
import type { GateEvents } from "../events/events.ts";
import type { Clock } from "../values/clock.ts";
import { fromMicro } from "../values/micro.ts";
import type { BalanceSource, Customer, Wallet } from "../wallet/customer.ts";
import type { Outbox, OutboxReport } from "./outbox.ts";

/** What a {@link LagWatch} needs. */
export interface LagWatchOptions {
  readonly clock: Clock;
  readonly events: GateEvents;
  readonly settlementLagMs: number;
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

/** This many wallets tell whether the service settles; more would only cost balance requests. */
const maxWatches = 100;

/**
 * Notices usage that the service has acknowledged but does not debit: its lag is longer than the gate was told, or the
 * indicator is not in CREDITS, or in another currency. And debits beyond what was recorded. The promise rests on this, and a
 * service that does not tell its costs shows it nowhere else.
 */
export class LagWatch {
  readonly #options: LagWatchOptions;
  readonly #watches = new Map<string, Watch>();
  /** The service has told what the last report costs, and what it has not debited: while it does there is nothing to watch. */
  #isTold = false;

  constructor(options: LagWatchOptions) {
    this.#options = options;
    const forget = ({ report }: { report: OutboxReport }) => this.#forget(report);
    options.events.observe("parked", forget);
    options.events.observe("dead", forget);
  }

  /** The reports of one bill, recorded in the ledger, are about to be sent: the wallet must fall below what it has now. */
  expect(reports: readonly OutboxReport[]): void {
    if (this.#isTold && this.#watches.size === 0) return;
    const [report] = reports;
    if (report === undefined) return;
    const watch = this.#watches.get(report.customerId);
    if (watch !== undefined) {
      for (const { amount } of new Set(reports.map(({ entry }) => entry))) watch.recorded += amount;
      return;
    }
    if (this.#watches.size >= maxWatches || report.entry.amount === 0) return;
    const wallet = this.#walletOf(report);
    if (wallet?.funds === undefined) return;
    const recorded = wallet.account.standing("prepaid").unconfirmed;
    this.#watches.set(report.customerId, { report, funds: wallet.funds, recorded, cancel: () => {} });
  }

  /** The service has the report: when the lag is over, its debit must show, unless the service tells what it costs and what is not debited. */
  acknowledged(report: OutboxReport, isCostTold: boolean): void {
    // A balance without what is not debited rests on the lag, whatever else is told.
    this.#isTold = isCostTold && this.#walletOf(report)?.tells === true;
    if (this.#watches.size === 0) return;
    const watch = this.#watches.get(report.customerId);
    if (watch?.report.id !== report.id) return;
    if (this.#isTold) {
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
    const { report, funds: before, recorded } = watch;
    const { customerId, currency } = report;
    const customer = this.#options.find(customerId);
    const reading = await customer?.refreshSince(clock.now(), this.#options.source(customer)).done;
    this.#forget(report);
    const after = customer?.wallet(currency, outbox?.blocks).funds;
    this.#compare(report, before - (after ?? before), recorded);
    // More than before is a top-up, and says nothing about the debit.
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

  #walletOf({ customerId, currency }: OutboxReport): Wallet | undefined {
    return this.#options.find(customerId)?.wallet(currency, this.#options.outbox?.blocks);
  }

  #forget(report: OutboxReport): void {
    const watch = this.#watches.get(report.customerId);
    if (watch?.report.id !== report.id) return;
    watch.cancel();
    this.#watches.delete(report.customerId);
  }
}
