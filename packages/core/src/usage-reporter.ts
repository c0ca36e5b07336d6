import { gateEndpoints, type Transport } from "@creditgate/client";
import { type Ambiguous, mayRepeat } from "./ambiguous.ts";
import { andThen, attempt } from "./awaitable.ts";
import { backoffMs } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import { type Delivery, deliveryOf } from "./delivery.ts";
import type { GateEvents } from "./events.ts";
import type { Awaitable } from "./ledger.ts";
import type { Outbox, OutboxReport, OutboxStatus, SendingJournal } from "./outbox.ts";
import type { Reporter } from "./reporter.ts";

/** What is known of the service. */
export interface KnownService {
  /** It has echoed a key. */
  honoursKeys: boolean;
  /** Tells it, and the API key, apart from others; `undefined` while nobody has asked. */
  fingerprint?: string;
}

/** What a reporter needs of its gate. */
export interface ReporterOptions {
  readonly client: Pick<Transport, "send">;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly random: () => number;
  readonly ambiguous: Ambiguous;
  readonly concurrency: number;
  readonly events: GateEvents;
  /** For so long after its delivery a report must survive a crash. */
  readonly settlementLagMs: number;
  /** What its answers have taught; reporters that share it learn from each other. */
  readonly service: KnownService;
  acknowledge(report: OutboxReport): Awaitable<void>;
}

/** Drains the outbox to the service (API 4.2): at once while it takes reports, ever more slowly while it does not. */
export class UsageReporter implements Reporter {
  readonly #options: ReporterOptions;
  readonly #inFlight = new Set<string>();
  /** In the outbox, but not yet in the ledger: no acknowledgement may come before its entry. */
  readonly #unrecorded = new Set<string>();
  /** What the service has said and could not be written down yet: to ask again could count twice. */
  readonly #answers = new Map<string, Delivery>();
  readonly #watchers = new Set<() => void>();
  #pause: { readonly until: number; cancel(): void } | undefined;
  /** Pauses since the last delivery. */
  #failures = 0;
  /** The kind of trouble that was told last; `undefined` while there is none. */
  #told: Delivery["outcome"] | "outbox" | undefined;
  #unparked = false;
  /** The service honours keys, and the outbox has not been told yet. */
  #keysUnwritten = false;
  #draining = false;
  #again = false;
  #stopped = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  get full(): boolean {
    return this.#options.outbox.full;
  }

  /**
   * Makes the reports durable, has the ledger record them, and only then lets them go. When it throws or rejects,
   * nothing is sent; the same reports may be brought again.
   */
  take(
    reports: readonly OutboxReport[],
    record: () => Awaitable<void>,
    workId?: string,
  ): Awaitable<undefined> {
    const recorded = attempt(() => andThen(this.#options.outbox.append(reports, workId), record));
    // Where nothing can come between, nothing has to be kept back.
    return recorded instanceof Promise ? this.#keepBack(reports, recorded) : this.#letGo(reports);
  }

  async #keepBack(reports: readonly OutboxReport[], recorded: Promise<void>): Promise<undefined> {
    for (const { id } of reports) this.#unrecorded.add(id);
    await recorded;
    this.#letGo(reports);
  }

  #letGo(reports: readonly OutboxReport[]): undefined {
    // An attempt that failed before may have kept them back.
    for (const { id } of reports) this.#unrecorded.delete(id);
    void this.#drain();
  }

  start(service: Partial<KnownService> = {}): void {
    Object.assign(this.#options.service, service);
    void this.#drain();
  }

  hurry(): void {
    this.#pause?.cancel();
    this.#pause = undefined;
    void this.#drain();
  }

  /** Tries at once, and resolves when nothing is queued any more, nothing will be sent, or `timeoutMs` have passed. */
  flush(timeoutMs: number): Promise<OutboxStatus> {
    const { outbox, clock } = this.#options;
    this.hurry();
    return new Promise((resolve, reject) => {
      const finish = () => {
        cancel();
        this.#watchers.delete(look);
        outbox.status().then(resolve, reject);
      };
      const look = () => {
        outbox.status().then(({ queued }) => {
          if (this.#stopped || (this.#inFlight.size === 0 && queued === 0)) finish();
        }, finish);
      };
      const cancel = clock.schedule(timeoutMs, finish);
      this.#watchers.add(look);
      look();
    });
  }

  /** Sends nothing more. What is queued stays in the outbox. Done when what has been sent is answered. */
  stop(): Awaitable<void> {
    this.#stopped = true;
    this.#pause?.cancel();
    for (const look of this.#watchers) look();
    if (this.#inFlight.size > 0) return this.#answered();
  }

  #answered(): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.#inFlight.size > 0) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
    });
  }

  async #drain(): Promise<void> {
    this.#again = true;
    if (this.#draining) return;
    this.#draining = true;
    try {
      while (this.#again) {
        this.#again = false;
        const due = this.#due();
        for (const report of due instanceof Promise ? await due : due) void this.#deliver(report);
      }
    } catch (error) {
      this.#backOff("outbox", error);
    } finally {
      this.#draining = false;
    }
  }

  #due(): Awaitable<readonly OutboxReport[]> {
    if (this.#stopped || this.#pause !== undefined) return [];
    // After a failure one report probes the service; the others wait for its answer.
    const room = (this.#failures > 0 ? 1 : this.#options.concurrency) - this.#inFlight.size;
    if (room <= 0) return [];
    const eligible = (id: string) => !this.#inFlight.has(id) && !this.#unrecorded.has(id);
    return andThen(this.#options.outbox.next(room, eligible), (due) => {
      // Meanwhile the service may have failed.
      if (this.#stopped || this.#pause !== undefined) return [];
      for (const { id } of due) this.#inFlight.add(id);
      return this.#written(due);
    });
  }

  /** Where a second time may count twice, the outbox knows of the first before it can have happened. */
  #written(due: readonly OutboxReport[]): Awaitable<readonly OutboxReport[]> {
    const { sendings } = this.#options.outbox;
    if (sendings === undefined || due.length === 0 || this.#mayRepeat()) return due;
    return this.#writeDown(due, sendings);
  }

  async #writeDown(due: readonly OutboxReport[], sendings: SendingJournal): Promise<readonly OutboxReport[]> {
    const ids = due.map(({ id }) => id);
    try {
      await sendings.begin(ids);
      if (!this.#stopped && this.#pause === undefined) return due;
      // Meanwhile the gate has closed, or the service has failed: they have not been sent.
      for (const id of ids) await this.#options.outbox.requeue(id);
    } catch (error) {
      this.#backOff("outbox", error);
    }
    for (const id of ids) this.#inFlight.delete(id);
    for (const look of this.#watchers) look();
    return [];
  }

  async #deliver(report: OutboxReport): Promise<void> {
    try {
      const delivery = this.#answers.get(report.id) ?? (await this.#attempt(report));
      this.#answers.set(report.id, delivery);
      await this.#conclude(report, delivery);
      this.#answers.delete(report.id);
    } catch (error) {
      // The outbox or the ledger failed, and the report is still queued: what it was answered is written down later.
      this.#backOff("outbox", error);
    } finally {
      this.#inFlight.delete(report.id);
      void this.#drain();
      for (const look of this.#watchers) look();
    }
  }

  async #attempt(report: OutboxReport): Promise<Delivery> {
    const { clock, events } = this.#options;
    const sentAt = clock.now();
    const delivery = await this.#send(report);
    if (delivery.outcome === "delivered") events.emit("delivered", { report, tookMs: clock.now() - sentAt });
    return delivery;
  }

  async #send(report: OutboxReport): Promise<Delivery> {
    const { customerId, agentId, indicator, rawUsage } = report;
    try {
      const answer = await this.#options.client.send(
        gateEndpoints.usageReport,
        { body: { agentId, customerId, indicator, rawUsage } },
        { idempotencyKey: report.id, retries: 0 },
      );
      return { outcome: "delivered", honoursKeys: answer.idempotencyKey === report.id };
    } catch (error) {
      return deliveryOf(error);
    }
  }

  async #conclude(report: OutboxReport, delivery: Delivery): Promise<void> {
    const { outbox, events, settlementLagMs, ambiguous, service } = this.#options;
    const { id } = report;
    if (delivery.outcome === "delivered") {
      await this.#options.acknowledge(report);
      if (delivery.honoursKeys) await this.#learnKeys();
      if (service.honoursKeys && !this.#unparked && ambiguous === "auto") {
        await outbox.unpark();
        this.#unparked = true;
      }
      // Last: where one of the steps before it fails, the report is still queued, and all of them are taken again.
      await outbox.delivered(id, settlementLagMs);
      this.#failures = 0;
      this.#told = undefined;
      return;
    }
    const { outcome, error, pauseMs } = delivery;
    if (outcome === "undeliverable") {
      await outbox.bury(id, String(error));
      events.emit("dead", { report, error });
      return;
    }
    if (outcome === "ambiguous" && !this.#mayRepeat()) {
      await outbox.park(id, String(error));
      events.emit("parked", { report, error });
    } else await outbox.requeue(id);
    this.#backOff(outcome, error, pauseMs);
  }

  async #learnKeys(): Promise<void> {
    const { outbox, service } = this.#options;
    if (service.honoursKeys && !this.#keysUnwritten) return;
    service.honoursKeys = true;
    this.#keysUnwritten = true;
    if (service.fingerprint !== undefined) await outbox.sendings?.keysHonoured(service.fingerprint);
    this.#keysUnwritten = false;
  }

  #mayRepeat(): boolean {
    return mayRepeat(this.#options.ambiguous, this.#options.service.honoursKeys);
  }

  #backOff(trouble: Delivery["outcome"] | "outbox", error: unknown, leastMs = 0): void {
    // What comes now is the next process's to deliver, and to tell.
    if (this.#stopped) return;
    const { clock, events, random } = this.#options;
    if (trouble !== this.#told) {
      events.emit("degraded", { what: trouble === "outbox" ? "outbox" : "delivery", error });
    }
    this.#told = trouble;
    // Reports that were on their way together fail together: that is one failure, and the longest pause counts.
    if (this.#pause === undefined) this.#failures++;
    const delayMs = Math.max(leastMs, backoffMs(this.#failures, random()));
    const until = clock.now() + delayMs;
    if (this.#pause !== undefined && this.#pause.until >= until) return;
    this.#pause?.cancel();
    this.#pause = { until, cancel: clock.schedule(delayMs, () => this.hurry()) };
  }
}
