import { gateEndpoints, type Transport } from "@creditgate/client";
import type { GateEvents } from "../events/events.ts";
import { andThen, attempt } from "../values/awaitable.ts";
import type { Clock } from "../values/clock.ts";
import type { Awaitable } from "../wallet/ledger.ts";
import { type Ambiguous, mayRepeat } from "./ambiguous.ts";
import { backoffMs } from "./backoff.ts";
import type { Reporter } from "./delivery.ts";
import { type KnownService, learnFrom } from "./known-service.ts";
import type { Outbox, OutboxReport, OutboxStatus, SendingJournal } from "./outbox.ts";
import { type Delivery, deliveryIn, deliveryOf, refusedPauseMs } from "./outcome.ts";

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
  /** What is known of the service, once there is something to send. */
  readonly service: () => KnownService;
  acknowledge(report: OutboxReport): Awaitable<void>;
}

type Trouble = Delivery["outcome"] | "outbox";

/** So many failures in a row, without a delivery between, are the service's and not one report's or one server's. */
const failuresOfService = 3;
/** So many reports that are refused one after another say more about the service, or the application, than about them. */
const refusalsInARow = 5;
/** So many answers that the outbox cannot be told are kept in memory. */
const mostUnwritten = 10_000;

/** Drains the outbox to the service (API 4.2): at once while it takes reports, ever more slowly while it does not. */
export class UsageReporter implements Reporter {
  readonly #options: ReporterOptions;
  readonly #inFlight = new Set<string>();
  /** In the outbox, but not yet in the ledger: no acknowledgement may come before its entry. */
  readonly #unrecorded = new Set<string>();
  /** What the service has said and could not be written down yet: to ask again could count twice. */
  readonly #answers = new Map<string, Delivery>();
  /** Delivered, and not written down yet: the next are sent meanwhile. */
  readonly #unwritten = new Map<string, OutboxReport>();
  #rewriting = false;
  #cancelRewrite: (() => void) | undefined;
  /** Reports that failed alone, each until its next attempt, with what cancels that. */
  readonly #resting = new Map<string, () => void>();
  readonly #watchers = new Set<() => void>();
  #pause: { readonly until: number; cancel(): void } | undefined;
  /** Since the last delivery: pauses and rests; failures; refusals of reports as they are. */
  #failures = 0;
  #inARow = 0;
  #refusals = 0;
  /** After a pause one report probes the service; the others wait for its answer. */
  #probing = false;
  /** The kind of trouble that was told last; `undefined` while there is none. */
  #told: Trouble | undefined;
  /** The outbox knows that the service honours keys. */
  #keysWritten = false;
  /** The same, and what was parked is queued. */
  #keysUsed = false;
  #usingKeys: Promise<void> | undefined;
  #cancelKeys: (() => void) | undefined;
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

  start(keysWritten = false): void {
    this.#keysWritten = keysWritten;
    this.#awaitKeys();
    void this.#drain();
  }

  hurry(): void {
    this.#pause?.cancel();
    this.#pause = undefined;
    this.#wakeAll();
    if (this.#cancelRewrite !== undefined) void this.#rewrite();
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
    this.#cancelRewrite?.();
    this.#cancelKeys?.();
    this.#wakeAll();
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
    const room = (this.#probing ? 1 : this.#options.concurrency) - this.#inFlight.size;
    if (room <= 0) return [];
    const eligible = (id: string) => !this.#inFlight.has(id) && !this.#unrecorded.has(id) && !this.#rests(id);
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
      if (!this.#keepUnwritten(report, error)) this.#backOff("outbox", error);
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
    if (delivery.outcome === "delivered") {
      this.#succeeded();
      events.emit("delivered", { report, tookMs: clock.now() - sentAt });
    }
    return delivery;
  }

  async #send(report: OutboxReport): Promise<Delivery> {
    const { customerId, agentId, indicator, rawUsage } = report;
    const service = this.#options.service();
    try {
      const answer = await this.#options.client.send(
        gateEndpoints.usageReport,
        { body: { agentId, customerId, indicator, rawUsage } },
        { idempotencyKey: report.id, retries: 0 },
      );
      return deliveryIn(answer, report.id, service);
    } catch (error) {
      learnFrom(error, service);
      return deliveryOf(error, service);
    }
  }

  async #conclude(report: OutboxReport, delivery: Delivery): Promise<void> {
    const { outbox, events, settlementLagMs, service } = this.#options;
    const { id } = report;
    if (delivery.outcome === "delivered") {
      await this.#options.acknowledge(report);
      if (delivery.honoursKeys) service().learnKeys();
      if (service().honoursKeys) await this.#useKeys();
      // Last: where one of the steps before it fails, the report is still queued, and all of them are taken again.
      await outbox.delivered(id, settlementLagMs);
      this.#told = undefined;
      return;
    }
    const { outcome, error, pauseMs, overloaded = false } = delivery;
    if (outcome === "undeliverable") {
      await outbox.bury(id, String(error));
      events.emit("dead", { report, error });
      if (++this.#refusals >= refusalsInARow) this.#backOff("refused", error, refusedPauseMs);
      return;
    }
    if (outcome === "ambiguous" && !this.#mayRepeat()) {
      await outbox.park(id, String(error));
      this.#keysUsed = false;
      this.#awaitKeys();
      events.emit("parked", { report, error });
      this.#backOff(outcome, error, pauseMs);
      return;
    }
    await outbox.requeue(id);
    const isOfService = ++this.#inARow >= failuresOfService || overloaded || outcome === "refused";
    if (isOfService || this.#probing) this.#backOff(outcome, error, pauseMs);
    else this.#rest(id, outcome, error);
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#inARow = 0;
    this.#refusals = 0;
    this.#probing = false;
  }

  /** What is parked waits for the first echo of a key, be it to another gate. */
  #awaitKeys(): void {
    this.#cancelKeys?.();
    this.#cancelKeys = this.#options.service().onKeys(() => void this.#rewrite());
  }

  get #keysDue(): boolean {
    return this.#options.service().honoursKeys && !this.#keysUsed;
  }

  /** The service honours keys: the outbox is told, and what is parked is sent. */
  #useKeys(): Awaitable<void> {
    if (this.#keysUsed) return this.#usingKeys;
    this.#usingKeys ??= this.#writeKeys().finally(() => {
      this.#usingKeys = undefined;
    });
    return this.#usingKeys;
  }

  async #writeKeys(): Promise<void> {
    const { outbox, ambiguous, service } = this.#options;
    // Set first: what is parked from now on clears it again, as it may miss this unpark().
    this.#keysUsed = true;
    try {
      if (!this.#keysWritten) await outbox.sendings?.keysHonoured(service().fingerprint);
      this.#keysWritten = true;
      if (ambiguous === "auto") await outbox.unpark();
    } catch (error) {
      this.#keysUsed = false;
      throw error;
    }
    void this.#drain();
  }

  #mayRepeat(): boolean {
    return mayRepeat(this.#options.ambiguous, this.#options.service().honoursKeys);
  }

  /** One report waits, and the others go on: another server of the service may be well. */
  #rest(id: string, trouble: Trouble, error: unknown): void {
    if (this.#stopped) return;
    const { clock, random } = this.#options;
    this.#tell(trouble, error);
    if (this.#resting.size === 0) this.#failures++;
    const cancel = clock.schedule(backoffMs(this.#failures, random()), () => {
      this.#resting.delete(id);
      void this.#drain();
    });
    this.#resting.set(id, cancel);
  }

  #rests(id: string): boolean {
    return this.#resting.has(id) || this.#unwritten.has(id);
  }

  #wakeAll(): void {
    for (const cancel of this.#resting.values()) cancel();
    this.#resting.clear();
  }

  /**
   * What the service has and the outbox cannot be told, such as on a full disk, is told to it later. Only where sending
   * twice is safe: a crash before that sends it again.
   */
  #keepUnwritten(report: OutboxReport, error: unknown): boolean {
    if (this.#answers.get(report.id)?.outcome !== "delivered" || !this.#mayRepeat()) return false;
    if (this.#unwritten.size >= mostUnwritten) return false;
    this.#unwritten.set(report.id, report);
    this.#tell("outbox", error);
    this.#rewriteLater(1);
    return true;
  }

  #rewriteLater(failures: number): void {
    if (this.#stopped || this.#rewriting || this.#cancelRewrite !== undefined) return;
    const { clock, random } = this.#options;
    this.#cancelRewrite = clock.schedule(backoffMs(failures, random()), () => void this.#rewrite(failures));
  }

  /** One report finds out whether the outbox can be written again; then the others follow. */
  async #rewrite(failures = 1): Promise<void> {
    if (this.#rewriting) return;
    this.#cancelRewrite?.();
    this.#cancelRewrite = undefined;
    this.#rewriting = true;
    let written = await this.#writeKeysAgain();
    for (const report of [...this.#unwritten.values()].slice(0, 1)) {
      if (written) written = await this.#writeAgain(report);
    }
    if (written)
      await Promise.all(Array.from(this.#unwritten.values(), (report) => this.#writeAgain(report)));
    this.#rewriting = false;
    if (this.#unwritten.size > 0 || this.#keysDue) this.#rewriteLater(written ? 1 : failures + 1);
    for (const look of this.#watchers) look();
  }

  async #writeKeysAgain(): Promise<boolean> {
    try {
      if (this.#keysDue) await this.#useKeys();
      return true;
    } catch (error) {
      this.#tell("outbox", error);
      return false;
    }
  }

  async #writeAgain(report: OutboxReport): Promise<boolean> {
    const delivery = this.#answers.get(report.id);
    try {
      if (delivery !== undefined) await this.#conclude(report, delivery);
    } catch {
      // It has been told, and is tried again.
      return false;
    }
    this.#answers.delete(report.id);
    this.#unwritten.delete(report.id);
    return true;
  }

  #backOff(trouble: Trouble, error: unknown, leastMs = 0): void {
    // What comes now is the next process's to deliver, and to tell.
    if (this.#stopped) return;
    const { clock, random } = this.#options;
    this.#tell(trouble, error);
    this.#probing = true;
    // Reports that were on their way together fail together: that is one failure, and the longest pause counts.
    if (this.#pause === undefined && this.#resting.size === 0) this.#failures++;
    const delayMs = Math.max(leastMs, backoffMs(Math.max(1, this.#failures), random()));
    const until = clock.now() + delayMs;
    if (this.#pause !== undefined && this.#pause.until >= until) return;
    this.#pause?.cancel();
    this.#pause = { until, cancel: clock.schedule(delayMs, () => this.hurry()) };
  }

  #tell(trouble: Trouble, error: unknown): void {
    if (trouble !== this.#told) {
      this.#options.events.emit("degraded", { what: trouble === "outbox" ? "outbox" : "delivery", error });
    }
    this.#told = trouble;
  }
}
