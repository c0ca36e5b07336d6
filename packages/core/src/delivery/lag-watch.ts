import { CreditgateError } from "@creditgate/client";
import type { GateEvents } from "../events/events.ts";
import type { Clock } from "../values/clock.ts";
import { fromMicro } from "../values/micro.ts";
import type { CustomerBalance, Refresh } from "../wallet/customer.ts";
import type { OutboxReport } from "./outbox.ts";

interface LagWatchOptions {
  readonly clock: Clock;
  readonly events: GateEvents;
  readonly settlementLagMs: number;
  refresh(customer: CustomerBalance): Refresh;
  /** The customer, if it is still in memory. */
  find(customerId: string): CustomerBalance | undefined;
}

interface Watch {
  readonly report: OutboxReport;
  /** What the wallet had before the report was sent, in micro-credits. */
  readonly funds: number;
  /** At most so much may be debited until the look: what was unconfirmed, and what has been recorded since. */
  recorded: number;
  /** Reports of one bill that share an entry come one after the other. */
  entryId: string;
  cancel: () => void;
}

/** So many wallets tell whether the service settles; more would only cost balance requests. */
const maxWatches = 100;

/**
 * Notices usage that the service has acknowledged but does not debit: its lag is longer than the gate was told, or the
 * indicator is not in CREDITS, or in another currency. And debits beyond what was recorded. The promise rests on this, and no answer of the service tells it.
 */
export class LagWatch {
  readonly #options: LagWatchOptions;
  readonly #watches = new Map<string, Watch>();

  constructor(options: LagWatchOptions) {
    this.#options = options;
    const forget = ({ report }: { report: OutboxReport }) => this.#forget(report);
    options.events.observe("parked", forget);
    options.events.observe("dead", forget);
  }

  /** The report is about to be sent: what the wallet has now is what it must fall below. */
  expect(report: OutboxReport): void {
    const { id: entryId, amount } = report.entry;
    const watch = this.#watches.get(report.customerId);
    if (watch !== undefined) {
      if (watch.entryId !== entryId) watch.recorded += amount;
      watch.entryId = entryId;
      return;
    }
    if (this.#watches.size >= maxWatches) return;
    const customer = this.#options.find(report.customerId);
    const funds = customer?.funds(report.currency);
    if (customer === undefined || funds === undefined || amount === 0) return;
    const standing = customer.account(report.currency).standing("prepaid");
    // A shared store answers later, and may by then have counted this report too.
    const before = standing instanceof Promise ? Number.POSITIVE_INFINITY : standing.unconfirmed;
    const recorded = before + amount;
    this.#watches.set(report.customerId, { report, funds, recorded, entryId, cancel: () => {} });
  }

  /** The service has the report: when the lag is over, its debit must show. */
  acknowledged(report: OutboxReport): void {
    const watch = this.#watches.get(report.customerId);
    if (watch?.report.id !== report.id) return;
    const { clock, settlementLagMs } = this.#options;
    // A script that is done must not wait for the watch.
    watch.cancel = clock.schedule(settlementLagMs, () => void this.#look(watch), { idle: true });
  }

  stop(): void {
    for (const watch of this.#watches.values()) watch.cancel();
    this.#watches.clear();
  }

  async #look(watch: Watch): Promise<void> {
    const { clock, events, settlementLagMs } = this.#options;
    const { report, funds: before, recorded } = watch;
    const { customerId, currency } = report;
    const customer = this.#options.find(customerId);
    const reading = await customer?.newsSince(clock.now(), this.#options.refresh(customer)).landed;
    this.#forget(report);
    this.#compare(report, before - (customer?.funds(currency) ?? before), recorded);
    // More than before is a top-up, and says nothing about the debit.
    if (reading?.known !== true || customer?.funds(currency) !== before) return;
    events.emit("lag", {
      customerId,
      currency,
      report,
      credits: fromMicro(report.entry.amount),
      settlementLagMs,
    });
  }

  /** Whatever has been debited in the meantime was recorded before it was sent: a fall by more is not of this gate's making, or undercut. */
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
