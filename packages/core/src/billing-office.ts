import type { BalanceCache } from "./balance-cache.ts";
import type { Bill } from "./bill.ts";
import { type ChargeOffice, type ChargeTerms, GateCharge } from "./charge.ts";
import { sleep } from "./clock.ts";
import type { CustomerBalance, Refresh } from "./customer-balance.ts";
import type { GateEvents } from "./events.ts";
import type { GateSettings } from "./gate-options.ts";
import { LagWatch } from "./lag-watch.ts";
import type { Account, Awaitable } from "./ledger.ts";
import type { OutboxReport } from "./outbox.ts";
import { QueueReporter } from "./queue-reporter.ts";
import type { Reporter } from "./reporter.ts";
import { RequestReporter } from "./request-reporter.ts";
import { Tally } from "./tally.ts";
import type { Usage } from "./usage.ts";
import { UsageReporter } from "./usage-reporter.ts";

const longestRetryMs = 5_000;

/** Takes the bills of a gate's charges: to the outbox, then into the ledger, then on their way to the service. */
export class BillingOffice implements ChargeOffice {
  readonly events: GateEvents;
  readonly reporter: Reporter;
  readonly #settings: GateSettings;
  readonly #cache: () => BalanceCache;
  readonly #lagWatch: LagWatch | undefined;
  readonly #open = new Tally();
  readonly #filing = new Tally();
  /** Names the reports of this gate apart from those of every other that ever was. */
  readonly #name: string = crypto.randomUUID();
  #reports = 0;
  #abandoned = false;

  constructor(
    settings: GateSettings,
    events: GateEvents,
    cache: () => BalanceCache,
    refresh: (customer: CustomerBalance) => Refresh,
  ) {
    this.#settings = settings;
    this.events = events;
    this.#cache = cache;
    const { clock, settlementLagMs } = settings;
    const find = (customerId: string) => cache().peek(customerId);
    if (settings.lagWatch) this.#lagWatch = new LagWatch({ clock, events, settlementLagMs, refresh, find });
    this.reporter = createReporter(settings, events, (report) => {
      this.#lagWatch?.acknowledged(report);
      return this.#account(report).acknowledge(report.entry.id, report.id, settlementLagMs);
    });
  }

  open(terms: ChargeTerms): GateCharge {
    this.#open.begin();
    return new GateCharge(terms, this);
  }

  close(): void {
    this.#open.end();
  }

  nextId(): string {
    return `${this.#name}:${this.#reports++}`;
  }

  price(usage: Usage): number | undefined {
    const { price } = this.#settings;
    if (price === undefined) return undefined;
    try {
      const credits = price(usage);
      if (credits === undefined || (Number.isFinite(credits) && credits >= 0)) return credits;
      throw new RangeError(`price(): expected a number of credits, 0 or more, received ${String(credits)}`);
    } catch (error) {
      // The work has been done and will be billed; only the ledger does not know for how much, so it reserves the hold.
      this.events.emit("degraded", { what: "price", error });
      return undefined;
    }
  }

  async file(terms: ChargeTerms, hold: string | undefined, { reports, entries }: Bill): Promise<void> {
    const record = () => {
      for (const report of reports) this.#lagWatch?.expect(report);
      return this.#account(terms).settle(hold, entries);
    };
    const workId = this.#settings.durableHolds ? hold : undefined;
    this.#filing.begin();
    try {
      const left = await this.#persist(terms, () => this.reporter.take(reports, record, workId));
      if (left.length > 0) await this.#tellUndelivered(left);
    } catch (error) {
      if (this.#settings.onUndelivered === undefined) throw error;
      await this.#tellUndelivered(reports);
    } finally {
      this.#filing.end();
    }
  }

  async release(terms: ChargeTerms): Promise<void> {
    const { durableHolds, outbox } = this.#settings;
    const { holdId } = terms;
    if (!durableHolds) return this.#account(terms).release(holdId);
    this.#filing.begin();
    try {
      await this.#persist(terms, async () => {
        await outbox.works?.end(holdId);
        await this.#account(terms).release(holdId);
      });
    } finally {
      this.#filing.end();
    }
  }

  /** Resolves when no charge is open any more. */
  idle(): Promise<void> {
    return this.#open.zero();
  }

  /** Resolves when every bill that has been handed in is in the outbox. */
  filed(): Promise<void> {
    return this.#filing.zero();
  }

  /** Bills that the outbox will not take are given up from here on. */
  abandon(): void {
    this.#abandoned = true;
    this.#lagWatch?.stop();
    this.reporter.stop();
  }

  /** Repeats the step until it succeeds, or the gate gives up. */
  #persist<T>(terms: ChargeTerms, step: () => Promise<T>): Promise<T> {
    return step().catch((error: unknown) => this.#repeat(terms, step, error));
  }

  async #repeat<T>({ customerId }: ChargeTerms, step: () => Promise<T>, failure: unknown): Promise<T> {
    const { clock, settleTimeoutMs } = this.#settings;
    const deadline = clock.now() + (settleTimeoutMs ?? Number.POSITIVE_INFINITY);
    let error = failure;
    for (let delayMs = 100; ; delayMs = Math.min(2 * delayMs, longestRetryMs)) {
      // The hold stays meanwhile: the work has been done, whether or not we can write that down.
      this.events.emit("degraded", { what: "outbox", error, customerId });
      if (this.#abandoned) throw error;
      if (clock.now() + delayMs > deadline) throw error;
      await sleep(clock, delayMs);
      try {
        return await step();
      } catch (again) {
        error = again;
      }
    }
  }

  async #tellUndelivered(reports: readonly OutboxReport[]): Promise<void> {
    for (const report of reports) {
      try {
        await this.#settings.onUndelivered?.(report);
      } catch (error) {
        this.events.emit("degraded", { what: "delivery", error, customerId: report.customerId });
      }
    }
  }

  /** Looked up anew each time: what has no open hold may have been evicted and have come back since. */
  #account({ customerId, currency }: { customerId: string; currency: string }): Account {
    return this.#cache().creditor(customerId).account(currency);
  }
}

function createReporter(
  settings: GateSettings,
  events: GateEvents,
  acknowledge: (report: OutboxReport) => Awaitable<void>,
): Reporter {
  const { outbox, queue, settleTimeoutMs } = settings;
  if (queue !== undefined) return new QueueReporter({ queue, acknowledge });
  const { client, clock, random, ambiguous, concurrency, settlementLagMs } = settings;
  const options = { client, clock, random, ambiguous, concurrency, settlementLagMs, events, acknowledge };
  return settleTimeoutMs === undefined
    ? new UsageReporter({ ...options, outbox, service: { honoursKeys: false } })
    : new RequestReporter({ ...options, timeoutMs: settleTimeoutMs });
}
