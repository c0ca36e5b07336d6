import type { Clock } from "./clock.ts";
import type { CustomerBalance, Refresh } from "./customer-balance.ts";
import type { GateEvents } from "./events.ts";
import { fromMicro } from "./micro.ts";
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
  cancel: () => void;
}

/** So many wallets tell whether the service settles; more would only cost balance requests. */
const maxWatches = 100;

/**
 * Notices usage that the service has acknowledged but does not debit: its lag is longer than the gate was told, or the
 * indicator is not in CREDITS, or in another currency. The promise rests on this, and no answer of the service tells it.
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
    if (this.#watches.size >= maxWatches || this.#watches.has(report.customerId)) return;
    const funds = this.#options.find(report.customerId)?.funds(report.currency);
    if (funds === undefined || report.entry.amount === 0) return;
    this.#watches.set(report.customerId, { report, funds, cancel: () => {} });
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

  async #look({ report, funds: before }: Watch): Promise<void> {
    const { clock, events, settlementLagMs } = this.#options;
    const { customerId, currency } = report;
    const customer = this.#options.find(customerId);
    const reading = await customer?.newsSince(clock.now(), this.#options.refresh(customer)).landed;
    this.#forget(report);
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

  #forget(report: OutboxReport): void {
    const watch = this.#watches.get(report.customerId);
    if (watch?.report.id !== report.id) return;
    watch.cancel();
    this.#watches.delete(report.customerId);
  }
}
