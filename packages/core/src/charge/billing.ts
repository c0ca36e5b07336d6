import { LeftWork } from "../adapter/left-work.ts";
import type { Work } from "../decision/authorize-request.ts";
import type { Reporter } from "../delivery/delivery.ts";
import type { KnownService } from "../delivery/known-service.ts";
import { LagWatch } from "../delivery/lag-watch.ts";
import type { OutboxReport } from "../delivery/outbox.ts";
import { UsageReporter } from "../delivery/outbox-delivery.ts";
import { QueueReporter } from "../delivery/queue-delivery.ts";
import { RequestReporter } from "../delivery/request-delivery.ts";
import type { GateEvents } from "../events/events.ts";
import type { GateSettings } from "../gate-options.ts";
import { andThen, attempt } from "../values/awaitable.ts";
import { within } from "../values/clock.ts";
import { shown } from "../values/option.ts";
import type { Usage } from "../values/usage.ts";
import type { CustomerBalance, Refresh } from "../wallet/customer.ts";
import type { BalanceCache } from "../wallet/customers.ts";
import type { Account, Awaitable } from "../wallet/ledger.ts";
import type { Bill } from "./bill.ts";
import { type ChargeOffice, GateCharge } from "./charge.ts";
import { Tally } from "./tally.ts";

const longestRetryMs = 5_000;
/** A gate that has given up lets `onUndelivered` store what it is told of for so long. */
const handOverMs = 1_000;

/** A gate's settings, and what is known of the service once the wallets are. */
interface OfficeSettings extends GateSettings {
  readonly service: () => KnownService;
}

/** A bill on its way into the outbox. */
interface Filing {
  readonly work: Work;
  /** The hold that ends with it, if there is one. */
  readonly hold: string | undefined;
  readonly bill: Bill;
  /** Its reports are in the outbox, or in the queue; what is still to do is the ledger's. */
  stored: boolean;
  /** Its reports are told together with those of other bills. */
  toldTogether?: boolean;
}

/** Takes the bills of a gate's charges: to the outbox, then into the ledger, then on their way to the service. */
export class BillingOffice implements ChargeOffice {
  readonly events: GateEvents;
  readonly left: LeftWork;
  readonly reporter: Reporter;
  readonly #settings: OfficeSettings;
  readonly #cache: () => BalanceCache;
  readonly #lagWatch: LagWatch | undefined;
  readonly #open = new Map<Work, GateCharge>();
  #idle: (() => void) | undefined;
  readonly #filing = new Tally();
  /** Bills, and releases, that rest until they are tried again, by what wakes each. */
  readonly #resting = new Map<() => void, Filing | undefined>();
  /** Whether what the reporter has taken is where it will be delivered, or told when the gate closes. */
  readonly #storesReports: boolean;
  /** Reports that were not in the outbox when the gate gave up. */
  #unstored: readonly OutboxReport[] = [];
  /** Why the outbox did not take a bill, when it was tried last. */
  #outboxError: unknown;
  #abandoned = false;

  constructor(
    settings: OfficeSettings,
    events: GateEvents,
    cache: () => BalanceCache,
    refresh: (customer: CustomerBalance) => Refresh,
  ) {
    this.#settings = settings;
    this.events = events;
    this.#cache = cache;
    const { clock, settlementLagMs, queue, settleTimeoutMs } = settings;
    this.#storesReports = queue !== undefined || settleTimeoutMs === undefined;
    this.left = new LeftWork(clock, { quiet: settings.logger === false });
    const find = (customerId: string) => cache().peek(customerId);
    if (settings.lagWatch) this.#lagWatch = new LagWatch({ clock, events, settlementLagMs, refresh, find });
    this.reporter = createReporter(settings, events, (report) => {
      this.#lagWatch?.acknowledged(report);
      return this.#account(report).acknowledge(report.entry.id, report.id, settlementLagMs);
    });
  }

  open(work: Work): GateCharge {
    const charge = new GateCharge(work, this);
    this.#open.set(work, charge);
    return charge;
  }

  settle(work: Work, bill: Bill): Awaitable<void> {
    const settled = bill.reports.length > 0 ? this.file(work, work.holdId, bill) : this.#release(work);
    if (settled instanceof Promise) return settled.finally(() => this.#close(work));
    this.#close(work);
  }

  #close(work: Work): void {
    this.#open.delete(work);
    if (this.#open.size === 0) this.#idle?.();
  }

  file(work: Work, hold: string | undefined, bill: Bill): Awaitable<void> {
    const filing: Filing = { work, hold, bill, stored: false };
    if (this.#abandoned && !this.#outlastsGate()) return this.#giveUp(filing, closedError());
    const record = () => {
      filing.stored = this.#storesReports;
      for (const report of bill.reports) this.#lagWatch?.expect(report);
      return this.#record(filing);
    };
    const workId = this.#settings.durableHolds ? hold : undefined;
    const taken = this.#persist(work, () => this.reporter.take(bill.reports, record, workId), filing);
    if (!(taken instanceof Promise)) return;
    return this.#filing.during(
      taken.then(
        (left = []) => this.#handOver(left),
        (error) => this.#giveUp(filing, error),
      ),
    );
  }

  #record({ work, hold, bill }: Filing): Awaitable<void> {
    return this.#account(work).settle(hold, bill.entries);
  }

  price(usage: Usage): number | undefined {
    const { price } = this.#settings;
    if (price === undefined) return undefined;
    try {
      const credits = price(usage);
      if (credits === undefined || (Number.isFinite(credits) && credits >= 0)) return credits;
      throw new RangeError(`price(): expected a number of credits, 0 or more, received ${shown(credits)}`);
    } catch (error) {
      // The work has been done and will be billed; only the ledger does not know for how much, so it reserves the hold.
      this.events.emit("degraded", { what: "price", error });
      return undefined;
    }
  }

  /** Resolves when no charge is open any more. */
  async idle(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  /** Bills what open work has reported: nobody waits for its end any more. Returns how much of it has reported nothing. */
  cutOff(): number {
    let silent = 0;
    for (const charge of [...this.#open.values()].filter(({ open }) => open)) {
      const reported = charge.reported.length > 0;
      charge.cutOff();
      if (!reported && charge.reported.length === 0) silent++;
    }
    if (silent > 0 && this.#settings.logger !== false) {
      console.warn(
        `creditgate: close() waited for ${silent} ${silent === 1 ? "piece" : "pieces"} of work in vain: nothing of it was ` +
          "reported, so nothing is billed. Break off the requests before close(), or give it a longer graceMs.",
      );
    }
    return silent;
  }

  /** Resolves when every bill that has been handed in is in the outbox. */
  filed(): Promise<void> {
    return this.#filing.zero();
  }

  /** Bills that the outbox will not take are given up from here on. Done when no answer is awaited any more. */
  abandon(): Awaitable<void> {
    this.#abandoned = true;
    this.#lagWatch?.stop();
    const resting = [...this.#resting.values()];
    this.#unstored = resting.flatMap((filing) =>
      filing === undefined || filing.stored ? [] : filing.bill.reports,
    );
    for (const filing of resting) if (filing !== undefined) filing.toldTogether = true;
    for (const wake of [...this.#resting.keys()]) wake();
    return this.reporter.stop();
  }

  /** After `abandon()`: the reports that end with the process. Those that have not been told yet are told. */
  async undelivered(): Promise<readonly OutboxReport[]> {
    const { outbox, onUndelivered, clock } = this.#settings;
    if (onUndelivered !== undefined) await within(this.filed(), handOverMs, clock);
    const left = (await outbox.undelivered?.()) ?? [];
    if (onUndelivered === undefined) this.#tellUndelivered(this.#unstored, this.#outboxError);
    this.#tellUndelivered(left, new Error("the gate was closed before they could be delivered"));
    return [...left, ...this.#unstored];
  }

  /** Whether something takes usage that comes when the gate has closed. */
  #outlastsGate(): boolean {
    const { outbox, queue, onUndelivered } = this.#settings;
    return outbox.recover !== undefined || queue !== undefined || onUndelivered !== undefined;
  }

  #release(work: Work): Awaitable<void> {
    const { durableHolds, outbox } = this.#settings;
    const works = durableHolds ? outbox.works : undefined;
    const { holdId } = work;
    const released = this.#persist(work, () =>
      andThen(works?.end(holdId), () => this.#account(work).release(holdId)),
    );
    if (released instanceof Promise) return this.#filing.during(released);
  }

  /** Repeats the step until it succeeds, or the gate gives up. */
  #persist<T>(work: Work, step: () => Awaitable<T>, filing?: Filing): Awaitable<T> {
    const done = attempt(step);
    return done instanceof Promise ? done.catch((error) => this.#repeat(work, step, filing, error)) : done;
  }

  async #repeat<T>(
    { customerId }: Work,
    step: () => Awaitable<T>,
    filing: Filing | undefined,
    failure: unknown,
  ): Promise<T> {
    const { clock, settleTimeoutMs } = this.#settings;
    const deadline = clock.now() + (settleTimeoutMs ?? Number.POSITIVE_INFINITY);
    let error = failure;
    for (let delayMs = 100; ; delayMs = Math.min(2 * delayMs, longestRetryMs)) {
      // The hold stays meanwhile: the work has been done, whether or not we can write that down.
      this.events.emit("degraded", { what: "outbox", error, customerId });
      this.#outboxError = error;
      if (!this.#abandoned && clock.now() + delayMs <= deadline) await this.#rest(delayMs, filing);
      else throw error;
      if (this.#abandoned) throw error;
      try {
        return await step();
      } catch (again) {
        error = again;
      }
    }
  }

  /** Resolves `delayMs` from now, or when the gate gives up. */
  #rest(delayMs: number, filing: Filing | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#resting.delete(wake);
        resolve();
      };
      const cancel = this.#settings.clock.schedule(delayMs, wake);
      this.#resting.set(wake, filing);
    });
  }

  /** What the work has cost is counted all the same, instead of a hold that nobody would ever end. */
  async #giveUp(filing: Filing, error: unknown): Promise<void> {
    try {
      await this.#record(filing);
    } catch {
      // Then the hold stays, for as long as the ledger cannot be written to.
    }
    if (filing.stored) throw error;
    const { reports } = filing.bill;
    if (this.#settings.onUndelivered !== undefined) return this.#handOver(reports);
    if (filing.toldTogether !== true) this.#tellUndelivered(reports, error);
    throw error;
  }

  async #handOver(reports: readonly OutboxReport[]): Promise<void> {
    for (const report of reports) {
      try {
        await this.#settings.onUndelivered?.(report);
      } catch (error) {
        this.#tellUndelivered([report], error);
      }
    }
  }

  #tellUndelivered(reports: readonly OutboxReport[], error: unknown): void {
    if (reports.length > 0) this.events.emit("undelivered", { reports, error });
  }

  /** Looked up anew each time: what has no open hold may have been evicted and have come back since. */
  #account({ customerId, currency }: { customerId: string; currency: string }): Account {
    return this.#cache().creditor(customerId).account(currency);
  }
}

function closedError(): Error {
  return new Error("the gate has been closed before this work ended: the event `undelivered` has its usage");
}

function createReporter(
  settings: OfficeSettings,
  events: GateEvents,
  acknowledge: (report: OutboxReport) => Awaitable<void>,
): Reporter {
  const { outbox, queue, settleTimeoutMs } = settings;
  if (queue !== undefined) return new QueueReporter({ queue, acknowledge });
  const { client, service, clock, random, ambiguous, concurrency, settlementLagMs } = settings;
  const known = { client, service, clock, random };
  const options = { ...known, ambiguous, concurrency, settlementLagMs, events, acknowledge };
  return settleTimeoutMs === undefined
    ? new UsageReporter({ ...options, outbox })
    : new RequestReporter({ ...options, timeoutMs: settleTimeoutMs });
}
